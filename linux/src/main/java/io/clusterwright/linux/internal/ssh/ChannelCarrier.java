package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries a command over a separate channel. */
final class ChannelCarrier implements SshRunningCommand.Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelCarrier.class);

    private final NodeName node;
    private final ExecChannel channel;
    private final OutputListener output;
    private final LeaderMark mark;
    private final ExecChannel.Input input;
    private final CompletableFuture<OptionalInt> ended;
    private final ReentrantLock delivering = new ReentrantLock();
    private volatile boolean listenerFailed;

    ChannelCarrier(
            NodeName node,
            Command command,
            String nonce,
            ExecChannel channel,
            OutputListener output,
            Executor executor) {
        this.node = node;
        this.channel = channel;
        this.output = output;
        this.input = new ExecChannel.Input(channel, ExecLine.input(command));
        if (!command.inputOpen()) {
            input.end();
        }
        this.mark =
                new LeaderMark(nonce, true, (bytes, offset, length) -> deliver(Stream.STDERR, bytes, offset, length));
        LeaderMark begin =
                new LeaderMark(nonce, false, (bytes, offset, length) -> deliver(Stream.STDOUT, bytes, offset, length));
        CompletableFuture<Void> out =
                channel.out().start(executor, begin::accept).thenRun(begin::end);
        CompletableFuture<Void> err =
                channel.err().start(executor, mark::accept).thenRun(mark::end);
        this.ended = CompletableFuture.allOf(out, err).thenApply(all -> channel.status());
    }

    @Override
    public CompletableFuture<OptionalInt> ended() {
        return ended;
    }

    @Override
    public CompletableFuture<Leader> leader() {
        return mark.leader();
    }

    @Override
    public boolean isOver() {
        return channel.isClosed();
    }

    @Override
    public boolean isRefused() {
        return channel.refused();
    }

    @Override
    public boolean endedInSilence() {
        return channel.endedInSilence();
    }

    @Override
    public void send(byte[] bytes) {
        input.send(bytes);
    }

    @Override
    public void endInput() {
        input.end();
    }

    @Override
    public void discard(Duration limit) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        channel.addCloseFutureListener(future -> closed.complete(null));
        SshFutures.awaitQuietly(closed, limit);
        channel.close(true);
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
