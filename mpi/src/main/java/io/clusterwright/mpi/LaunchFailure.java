package io.clusterwright.mpi;

import java.util.Set;

/**
 * A node the launcher could not start its helper on, or lost.
 *
 * @param host the node as the launcher named it: its private address or name
 * @param status 255 when the connection failed, 126 and 127 for a missing helper program, otherwise what a helper ended with
 *     while the job ran; above 128, the number of a signal and 128
 * @param connected whether the login had succeeded before
 */
public record LaunchFailure(String host, int status, boolean connected) {
    static final int SSH_FAILED = 255;
    static final Set<Integer> NOT_STARTED = Set.of(126, 127);

    /** What happened, for people. */
    public String summary() {
        return summary(host);
    }

    /** Whether the helper ran there and was lost. */
    boolean lost() {
        return connected && !NOT_STARTED.contains(status);
    }

    /** Whether the connection was lost and perhaps nothing else. */
    boolean lostConnection() {
        return connected && status == SSH_FAILED;
    }

    String summary(String name) {
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
