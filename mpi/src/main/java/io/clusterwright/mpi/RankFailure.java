package io.clusterwright.mpi;

import java.util.OptionalInt;

/**
 * A rank that did not end well, as the launcher reported it; nothing of it is guessed.
 *
 * @param rankOrNone its number, or {@link #NONE} when the launcher named only the host
 * @param host the node it ran on by its name; the launcher's word for it where that is none of the job's nodes, empty when not known
 * @param exitStatusOrNone what it ended with; {@link #NONE} when a signal ended it or the report leaves that open
 * @param signalOrNone the signal that ended it; {@link #NONE} when none did or the report leaves that open
 * @param first whether it was the first to fail; never set where the launcher's report leaves that open
 */
public record RankFailure(int rankOrNone, String host, int exitStatusOrNone, int signalOrNone, boolean first) {
    /** Stands for no number. */
    public static final int NONE = -1;

    /** The rank, where it is known. */
    public OptionalInt rank() {
        return optional(rankOrNone);
    }

    /** What it ended with; absent when a signal ended it or that is not known. */
    public OptionalInt exitStatus() {
        return optional(exitStatusOrNone);
    }

    /** The signal that ended it. */
    public OptionalInt signal() {
        return optional(signalOrNone);
    }

    /** What happened, for people, such as {@code rank 1 on node2 was ended by signal 9}. */
    @Override
    public String toString() {
        return (rankOrNone == NONE ? "a rank" : "rank " + rankOrNone)
                + (host.isEmpty() ? "" : " on " + host)
                + (signalOrNone != NONE
                        ? " was ended by signal " + signalOrNone
                        : exitStatusOrNone != NONE ? " ended with status " + exitStatusOrNone : " ended badly");
    }

    private static OptionalInt optional(int number) {
        return number == NONE ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
