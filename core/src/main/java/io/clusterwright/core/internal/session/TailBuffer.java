package io.clusterwright.core.internal.session;

import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Keeps the last bytes of a stream, in memory that grows with what came and never beyond the limit. */
public final class TailBuffer {
    private static final int FIRST_SIZE = 1024;

    private final int limit;
    private byte[] ring = new byte[0];
    private int start;
    private int size;
    private long lost;

    /** Keeps this many bytes. */
    public TailBuffer(int limit) {
        this.limit = limit;
    }

    /** Takes the next bytes. */
    public synchronized void append(byte[] bytes, int offset, int length) {
        int skipped = Math.max(0, length - limit);
        int wanted = length - skipped;
        makeRoom(wanted);
        int dropped = Math.max(0, size + wanted - ring.length);
        lost += skipped + dropped;
        if (ring.length == 0) {
            return;
        }
        start = (start + dropped) % ring.length;
        size -= dropped;
        int end = (start + size) % ring.length;
        int first = Math.min(wanted, ring.length - end);
        System.arraycopy(bytes, offset + skipped, ring, end, first);
        System.arraycopy(bytes, offset + skipped + first, ring, 0, wanted - first);
        size += wanted;
    }

    public synchronized byte[] toByteArray() {
        byte[] copy = new byte[size];
        int first = Math.min(size, ring.length - start);
        System.arraycopy(ring, start, copy, 0, first);
        System.arraycopy(ring, 0, copy, first, size - first);
        return copy;
    }

    /** Everything kept, and how much was not. */
    public synchronized CommandResult.Output output() {
        return new CommandResult.Output(toByteArray(), lost);
    }

    /** The last lines that hold anything, each cut to what a message may show of it. */
    public List<String> lastLines(int count) {
        List<String> lines = new String(toByteArray(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.subList(Math.max(0, lines.size() - count), lines.size()).stream()
                .map(PrintableText::line)
                .toList();
    }

    private void makeRoom(int wanted) {
        if (size + wanted <= ring.length || ring.length == limit) {
            return;
        }
        long doubled = Math.max(FIRST_SIZE, ring.length * 2L);
        int capacity = (int) Math.min(limit, Math.max(doubled, (long) size + wanted));
        byte[] grown = Arrays.copyOf(toByteArray(), capacity);
        ring = grown;
        start = 0;
    }
}
