package io.clusterwright.mpi.check;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobInterruptedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiNotFoundException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs one rank on each node that prints its host name. It passes when every node answered once and the world had the
 * size asked for: an exit status of 0 alone proves nothing. Immutable; each method that names a part gives another check.
 */
public interface HostnameCheck {

    /** The check of these nodes. */
    static HostnameCheck on(JobTarget target) {
        return Checks.hostnames(target);
    }

    /** The same check by this installation. */
    HostnameCheck installation(MpiInstallation mpi);

    /** The same check with each host name handed to this listener as it comes. */
    HostnameCheck onHostname(Consumer<String> names);

    /**
     * Runs the check, at most this long. A launcher that ends and says nothing at all is started once more, which is reported
     * ({@code CW-MPI-024}): Hydra 4.0 can die of SIGPIPE before its first word.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    Report run(Duration limit);

    /**
     * The answers of the nodes.
     *
     * @param result the run, with the findings of the check
     * @param answered the nodes that printed their name, in the order of the output
     * @param silent the nodes that did not, in node order
     */
    record Report(JobResult result, List<NodeName> answered, List<NodeName> silent) {
        /** Copies the lists. */
        public Report {
            answered = List.copyOf(answered);
            silent = List.copyOf(silent);
        }

        /** Whether every node answered exactly once, in a world of the right size, and the launcher ended well. */
        public boolean succeeded() {
            return result.succeeded() && silent.isEmpty() && answered.size() == result.ranks();
        }
    }
}
