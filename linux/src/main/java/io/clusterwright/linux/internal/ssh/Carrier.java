package io.clusterwright.linux.internal.ssh;

import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Takes one command to its node, and brings back its output, the leader of its session and its end. */
interface Carrier {
    /** Completes after the last byte of output, with no status when the connection broke. */
    CompletableFuture<OptionalInt> ended();

    /** The leader of the command's session; completes exceptionally when it will never be known. */
    CompletableFuture<Leader> leader();

    /** Whether nothing more will come, as the command has ended or was given up. */
    boolean isOver();

    /** Whether the node refused to start the command. */
    boolean isRefused();

    /** Gives the command input. */
    void send(byte[] bytes);

    /** Gives the command no more input. */
    void endInput();

    /** Waits for the end of a command whose processes have been ended, at most this long, and then gives it up. */
    void discard(Duration limit);
}
