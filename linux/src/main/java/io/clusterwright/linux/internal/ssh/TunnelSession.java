package io.clusterwright.linux.internal.ssh;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sshd.common.channel.IoWriteFutureImpl;
import org.apache.sshd.common.future.CloseFuture;
import org.apache.sshd.common.io.IoHandler;
import org.apache.sshd.common.io.IoService;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.closeable.AbstractCloseable;
import org.jspecify.annotations.Nullable;

/** The transport of a connection through a gateway: its bytes go through a channel of the gateway's connection instead of a socket. */
final class TunnelSession extends AbstractCloseable implements IoSession {
    private static final AtomicLong IDS = new AtomicLong(Integer.MAX_VALUE);

    private final long id = IDS.incrementAndGet();
    private final TunnelChannel channel;
    private final IoService service;
    private final IoHandler handler;
    private final Executor workers;
    private final Map<Object, Object> attributes = new ConcurrentHashMap<>();
    private final Queue<IoWriteFutureImpl> writes = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();

    TunnelSession(TunnelChannel channel, IoService service, IoHandler handler, Executor workers) {
        this.channel = channel;
        this.service = service;
        this.handler = handler;
        this.workers = workers;
    }

    /** Bytes from the node; the next ones are passed on when this returns. */
    void received(byte[] bytes) {
        if (isClosed()) {
            return;
        }
        try {
            handler.messageReceived(this, new ByteArrayBuffer(bytes));
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void failed(Throwable cause) {
        try {
            handler.exceptionCaught(this, cause);
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
        close(true);
    }

    /** Written by another thread, since the caller may hold locks of its connection, and writing takes the locks of the gateway's connection. */
    @Override
    public IoWriteFuture writeBuffer(Buffer buffer) {
        // Copied, since a channel writes its own header and trailer around the bytes where there is room for them.
        IoWriteFutureImpl future = new IoWriteFutureImpl(toString(), new ByteArrayBuffer(buffer.getCompactData()));
        if (isClosing()) {
            future.setValue(new ClosedChannelException());
            return future;
        }
        writes.add(future);
        writeNext();
        return future;
    }

    private void writeNext() {
        if (!writes.isEmpty() && writing.compareAndSet(false, true)) {
            workers.execute(this::write);
        }
    }

    private void write() {
        IoWriteFutureImpl next = writes.peek();
        if (next == null) {
            writing.set(false);
            writeNext();
            return;
        }
        try {
            channel.getAsyncIn()
                    .writeBuffer(next.getBuffer())
                    .addListener(written -> workers.execute(() -> written(next, written)));
        } catch (IOException | RuntimeException e) {
            next.setValue(e);
            close(true);
        }
    }

    private void written(IoWriteFutureImpl future, IoWriteFuture result) {
        writes.remove(future);
        Throwable failure = result.getException();
        future.setValue(failure == null ? Boolean.TRUE : failure);
        if (failure != null) {
            close(true);
            return;
        }
        write();
    }

    @Override
    protected CloseFuture doCloseGracefully() {
        return builder().when(toString(), writes).build().close(false);
    }

    @Override
    protected void doCloseImmediately() {
        for (IoWriteFutureImpl left = writes.poll(); left != null; left = writes.poll()) {
            if (!left.isDone()) {
                left.setValue(new EOFException("the connection was closed"));
            }
        }
        channel.close(false);
        super.doCloseImmediately();
        try {
            handler.sessionClosed(this);
        } catch (Exception e) {
            // It is closed in any case.
            return;
        } finally {
            attributes.clear();
        }
    }

    @Override
    public long getId() {
        return id;
    }

    @Override
    public @Nullable SocketAddress getAcceptanceAddress() {
        return null;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return channel.getLocalSocketAddress().toInetSocketAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return channel.getRemoteSocketAddress().toInetSocketAddress();
    }

    @Override
    public @Nullable Object getAttribute(Object key) {
        return attributes.get(key);
    }

    @Override
    public @Nullable Object setAttribute(Object key, Object value) {
        return attributes.put(key, value);
    }

    @Override
    public @Nullable Object setAttributeIfAbsent(Object key, Object value) {
        return attributes.putIfAbsent(key, value);
    }

    @Override
    public @Nullable Object removeAttribute(Object key) {
        return attributes.remove(key);
    }

    @Override
    public IoService getService() {
        return service;
    }

    @Override
    public void shutdownOutputStream() throws IOException {
        channel.getAsyncIn().close(false);
    }

    /** Reading is not held back: each channel of the connection has a separate window. */
    @Override
    public void suspendRead() {}

    @Override
    public void resumeRead() {}
}
