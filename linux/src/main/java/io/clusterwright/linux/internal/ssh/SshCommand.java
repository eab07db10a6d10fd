package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command that runs over a channel. */
final class SshCommand implements RunningCommand {
    private static final Logger LOG = LoggerFactory.getLogger(SshCommand.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** Limits on the wait for the process id of a command, and for the end of its channel. */
    static final Duration UNTIL_MARKED = Duration.ofSeconds(5);

    static final Duration UNTIL_CLOSED = Duration.ofSeconds(5);

    private final NodeName node;
    private final Command command;
    private final ExecChannel channel;
    private final OutputListener output;
    private final LeaderMark mark;
    private final SessionEnder ender;
    private final ChannelInput input;
    private final CompletableFuture<OptionalInt> ended;
    private final ReentrantLock delivering = new ReentrantLock();
    private final ReentrantLock ending = new ReentrantLock();
    private volatile boolean listenerFailed;

    SshCommand(
            NodeName node,
            Command command,
            String nonce,
            ExecChannel channel,
            OutputListener output,
            Executor executor,
            SessionEnder ender) {
        this.node = node;
        this.command = command;
        this.channel = channel;
        this.output = output;
        this.ender = ender;
        this.input = new ChannelInput(channel, ExecLine.input(command));
        if (!command.inputOpen()) {
            input.end();
        }
        this.mark = new LeaderMark(nonce, (bytes, offset, length) -> deliver(Stream.STDERR, bytes, offset, length));
        CompletableFuture<Void> out =
                channel.out().start(executor, (bytes, offset, length) -> deliver(Stream.STDOUT, bytes, offset, length));
        CompletableFuture<Void> err =
                channel.err().start(executor, mark::accept).thenRun(mark::end);
        this.ended = CompletableFuture.allOf(out, err).thenApply(all -> channel.status());
    }

    /** Completes after the last byte of output, with no status when the connection broke. */
    CompletableFuture<OptionalInt> ended() {
        return ended;
    }

    boolean elevated() {
        return command.elevated();
    }

    /** The processes to end; empty when the command ended or never printed its process id in time. */
    List<Leader> leaders(Duration limit) {
        boolean known =
                SshFutures.awaitQuietly(mark.leader(), limit) && !mark.leader().isCompletedExceptionally();
        return channel.isClosed() || !known ? List.of() : List.of(mark.leader().join());
    }

    /** Ends the channel of a command whose processes have been ended. */
    void discard(Duration limit) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        channel.addCloseFutureListener(future -> closed.complete(null));
        SshFutures.awaitQuietly(closed, limit);
        channel.close(true);
    }

    @Override
    public OptionalInt await(Duration limit) {
        try {
            OptionalInt status = ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (status.isEmpty()) {
                throw lost();
            }
            return status;
        } catch (TimeoutException e) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading the end of a command never fails", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private NodeUnreachableException lost() {
        return new NodeUnreachableException(
                node,
                channel.refused()
                        ? node + " did not start `" + command + "`: its SSH server could not make a process for it;"
                                + " look at the node's memory, its limit of processes and the log of sshd"
                        : "the connection to " + node + " broke while `" + command
                                + "` was running: how it ended is not known, and it may still run");
    }

    @Override
    public void send(byte[] bytes) {
        input.send(bytes);
    }

    @Override
    public void endInput() {
        input.end();
    }

    private OperationInterruptedException interrupted(InterruptedException cause) {
        String message = "interrupted while `" + command + "` was running on " + node;
        try {
            // The exception sets the interrupt flag, so it is made after the command has been ended.
            cancel(GRACE);
            return new OperationInterruptedException(message + "; it has been ended there", cause);
        } catch (RuntimeException e) {
            OperationInterruptedException unfinished =
                    new OperationInterruptedException(message + ", where it may still run", cause);
            unfinished.addSuppressed(e);
            return unfinished;
        }
    }

    @Override
    public void cancel(Duration grace) {
        ending.lock();
        try {
            if (channel.isClosed()) {
                return;
            }
            ender.end(leaders(UNTIL_MARKED), elevated(), grace);
            discard(UNTIL_CLOSED);
        } finally {
            ending.unlock();
        }
    }

    @Override
    public void close() {
        cancel(Duration.ZERO);
    }

    private void deliver(Stream stream, byte[] bytes, int offset, int length) {
        delivering.lock();
        try {
            if (!listenerFailed) {
                byte[] piece = offset == 0 ? bytes : Arrays.copyOfRange(bytes, offset, offset + length);
                output.onOutput(stream, piece, length);
            }
        } catch (RuntimeException | Error e) {
            listenerFailed = true;
            LOG.debug("the listener of a command on {} failed and gets no more output", node, e);
        } finally {
            delivering.unlock();
        }
    }
}
