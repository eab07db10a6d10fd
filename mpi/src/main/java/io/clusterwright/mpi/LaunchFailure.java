package io.clusterwright.mpi;

/**
 * A node the launcher could not start its helper on, or lost.
 *
 * @param host the node as the launcher named it: its private address or name
 * @param status the exit status of ssh: 255 its own failure, 126 and 127 a missing helper program
 * @param connected whether the login had succeeded before
 * @param reason why a scheduler does not use the node, in its own words; empty when ssh is what failed
 */
public record LaunchFailure(String host, int status, boolean connected, String reason) {
    /** The status when a scheduler, and not ssh, says that it cannot use the node. */
    public static final int REFUSED_BY_SCHEDULER = 69;

    static final int SSH_FAILED = 255;

    /** A node that ssh did not reach. */
    public LaunchFailure(String host, int status, boolean connected) {
        this(host, status, connected, "");
    }

    static LaunchFailure byScheduler(String host, String reason) {
        return new LaunchFailure(host, REFUSED_BY_SCHEDULER, false, reason);
    }

    /** What happened, for people. */
    public String summary() {
        return summary(host);
    }

    boolean lostConnection() {
        return connected && status == SSH_FAILED;
    }

    String summary(String name) {
        if (!reason.isEmpty()) {
            return "Slurm could not use " + name + ": " + reason;
        }
        if (status != SSH_FAILED) {
            return "the launcher's helper program did not start on " + name + " (status " + status + ")";
        }
        return connected
                ? "the connection from the launch node to " + name + " broke"
                : "the launch node could not log in to " + name + " by ssh";
    }
}
