package io.clusterwright.examples.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Works that are measured in turn, so that whatever else the machine does slows all of them. The first round is not counted. */
final class Rounds {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int most;
    private final Duration limit;
    private final List<Entry> entries = new ArrayList<>();

    Rounds(int most, Duration limit) {
        this.most = most;
        this.limit = limit;
    }

    /** Something that is timed; returns the value when it knows better than the clock around it. */
    interface Work {
        OptionalDouble run() throws IOException, InterruptedException;
    }

    /** Something that is timed, in milliseconds. */
    interface Timed {
        void run() throws IOException, InterruptedException;
    }

    private record Entry(Series series, Work work, int every) {}

    Series add(String name, Timed work) {
        return add(name, () -> {
            work.run();
            return OptionalDouble.empty();
        });
    }

    Series add(String name, Work work) {
        return add(name, 1, work);
    }

    /** Long work: measured in one of this number of rounds only. */
    Series add(String name, int every, Work work) {
        Series series = Series.of(name, "ms");
        entries.add(new Entry(series, work, every));
        return series;
    }

    /** Measures all; prints how far it is about every minute. */
    void measure() throws IOException, InterruptedException {
        long printed = System.nanoTime();
        long end = printed + limit.toNanos();
        for (int round = 0; round <= most; round++) {
            if (round > 1 && System.nanoTime() - end > 0) {
                System.out.printf("  %d of %d rounds: the time is over%n", round - 1, most);
                return;
            }
            if (round > 1 && System.nanoTime() - printed > MINUTE) {
                System.out.printf("  %d of %d rounds%n", round - 1, most);
                printed = System.nanoTime();
            }
            for (Entry entry : entries) {
                if (round > 0 && (round - 1) % entry.every != 0) {
                    continue;
                }
                long start = System.nanoTime();
                OptionalDouble own = entry.work.run();
                double whole = (System.nanoTime() - start) / 1e6;
                if (round > 0) {
                    entry.series.add(own.orElse(whole));
                }
            }
        }
    }
}
