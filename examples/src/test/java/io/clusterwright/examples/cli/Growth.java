package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Counts the work of steps in bytes that this thread allocates: a copy or a text for each node shows in them, and other work on the machine
 * does not. A search that allocates nothing does not show.
 */
final class Growth {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final int MOST = 10_000;
    /** Room for longer numbers in names and for the steps in which collections grow. */
    private static final double ROOM = 1.2;

    private final Map<String, Long> bytes = new LinkedHashMap<>();

    /** Does a step, and counts its bytes. */
    Growth step(String what, Runnable work) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        work.run();
        bytes.put(what, THREADS.getThreadAllocatedBytes(thread) - before);
        return this;
    }

    /** Does work on 10, 1,000 and 10,000 nodes; refuses steps of which the last takes more than each further node of the others took. */
    static void requireLinear(IntFunction<Growth> work) {
        // Classes load and their constants are made.
        List.of(FEW, MANY).forEach(nodes -> assertThat(work.apply(nodes).bytes).isNotEmpty());
        Map<String, Long> few = work.apply(FEW).bytes;
        Map<String, Long> many = work.apply(MANY).bytes;
        Map<String, Long> most = work.apply(MOST).bytes;
        assertThat(most).allSatisfy((what, all) -> {
            double ofNode = (double) (many.get(what) - few.get(what)) / (MANY - FEW);
            double linear = few.get(what) + Math.max(0, ofNode) * (MOST - FEW);
            assertThat(all / linear)
                    .as(
                            "%s: %,d bytes for %,d nodes, %,d for %,d and %,d for %,d",
                            what, few.get(what), FEW, many.get(what), MANY, all, MOST)
                    .isLessThan(ROOM);
        });
    }
}
