package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A rank that failed, as its node or the launcher reported it, without guesses. Use it to find the rank that failed
 * first.
 *
 * @param rank its number; empty when the launcher named only the host
 * @param host the node it ran on by its name; the launcher's name for it where that is none of the job's nodes, empty when not known
 * @param exitStatus its exit status; empty when a signal ended it or the report leaves that open
 * @param signal the number of the signal that ended it; empty when none did or the report leaves that open
 * @param first whether it was the first to fail; never set where the launcher's report leaves that open
 * @see JobResult
 */
public record RankFailure(OptionalInt rank, String host, OptionalInt exitStatus, OptionalInt signal, boolean first)
        implements HasJson {

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("rank", rank)
                .andIf(!host.isEmpty(), "node", host)
                .and("exit", exitStatus)
                .and("signal", signal);
    }

    /** The failure for people, such as {@code rank 1 on node2 was ended by signal 9}. */
    @Override
    public String toString() {
        return (rank.isEmpty() ? "a rank" : "rank " + rank.getAsInt())
                + (host.isEmpty() ? "" : " on " + host)
                + (signal.isPresent()
                        ? " was ended by signal " + signal.getAsInt()
                        : exitStatus.isPresent() ? " ended with status " + exitStatus.getAsInt() : " ended badly");
    }
}
