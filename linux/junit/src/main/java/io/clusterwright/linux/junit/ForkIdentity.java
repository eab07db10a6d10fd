package io.clusterwright.linux.junit;

import io.clusterwright.core.type.ClusterName;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that only this process uses and addresses that others seldom use, for clusters of tests that run at the same time.
 *
 * @param pid the number of the process
 * @param startedMillis when it was started, in milliseconds since 1970
 */
record ForkIdentity(long pid, long startedMillis) {
    private static final Pattern NAME = Pattern.compile("junit-([0-9]+)-([0-9a-z]+)-[0-9]+");
    private static final int RADIX = 36;

    /** The JVM computes a start from the time of boot, which moves when the clock is set. */
    private static final long CLOCK_STEP_MILLIS = 60_000;

    /** Test clusters have /24 networks in 10.128.0.0/10, of which there are 2^14. */
    private static final int FIRST_BLOCK = 128;

    private static final int NETWORK_BITS = 14;
    private static final int NETWORKS_OF_BLOCK = 256;

    /** 2^64 over the golden ratio: products with neighbouring numbers differ in their highest bits. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final AtomicInteger SPACES = new AtomicInteger();

    static ForkIdentity current() {
        ProcessHandle self = ProcessHandle.current();
        return new ForkIdentity(self.pid(), started(self));
    }

    ClusterName nextName() {
        return ClusterName.of(
                "junit-" + pid + "-" + Long.toString(startedMillis, RADIX) + "-" + NAMES.incrementAndGet());
    }

    /** A network after the last one; processes begin at different places, but may meet. */
    String nextAddressSpace() {
        long first = pid * SPREAD >>> Long.SIZE - NETWORK_BITS;
        long network = (first + SPACES.getAndIncrement()) % (1 << NETWORK_BITS);
        return "10." + (FIRST_BLOCK + network / NETWORKS_OF_BLOCK) + "." + network % NETWORKS_OF_BLOCK + ".0/24";
    }

    /** Whether this is the name of a test cluster whose process has ended. */
    static boolean isAbandoned(ClusterName cluster) {
        Matcher name = NAME.matcher(cluster.value());
        if (!name.matches()) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(name.group(1)));
        return process.filter(ProcessHandle::isAlive)
                .filter(alive -> Math.abs(started(alive) - Long.parseLong(name.group(2), RADIX)) < CLOCK_STEP_MILLIS)
                .isEmpty();
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
