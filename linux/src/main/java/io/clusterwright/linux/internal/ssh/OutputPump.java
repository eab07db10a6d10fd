package io.clusterwright.linux.internal.ssh;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.sshd.common.io.IoInputStream;
import org.apache.sshd.common.io.IoReadFuture;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * Reads one stream of a channel to its end, holding a thread only while there is output. The next piece is asked for
 * when the last was taken, so that a slow taker slows the program on the node instead of filling this machine's memory.
 */
final class OutputPump {
    private static final int CHUNK = 32 * 1024;

    /** Takes a piece of output. */
    interface Sink {
        void accept(byte[] bytes, int offset, int length);
    }

    private final IoInputStream stream;
    private final Executor executor;
    private final Sink sink;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private OutputPump(IoInputStream stream, Executor executor, Sink sink) {
        this.stream = stream;
        this.executor = executor;
        this.sink = sink;
    }

    /** Starts to read; the future completes, always normally, after the last piece was taken. */
    static CompletableFuture<Void> start(IoInputStream stream, Executor executor, Sink sink) {
        OutputPump pump = new OutputPump(stream, executor, sink);
        pump.onExecutor(pump::readAvailable);
        return pump.ended;
    }

    private void onExecutor(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            ended.complete(null);
        }
    }

    private void readAvailable() {
        while (true) {
            IoReadFuture read = stream.read(new ByteArrayBuffer(CHUNK));
            if (!read.isDone()) {
                read.addListener(later -> onExecutor(() -> {
                    if (took(later)) {
                        readAvailable();
                    }
                }));
                return;
            }
            if (!took(read)) {
                return;
            }
        }
    }

    private boolean took(IoReadFuture read) {
        if (read.getException() != null || read.getRead() <= 0) {
            ended.complete(null);
            return false;
        }
        sink.accept(
                read.getBuffer().array(),
                read.getBuffer().rpos(),
                read.getBuffer().available());
        return true;
    }
}
