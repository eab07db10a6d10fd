package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.sshd.client.channel.ChannelDirectTcpip;
import org.apache.sshd.common.util.logging.SimplifiedLog;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection from a gateway to a node, as a channel of the connection to the gateway. What arrives is passed on by other threads than
 * those that received it, one piece after the other: the gateway's connection has locks that the node's must not be used under.
 */
final class TunnelChannel extends ChannelDirectTcpip {
    private static final SshdSocketAddress HERE = new SshdSocketAddress("127.0.0.1", 0);

    private final Executor workers;
    private final Queue<byte[]> arrived = new ArrayDeque<>();
    private @Nullable Consumer<byte[]> receiver;
    private boolean passing;
    private boolean over;
    private Runnable end = () -> {};

    TunnelChannel(InetSocketAddress node, Executor workers) {
        super(HERE, new SshdSocketAddress(node.getHostString(), node.getPort()));
        this.workers = workers;
        setStreaming(Streaming.Async);
        addCloseFutureListener(closed -> ended());
    }

    /** Bytes of a connection are as secret before they are encrypted once more as after. */
    @Override
    protected SimplifiedLog getSimplifiedLogger() {
        return SimplifiedLog.EMPTY;
    }

    /** Passes on what arrives, from the first byte on, and then the end. */
    synchronized void receive(Consumer<byte[]> bytes, Runnable atEnd) {
        receiver = bytes;
        end = atEnd;
        pass();
    }

    @Override
    protected synchronized void doWriteData(byte[] data, int offset, long length) {
        arrived.add(Arrays.copyOfRange(data, offset, offset + (int) length));
        pass();
    }

    @Override
    public void handleEof() throws IOException {
        super.handleEof();
        ended();
    }

    private synchronized void ended() {
        over = true;
        pass();
    }

    private synchronized void pass() {
        if (!passing && receiver != null && (over || !arrived.isEmpty())) {
            passing = true;
            workers.execute(this::passOn);
        }
    }

    private void passOn() {
        Consumer<byte[]> to;
        byte[] next;
        while (true) {
            synchronized (this) {
                to = receiver;
                next = arrived.poll();
                if (to == null || next == null) {
                    passing = false;
                    if (over) {
                        receiver = null;
                    }
                    break;
                }
            }
            to.accept(next);
            released(next.length);
        }
        if (to != null && isOver()) {
            end.run();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    private void released(int bytes) {
        try {
            getLocalWindow().release(bytes);
        } catch (IOException e) {
            // The connection to the gateway broke, which closes the channel.
            return;
        }
    }
}
