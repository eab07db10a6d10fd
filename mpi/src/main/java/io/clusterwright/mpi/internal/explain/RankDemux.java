package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the pieces of one output stream together again, rank by rank, to the byte. Launchers label each piece a rank wrote, not each
 * line, so that one physical line may hold parts of several ranks' lines.
 */
final class RankDemux {
    /** The key of output without a label, before the key of every rank. */
    private static final int LAUNCHER = -1;

    /** No label is longer. */
    private static final int LONGEST_LABEL = 256;

    private static final int LONGEST_LINE = 64 * 1024;

    private final @Nullable Pattern label;
    private final Sink sink;
    private final LineSplitter splitter = new LineSplitter(this::line);
    /** Bytes as characters of the same number. */
    private final TreeMap<Integer, StringBuilder> pending = new TreeMap<>();

    private int rank = LAUNCHER;
    /** The end of a piece of a long line, in which a label may begin. */
    private String held = "";

    private boolean inLine;
    private boolean unlabelled;
    private final PieceLimit limit;
    private long length;

    /**
     * A demultiplexer of output with this label, or without labels.
     *
     * @param limit the bytes to which the launcher cuts a labelled piece; 0 where it cuts none
     */
    RankDemux(@Nullable Pattern label, int limit, Sink sink) {
        this.label = label;
        this.limit = new PieceLimit(limit);
        this.sink = sink;
    }

    void feed(byte[] bytes, int length) {
        splitter.feed(bytes, length);
    }

    /** Hands on what no line break ended. */
    void finish() {
        splitter.finish();
        append(held);
        held = "";
        limit.begins(length, true);
        pending.keySet().stream().toList().forEach(this::emit);
    }

    /** Whether the launcher cut a piece of a rank's output, which it says nowhere. */
    boolean cut() {
        return limit.reached;
    }

    private void line(Line line) {
        if (label == null) {
            sink.accept(OptionalInt.empty(), line.bytes());
            return;
        }
        // A label that may stand at the beginning of a line only does not stand at the beginning of a later piece.
        int start = inLine ? 1 : 0;
        String text = inLine ? " " + held + line.latin() : line.latin();
        length += line.bytes().length;
        long offset = length - text.length();
        held = "";
        Matcher labels = label.matcher(text);
        while (labels.find(start)) {
            limit.begins(offset + labels.start(), inLine || labels.start() > 0 || unlabelled);
            unlabelled = false;
            append(text.substring(start, labels.start()));
            rank = Integer.parseInt(labels.group(1));
            start = labels.end();
        }
        unlabelled = rank == LAUNCHER;
        inLine = !text.endsWith("\n");
        if (inLine) {
            int end = Math.max(start, text.length() - LONGEST_LABEL);
            append(text.substring(start, end));
            held = text.substring(end);
        } else {
            append(text.substring(start));
            emit(rank);
            rank = LAUNCHER;
        }
    }

    private void append(String text) {
        if (text.isEmpty()) {
            return;
        }
        StringBuilder all = pending.computeIfAbsent(rank, key -> new StringBuilder());
        all.append(text);
        if (all.length() > LONGEST_LINE) {
            emit(rank);
        }
    }

    private void emit(int key) {
        StringBuilder text = pending.remove(key);
        if (text != null) {
            sink.accept(
                    key == LAUNCHER ? OptionalInt.empty() : OptionalInt.of(key),
                    text.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /**
     * Notices pieces that were cut: Open MPI 2 to 4 reads 4 KiB of a rank's output, writes a label before each of its lines, and drops what
     * does not fit into 8 KiB. Such a piece ends in the middle of a line or without labels, has the length of the limit, and more than half
     * of it is labels.
     */
    private static final class PieceLimit {
        private static final int LEAST_LABEL = 8;

        private final int limit;
        private final long[] starts;
        private int count;
        private boolean reached;

        PieceLimit(int limit) {
            this.limit = limit;
            this.starts = new long[limit / LEAST_LABEL + 1];
        }

        /** A label begins here, or the output ends; whether the piece before it ended in the middle of a line or without a label. */
        void begins(long offset, boolean open) {
            if (limit == 0) {
                return;
            }
            int most = Math.min(count, starts.length);
            int back = 1;
            while (open && back < most && starts[(count - back) % starts.length] > offset - limit) {
                back++;
            }
            reached |= open
                    && back <= most
                    && starts[(count - back) % starts.length] == offset - limit
                    && back > limit / 32;
            starts[count++ % starts.length] = offset;
        }
    }

    /** Takes a line of a rank, or of none; or a piece of a long line, without line break. */
    interface Sink {
        void accept(OptionalInt rank, byte[] bytes);
    }
}
