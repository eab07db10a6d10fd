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

    /** A demultiplexer of output with this label, or without labels. */
    RankDemux(@Nullable Pattern label, Sink sink) {
        this.label = label;
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
        pending.keySet().stream().toList().forEach(this::emit);
    }

    private void line(Line line) {
        if (label == null) {
            sink.accept(OptionalInt.empty(), line.bytes());
            return;
        }
        // A label that may stand at the beginning of a line only does not stand at the beginning of a later piece.
        int start = inLine ? 1 : 0;
        String text = inLine ? " " + held + line.latin() : line.latin();
        held = "";
        Matcher labels = label.matcher(text);
        while (labels.find(start)) {
            append(text.substring(start, labels.start()));
            rank = Integer.parseInt(labels.group(1));
            start = labels.end();
        }
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

    /** Takes a line of a rank, or of none; or a piece of a long line, without line break. */
    interface Sink {
        void accept(OptionalInt rank, byte[] bytes);
    }
}
