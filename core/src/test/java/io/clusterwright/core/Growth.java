package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * Counts work in bytes that threads allocate: a copy or a text for each node shows in them, and other work on the machine does not. A search
 * that allocates nothing does not show.
 */
final class Growth {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final int MOST = 10_000;
    /** Room for longer numbers in names and for the steps in which collections grow. */
    private static final double ROOM = 1.2;

    private final long caller = Thread.currentThread().getId();
    private final long before = THREADS.getThreadAllocatedBytes(caller);
    private final Map<Long, Long> others = new ConcurrentHashMap<>();

    private Growth() {}

    /** Begins to count the bytes of this thread. */
    static Growth start() {
        return new Growth();
    }

    /** Counts what this thread, which the work began, has allocated so far; a thread tells at the end of each piece of its work. */
    void tell() {
        long id = Thread.currentThread().getId();
        if (id != caller) {
            others.put(id, THREADS.getThreadAllocatedBytes(id));
        }
    }

    /** The bytes so far. */
    long bytes() {
        long own = THREADS.getThreadAllocatedBytes(caller) - before;
        return own + others.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Does work on 10, 1,000 and 10,000 nodes; refuses figures of which the last is more than each further node of the others took. */
    static void requireLinear(IntFunction<Map<String, Long>> work) {
        // Classes load and their constants are made.
        List.of(FEW, MANY).forEach(nodes -> assertThat(work.apply(nodes)).isNotEmpty());
        Map<String, Long> few = work.apply(FEW);
        Map<String, Long> many = work.apply(MANY);
        Map<String, Long> most = work.apply(MOST);
        assertThat(most).allSatisfy((what, bytes) -> {
            double ofNode = (double) (many.get(what) - few.get(what)) / (MANY - FEW);
            double linear = few.get(what) + Math.max(0, ofNode) * (MOST - FEW);
            assertThat(bytes / linear)
                    .as(
                            "%s: %,d for %,d nodes, %,d for %,d and %,d for %,d",
                            what, few.get(what), FEW, many.get(what), MANY, bytes, MOST)
                    .isLessThan(ROOM);
        });
    }
}
