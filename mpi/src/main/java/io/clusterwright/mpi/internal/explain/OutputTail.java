package io.clusterwright.mpi.internal.explain;

import io.clusterwright.mpi.job.OutputLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last 200 lines of an output, each cut after 2,000 characters. Not safe for several threads. */
final class OutputTail {
    private static final int LINES = 200;
    private static final int LENGTH = 2000;

    private final Deque<OutputLine> kept = new ArrayDeque<>();

    void keep(OutputLine line) {
        String text = line.text();
        kept.addLast(
                text.length() <= LENGTH
                        ? line
                        : new OutputLine(line.stream(), line.rank(), text.substring(0, LENGTH) + "..."));
        if (kept.size() > LINES) {
            kept.removeFirst();
        }
    }

    List<OutputLine> lines() {
        return List.copyOf(kept);
    }
}
