package io.clusterwright.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * Counts the work of steps in bytes that their threads allocate: a copy or a text for each node shows in them, and other work on the machine does
 * not. A search that allocates nothing does not show.
 */
public final class Growth {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final int MOST = 10_000;
    /** Room for longer numbers in names and for the steps in which collections grow. */
    private static final double ROOM = 1.2;

    private final long caller = Thread.currentThread().getId();
    private final Map<Long, Long> others = new ConcurrentHashMap<>();
    private final Map<String, Long> figures = new LinkedHashMap<>();

    /** Begins to count on this thread, and on those that {@link #tell()}. */
    public Growth() {}

    /** Does a step, and counts its bytes. */
    public Growth step(String what, Runnable work) {
        others.clear();
        long before = THREADS.getThreadAllocatedBytes(caller);
        work.run();
        long own = THREADS.getThreadAllocatedBytes(caller) - before;
        return figure(
                what, own + others.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Counts what this thread, which a step began, has allocated so far; a thread calls it at the end of each piece of its work. */
    public void tell() {
        long id = Thread.currentThread().getId();
        if (id != caller) {
            others.put(id, THREADS.getThreadAllocatedBytes(id));
        }
    }

    /** Adds a figure that something else has counted. */
    public Growth figure(String what, long figure) {
        figures.put(what, figure);
        return this;
    }

    /** The figure of a step. */
    public long of(String what) {
        return figures.get(what);
    }

    /** Does work on 10, 1,000 and 10,000 nodes; refuses figures of which the last is more than each further node of the others took. */
    public static void requireLinear(IntFunction<Growth> work) {
        // Classes load and their constants are made.
        List.of(FEW, MANY).forEach(nodes -> assertThat(work.apply(nodes).figures).isNotEmpty());
        Map<String, Long> few = work.apply(FEW).figures;
        Map<String, Long> many = work.apply(MANY).figures;
        Map<String, Long> most = work.apply(MOST).figures;
        assertThat(most).allSatisfy((what, figure) -> {
            double ofNode = (double) (many.get(what) - few.get(what)) / (MANY - FEW);
            double linear = few.get(what) + Math.max(0, ofNode) * (MOST - FEW);
            assertThat(figure / linear)
                    .as(
                            "%s: %,d for %,d nodes, %,d for %,d and %,d for %,d",
                            what, few.get(what), FEW, many.get(what), MANY, figure, MOST)
                    .isLessThan(ROOM);
        });
    }
}
