package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.job.OutputLine;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the pieces of one output stream together again, rank by rank. Launchers label each piece a rank wrote, not each
 * line, so that one physical line may hold parts of several ranks' lines.
 */
final class RankDemux {
    /** The key of output without a label, before the key of every rank. */
    private static final int LAUNCHER = -1;

    private final OutputListener.Stream stream;
    private final Pattern label;
    private final Consumer<OutputLine> consumer;
    private final LineSplitter splitter = new LineSplitter(this::line);
    private final TreeMap<Integer, StringBuilder> pending = new TreeMap<>();

    RankDemux(OutputListener.Stream stream, Pattern label, Consumer<OutputLine> consumer) {
        this.stream = stream;
        this.label = label;
        this.consumer = consumer;
    }

    void feed(byte[] bytes, int length) {
        splitter.feed(bytes, length);
    }

    /** Hands on what no line break ended. */
    void finish() {
        splitter.finish();
        pending.keySet().stream().toList().forEach(this::emit);
    }

    private void line(Line line) {
        Matcher labels = label.matcher(line.text());
        int rank = LAUNCHER;
        int start = 0;
        while (labels.find()) {
            if (labels.start() > start) {
                append(rank, line.text().substring(start, labels.start()));
            }
            rank = Integer.parseInt(labels.group(1));
            start = labels.end();
        }
        append(rank, line.text().substring(start));
        if (line.complete()) {
            emit(rank);
        }
    }

    private void append(int rank, String text) {
        pending.computeIfAbsent(rank, key -> new StringBuilder()).append(text);
    }

    private void emit(int rank) {
        StringBuilder text = pending.remove(rank);
        if (text != null) {
            consumer.accept(new OutputLine(
                    stream, rank == LAUNCHER ? OptionalInt.empty() : OptionalInt.of(rank), text.toString()));
        }
    }
}
