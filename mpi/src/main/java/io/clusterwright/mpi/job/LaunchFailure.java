package io.clusterwright.mpi.job;

import java.util.Set;

/**
 * A node on which the launcher could not start its helper, or which the launcher lost. Use it to find the node to
 * repair or to leave out.
 *
 * @param host the node as the launcher named it: its private address or name
 * @param status 255 when the connection failed, 126 and 127 for a missing helper program, otherwise what a helper ended with;
 *     above 128, the number of a signal and 128
 * @param connected whether the node was lost later: the login had succeeded, or the helper ended after the first rank had begun
 * @param reason why, as the scheduler or the node says; empty where neither says it
 * @see JobResult
 */
public record LaunchFailure(String host, int status, boolean connected, String reason) {
    /** The status when a scheduler, and not ssh, says that it cannot use the node. */
    public static final int REFUSED_BY_SCHEDULER = 69;

    /** The status of ssh when the connection failed. */
    public static final int SSH_FAILED = 255;
    /** The statuses of a shell that did not find or could not start a program. */
    public static final Set<Integer> NOT_STARTED = Set.of(126, 127);

    /** A node that ssh did not reach. */
    public LaunchFailure(String host, int status, boolean connected) {
        this(host, status, connected, "");
    }

    /** A node that a scheduler does not use. */
    public static LaunchFailure byScheduler(String host, String reason) {
        return new LaunchFailure(host, REFUSED_BY_SCHEDULER, false, reason);
    }

    /** Whether the helper began there, and ended by itself before any rank of the job had begun. */
    public boolean endedEarly() {
        return !connected && status != SSH_FAILED && status != REFUSED_BY_SCHEDULER && !NOT_STARTED.contains(status);
    }

    /** The same, with the reason. */
    public LaunchFailure because(String why) {
        return new LaunchFailure(host, status, connected, why);
    }

    /** Whether the helper ran there and was lost. */
    public boolean lost() {
        return connected && !NOT_STARTED.contains(status);
    }

    /** Whether the connection was lost and perhaps nothing else. */
    public boolean lostConnection() {
        return connected && status == SSH_FAILED;
    }

    /** The failure for people, with this name for the node. */
    public String summary(String name) {
        if (endedEarly()) {
            return "the launcher's helper program on " + name + " ended before the job began (status " + status + ")"
                    + (reason.isEmpty() ? "" : ": " + reason);
        }
        if (!reason.isEmpty()) {
            return "Slurm could not use " + name + ": " + reason;
        }
        if (NOT_STARTED.contains(status)) {
            return "the launcher's helper program did not start on " + name + " (status " + status + ")";
        }
        if (status != SSH_FAILED) {
            return "the launcher's helper program on " + name + " ended while the job ran (status " + status + ")";
        }
        return connected
                ? "the connection from the launch node to " + name + " broke"
                : "the launch node could not log in to " + name + " by ssh";
    }
}
