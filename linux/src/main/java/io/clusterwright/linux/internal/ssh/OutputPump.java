package io.clusterwright.linux.internal.ssh;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the bytes of one stream of a channel to a sink, in order, holding a thread only while there are some. What arrives waits
 * here; the window of the channel opens again only for bytes that the sink took, so that a slow sink slows the program on the node
 * instead of filling this machine's memory.
 */
final class OutputPump {
    /** Takes a piece of output. */
    interface Sink {
        void accept(byte[] bytes, int offset, int length);
    }

    private final IntConsumer window;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream(0);
    private @Nullable Executor executor;
    private Sink sink = (bytes, offset, length) -> {};
    private boolean over;
    private boolean busy;

    /** A pump that reports how many bytes were taken. */
    OutputPump(IntConsumer window) {
        this.window = window;
    }

    /** Begins to hand on what came and what will come; the future completes, always normally, after the last byte was taken. */
    CompletableFuture<Void> start(Executor on, Sink to) {
        synchronized (this) {
            executor = on;
            sink = to;
        }
        wake();
        return ended;
    }

    /** Takes bytes that arrived. */
    void add(byte[] bytes, int offset, int length) {
        synchronized (this) {
            waiting.write(bytes, offset, length);
        }
        wake();
    }

    /** Nothing more will come. */
    void end() {
        synchronized (this) {
            over = true;
        }
        wake();
    }

    private void wake() {
        Executor current;
        synchronized (this) {
            current = executor;
            if (current == null || busy || !over && waiting.size() == 0) {
                return;
            }
            busy = true;
        }
        try {
            current.execute(this::handOn);
        } catch (RejectedExecutionException e) {
            ended.complete(null);
        }
    }

    private void handOn() {
        for (byte[] piece = next(); piece.length > 0; piece = next()) {
            sink.accept(piece, 0, piece.length);
            window.accept(piece.length);
        }
    }

    /** What waits; where nothing does, the hand-over pauses, or is at its end. */
    private byte[] next() {
        byte[] piece;
        boolean last;
        synchronized (this) {
            piece = waiting.toByteArray();
            waiting = new ByteArrayOutputStream(0);
            last = over && piece.length == 0;
            busy = piece.length > 0 || over;
        }
        if (last) {
            ended.complete(null);
        }
        return piece;
    }
}
