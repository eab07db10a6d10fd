package io.clusterwright.mpi.check;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobInterruptedException;
import io.clusterwright.mpi.MpiNotFoundException;
import java.time.Duration;
import java.util.List;

/**
 * Proves the limits of locked memory that the spec asks for: on every node, in a new SSH session and inside {@code mpirun}, as the
 * user that MPI jobs run as and as root (through {@code sudo -n} of the login user).
 *
 * <p>Where a node's kernel lets no user raise a limit, the check proves the highest limit that is possible, and the row says so.
 */
public interface MemlockCheck {

    /** The proof for a cluster. */
    static MemlockCheck on(Cluster cluster) {
        return Checks.memlock(cluster);
    }

    /**
     * Asks every node, each of the two MPI runs at most this long.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    Report run(Duration limit);

    /**
     * One limit.
     *
     * @param node where
     * @param user whose
     * @param insideMpi whether it was read in a rank that {@code mpirun} started; otherwise in an SSH session
     * @param inForce {@code unlimited} or KiB, as the shell prints it; empty when it could not be read
     * @param expected what the spec leads to on this node; empty when the spec says nothing about this user
     */
    record Row(NodeName node, String user, boolean insideMpi, String inForce, String expected) {
        /** Whether the limit was read and is the expected one, if one is expected. */
        public boolean holds() {
            return !inForce.isEmpty() && (expected.isEmpty() || expected.equals(inForce));
        }
    }

    /**
     * The limits that were found.
     *
     * @param rows four for each node: each user in a session and inside {@code mpirun}
     * @param lowered whether a node's kernel does not allow what the spec asks for, so that less is expected
     * @param highest the highest limit that all nodes can have, for people
     */
    record Report(List<Row> rows, boolean lowered, String highest) {
        /** Copies the list. */
        public Report {
            rows = List.copyOf(rows);
        }

        /** Whether all rows hold. */
        public boolean succeeded() {
            return rows.stream().allMatch(Row::holds);
        }
    }
}
