package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.session.ConnectionService;

/** Opens channels that run one line each. */
final class SshExec {
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);
    /** The keep-alive knows of a silent connection after 15 to 20 s: only then is it known that the connection is lost. */
    private static final Duration SILENCE = Duration.ofSeconds(12);

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final NodeName node;
    private final SshLinks links;
    private final SshThreads threads;

    SshExec(NodeName node, SshLinks links, SshThreads threads) {
        this.node = node;
        this.links = links;
        this.threads = threads;
    }

    /** Runs a line with this input, and no more. */
    ExecChannel open(String line, byte[] input, Purpose purpose, Deadline deadline) {
        return shielded(line, purpose, deadline, channel -> new ExecChannel.Input(channel, input).end());
    }

    /** Runs a line whose input is the caller's to give and to end. */
    ExecChannel open(String line, Purpose purpose, Deadline deadline) {
        return shielded(line, purpose, deadline, channel -> {});
    }

    /** Works on a separate thread, as the client drops a connection whose use was interrupted; an interrupt is kept for later. */
    private ExecChannel shielded(String line, Purpose purpose, Deadline deadline, Consumer<ExecChannel> then) {
        CompletableFuture<ExecChannel> opening = CompletableFuture.supplyAsync(
                () -> open(line, purpose, deadline, then), work -> SshThreads.execute(threads.workers(), node, work));
        if (!SshFutures.awaitQuietly(opening, deadline.remaining().plus(MARGIN))) {
            opening.thenAccept(late -> late.close(true));
            throw new NodeUnreachableException(
                    node,
                    "cannot run a command on " + node + ": its connection accepted no request within " + deadline);
        }
        try {
            return opening.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private ExecChannel open(String line, Purpose purpose, Deadline deadline, Consumer<ExecChannel> then) {
        try {
            return links.open(purpose, deadline, session -> {
                ExecChannel channel = open(session, line, deadline);
                then.accept(channel);
                return channel;
            });
        } catch (IOException e) {
            throw new NodeUnreachableException(
                    node, "cannot run a command on " + node + " over the open connection: " + e.getMessage(), e);
        }
    }

    private static ExecChannel open(ClientSession session, String line, Deadline whole) throws IOException {
        Deadline deadline = whole.within("channel timeout", OPEN_TIMEOUT);
        ExecChannel channel = new ExecChannel(line);
        session.getService(ConnectionService.class).registerChannel(channel);
        boolean opened = false;
        try {
            OpenFuture future = channel.open();
            if (!SshFutures.awaitQuietly(future, deadline.remaining())) {
                SshLinks.isGone(session, whole.remaining(SILENCE));
                throw new IOException("no channel within " + deadline);
            }
            future.verify();
            opened = true;
            return channel;
        } finally {
            if (!opened) {
                channel.close(true);
            }
        }
    }
}
