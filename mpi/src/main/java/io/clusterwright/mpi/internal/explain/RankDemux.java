package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
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

    private final @Nullable LabelSearch labels;
    private final Sink sink;
    private final LineSplitter splitter = new LineSplitter(this::line);
    private final TreeMap<Integer, ByteArrayOutputStream> pending = new TreeMap<>();

    private int rank = LAUNCHER;
    /** The end of a piece of a long line, in which a label may begin. */
    private byte[] held = {};

    private boolean inLine;
    private boolean unlabelled;
    private final PieceLimit limit;
    private long length;

    /**
     * A demultiplexer of output with this label, or without labels.
     *
     * @param ranks the ranks of the job; a label of another rank is text of a program
     * @param limit the bytes to which the launcher cuts a labelled piece; 0 where it cuts none
     */
    RankDemux(@Nullable Pattern label, int ranks, int limit, Sink sink) {
        this.labels = label == null ? null : new LabelSearch(label, ranks);
        this.limit = new PieceLimit(limit);
        this.sink = sink;
    }

    void feed(byte[] bytes, int length) {
        splitter.feed(bytes, length);
    }

    /** Hands on what no line break ended. */
    void finish() {
        splitter.finish();
        append(held, 0, held.length);
        held = new byte[0];
        limit.begins(length, true);
        pending.keySet().stream().toList().forEach(this::emit);
    }

    /** Whether the launcher cut a piece of a rank's output, which it says nowhere. */
    boolean cut() {
        return limit.reached;
    }

    private void line(Line line) {
        if (labels == null) {
            sink.accept(OptionalInt.empty(), line.bytes());
            return;
        }
        // A label that may stand at the beginning of a line only does not stand at the beginning of a later piece.
        int start = inLine ? 1 : 0;
        byte[] all = inLine ? afterHeld(line.bytes()) : line.bytes();
        length += line.bytes().length;
        long offset = length - all.length;
        held = new byte[0];
        labels.begin(inLine ? new Line(0, all, true) : line);
        while (labels.find(start)) {
            limit.begins(offset + labels.start(), inLine || labels.start() > 0 || unlabelled);
            unlabelled = false;
            append(all, start, labels.start());
            rank = labels.rank();
            start = labels.end();
        }
        unlabelled = rank == LAUNCHER;
        inLine = all[all.length - 1] != '\n';
        if (inLine) {
            int end = Math.max(start, all.length - LONGEST_LABEL);
            append(all, start, end);
            held = Arrays.copyOfRange(all, end, all.length);
        } else {
            if (pending.containsKey(rank)) {
                append(all, start, all.length);
                emit(rank);
            } else if (start < all.length) {
                hand(rank, start == 0 ? all : Arrays.copyOfRange(all, start, all.length));
            }
            rank = LAUNCHER;
        }
    }

    private byte[] afterHeld(byte[] piece) {
        byte[] all = new byte[1 + held.length + piece.length];
        all[0] = ' ';
        System.arraycopy(held, 0, all, 1, held.length);
        System.arraycopy(piece, 0, all, 1 + held.length, piece.length);
        return all;
    }

    private void append(byte[] bytes, int from, int to) {
        if (from == to) {
            return;
        }
        ByteArrayOutputStream all = pending.computeIfAbsent(rank, key -> new ByteArrayOutputStream());
        all.write(bytes, from, to - from);
        if (all.size() > LONGEST_LINE) {
            emit(rank);
        }
    }

    private void emit(int key) {
        ByteArrayOutputStream all = pending.remove(key);
        if (all != null) {
            hand(key, all.toByteArray());
        }
    }

    private void hand(int key, byte[] bytes) {
        sink.accept(key == LAUNCHER ? OptionalInt.empty() : OptionalInt.of(key), bytes);
    }

    /** Looks for the labels of a line; quickly where every label begins with a known text, or a line. */
    private static final class LabelSearch {
        private static final Pattern LITERAL = Pattern.compile("(?:[\\w<>:,-]|\\\\[^\\w\\s])+(?![*?+{])");

        private final Matcher matcher;
        private final int ranks;
        private final boolean lineStart;
        private final String prefix;
        private String text = "";

        LabelSearch(Pattern label, int ranks) {
            this.ranks = ranks;
            String regex = label.pattern();
            boolean known =
                    label.flags() == 0 && !regex.replaceAll("\\([^()]*\\)", "").matches(".*[|(].*");
            Matcher literal = LITERAL.matcher(regex);
            this.matcher = label.matcher("");
            this.lineStart = known && regex.startsWith("^");
            this.prefix = known && literal.lookingAt() ? literal.group().replaceAll("\\\\(.)", "$1") : "";
        }

        void begin(Line line) {
            text = line.latin();
            matcher.reset(text);
        }

        /** Goes to the next label from here on, if there is one. */
        boolean find(int from) {
            if (lineStart) {
                return from == 0 && matcher.lookingAt() && isRank();
            }
            if (prefix.isEmpty()) {
                boolean found = matcher.find(from);
                while (found && !isRank()) {
                    found = matcher.find();
                }
                return found;
            }
            for (int at = text.indexOf(prefix, from); at >= 0; at = text.indexOf(prefix, at + 1)) {
                if (matcher.region(at, text.length()).lookingAt() && isRank()) {
                    return true;
                }
            }
            return false;
        }

        private boolean isRank() {
            return matcher.end(1) - matcher.start(1) < 10 && rank() < ranks;
        }

        int start() {
            return matcher.start();
        }

        int end() {
            return matcher.end();
        }

        int rank() {
            return Integer.parseInt(text, matcher.start(1), matcher.end(1), 10);
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
