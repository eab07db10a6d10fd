package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.session.TailBuffer;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries a command through a command agent. All its input went with the request. */
final class AgentCommand implements SshRunningCommand.Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);
    private static final int SIGNALLED = 128;
    private static final int UNNAMED_SIGNAL = 255;

    /** The signals that OpenSSH has a name for: ABRT, ALRM, FPE, HUP, ILL, INT, KILL, PIPE, QUIT, SEGV, TERM, USR1 and USR2. */
    private static final Set<Integer> NAMED = Set.of(6, 14, 8, 1, 4, 2, 9, 13, 3, 11, 15, 10, 12);

    private final int number;
    private final TailBuffer out;
    private final TailBuffer err;
    private final CommandAgent agent;
    private final CompletableFuture<OptionalInt> ended = new CompletableFuture<>();
    private final CompletableFuture<Leader> leader = new CompletableFuture<>();
    private volatile boolean declined;

    AgentCommand(int number, TailBuffer out, TailBuffer err, CommandAgent agent) {
        this.number = number;
        this.out = out;
        this.err = err;
        this.agent = agent;
    }

    int number() {
        return number;
    }

    /** Whether the agent did not start the command, so that another way may be tried; it has ended then. */
    boolean isDeclined() {
        return declined;
    }

    /** Takes an answer of the agent; returns whether it was the last one. */
    boolean accept(byte type, ByteBuffer content) {
        switch (type) {
            case AgentFrames.STDOUT -> append(out, content);
            case AgentFrames.STDERR -> append(err, content);
            case AgentFrames.STARTED -> startedAs(text(content));
            case AgentFrames.DECLINED -> {
                declined = true;
                end(OptionalInt.of(0));
            }
            case AgentFrames.ENDED -> end(OptionalInt.of(status(text(content))));
            default -> throw new IllegalStateException("a frame of type " + type);
        }
        return isOver();
    }

    private static void append(TailBuffer to, ByteBuffer content) {
        to.append(content.array(), content.arrayOffset() + content.position(), content.remaining());
    }

    private void startedAs(String[] pidAndStart) {
        if (pidAndStart.length == 2) {
            leader.complete(new Leader(Long.parseLong(pidAndStart[0]), Long.parseLong(pidAndStart[1])));
        } else {
            leader.completeExceptionally(new IllegalStateException("the command's process cannot be seen"));
        }
    }

    private static int status(String[] end) {
        int value = Integer.parseInt(end[1]);
        if (end[0].equals("exit")) {
            return value;
        }
        return NAMED.contains(value) ? SIGNALLED + value : UNNAMED_SIGNAL;
    }

    private static String[] text(ByteBuffer content) {
        return StandardCharsets.US_ASCII.decode(content).toString().trim().split(" ");
    }

    /** The agent or its connection is gone. */
    void lose() {
        end(OptionalInt.empty());
    }

    private void end(OptionalInt status) {
        leader.completeExceptionally(new IllegalStateException("the command is over"));
        ended.complete(status);
    }

    @Override
    public CompletableFuture<OptionalInt> ended() {
        return ended;
    }

    @Override
    public CompletableFuture<Leader> leader() {
        return leader;
    }

    @Override
    public boolean isOver() {
        return ended.isDone();
    }

    @Override
    public boolean isRefused() {
        return false;
    }

    @Override
    public boolean endedInSilence() {
        return agent.endedInSilence();
    }

    @Override
    public void send(byte[] bytes) {
        throw new IllegalStateException("the command's input has ended");
    }

    @Override
    public void endInput() {
        LOG.trace("all input of command {} went with its request", number);
    }

    @Override
    public void discard(Duration limit) {
        if (!SshFutures.awaitQuietly(ended, limit)) {
            agent.forget(this);
        }
    }
}
