package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.session.TailBuffer;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/**
 * Ends whole sessions of processes on a node, over a separate channel: closing a command's channel ends nothing.
 */
final class ProcessSessionEnder {
    /** Ends whole sessions; its arguments stand at its beginning. For {@code /bin/sh}. */
    static final String SCRIPT =
            TextResource.read(ProcessSessionEnder.class.getResourceAsStream("end-sessions.sh"), "end-sessions.sh");

    /** The script looks this often, and waits this long for the kernel to take down what it killed. */
    private static final Duration TICK = Duration.ofMillis(50);

    private static final Duration AFTER_KILL = Duration.ofSeconds(5);
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final NodeName node;
    private final SshExec exec;
    private final boolean root;

    ProcessSessionEnder(NodeName node, SshExec exec, boolean root) {
        this.node = node;
        this.exec = exec;
        this.root = root;
    }

    /** Returns when no process of these sessions is left: asked first, forced after the grace. */
    void end(Collection<Leader> leaders, boolean elevated, Duration grace) {
        if (leaders.isEmpty()) {
            return;
        }
        Deadline whole =
                Deadline.in("limit on ending a command", grace.plus(AFTER_KILL).plus(MARGIN));
        ExecChannel channel =
                exec.open(ExecLine.plain(words(leaders, elevated, grace)), bytes(), Purpose.CONTROL, whole);
        try {
            TailBuffer output = new TailBuffer(4096);
            if (!SshFutures.awaitQuietly(channel.err().start(Runnable::run, output::append), whole.remaining())) {
                throw new NodeUnreachableException(
                        node,
                        "ending a command on " + node + " took longer than " + whole + ": its processes may still run");
            }
            OptionalInt status = channel.status();
            if (status.isEmpty()) {
                throw new NodeUnreachableException(
                        node,
                        "the connection to " + node
                                + " broke while a command was being ended: its processes may still run");
            }
            if (status.getAsInt() != 0) {
                throw new ClusterwrightException("on " + node + ", processes of a command could not be ended: "
                        + String.join(" | ", output.lastLines(8)));
            }
        } finally {
            channel.close(true);
        }
    }

    private List<String> words(Collection<Leader> leaders, boolean elevated, Duration grace) {
        List<String> words = new ArrayList<>();
        if (elevated && !root) {
            words.addAll(ExecLine.SUDO);
        }
        words.addAll(List.of("/bin/sh", "-s", ticks(grace), ticks(grace.plus(AFTER_KILL))));
        leaders.forEach(
                leader -> words.addAll(List.of(Long.toString(leader.pid()), Long.toString(leader.startTicks()))));
        return words;
    }

    private static String ticks(Duration duration) {
        return Long.toString((duration.toMillis() + TICK.toMillis() - 1) / TICK.toMillis());
    }

    private static byte[] bytes() {
        return SCRIPT.getBytes(StandardCharsets.UTF_8);
    }
}
