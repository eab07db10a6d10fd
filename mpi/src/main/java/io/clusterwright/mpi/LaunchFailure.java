package io.clusterwright.mpi;

/**
 * A node the launcher could not start its helper on, or lost.
 *
 * @param host the node as the launcher named it: its private address or name
 * @param status the exit status of ssh: 255 its own failure, 126 and 127 a missing helper program
 * @param connected whether the login had succeeded before
 */
public record LaunchFailure(String host, int status, boolean connected) {
    static final int SSH_FAILED = 255;

    /** What happened, for people. */
    public String summary() {
        return summary(host);
    }

    boolean lostConnection() {
        return connected && status == SSH_FAILED;
    }

    String summary(String name) {
        if (status != SSH_FAILED) {
            return "the launcher's helper program did not start on " + name + " (status " + status + ")";
        }
        return connected
                ? "the connection from the launch node to " + name + " broke"
                : "the launch node could not log in to " + name + " by ssh";
    }
}
