package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Creates and destroys a cluster many times in one process: 3 by default, 50 with {@code -Dclusterwright.soak=true}. */
@Tag("breadth")
@Isolated("It counts the threads, files and memory of this JVM.")
class CyclesTest {
    private static final int CYCLES = Boolean.getBoolean("clusterwright.soak") ? 50 : 3;
    /** Threads that end by themselves shortly after their work. */
    private static final int ENDING = 2;

    private static final long MOST_HEAP_GROWTH = 4L << 20;

    @TempDir
    private Path folder;

    @Test
    @Timeout(600)
    void cyclesOfCreateAndDestroyDoNotGrow() throws Exception {
        // The first cycle loads classes, and starts threads that stay.
        cycle();
        Figures first = Figures.now(folder);
        System.out.println("cycle 1: " + first);
        for (int i = 1; i < CYCLES; i++) {
            cycle();
            if (i % 10 == 0) {
                System.out.println("cycle " + (i + 1) + ": " + Figures.now(folder));
            }
        }
        Figures last = Figures.now(folder);
        System.out.println("cycle " + CYCLES + ": " + last);

        assertThat(last.threads).isLessThanOrEqualTo(first.threads + ENDING);
        assertThat(last.files).isLessThanOrEqualTo(first.files);
        assertThat(last.mounts).isZero();
        assertThat(last.links).isZero();
        assertThat(last.heap - first.heap).isLessThan(MOST_HEAP_GROWTH);
    }

    private void cycle() {
        ClusterSpec spec = ClusterSpec.builder("lm-cycles")
                .nodes(nodes -> nodes.count(2))
                .network(network -> network.addressSpace("10.70.0.0/16"))
                .image(image -> image.capture(false))
                .build();
        try (ClusterManager manager = ClusterManager.builder(LocalMachines.builder()
                        .runFolder(folder.resolve("run"))
                        .storeFolder(folder.resolve("store"))
                        .build())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build()) {
            try (Cluster cluster = manager.create(manager.plan(spec))) {
                assertThat(cluster.run(Command.of("hostname")).successes()).hasSize(2);
            } finally {
                assertThat(manager.destroy(spec.name()).left()).isEmpty();
            }
        }
    }

    /** What this process and this machine hold. */
    private record Figures(int threads, long files, long mounts, long links, long heap) {
        static Figures now(Path folder) throws IOException {
            return new Figures(
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    openFiles(),
                    Mounts.under(folder).size(),
                    KernelRoutes.links().stream()
                            .filter(link -> link.alias().contains(":lm-cycles:"))
                            .count(),
                    heapInUse());
        }

        /** The smallest of several, as what is no longer used goes bit by bit. */
        private static long heapInUse() {
            long[] used = new long[5];
            for (int i = 0; i < used.length; i++) {
                System.gc();
                used[i] =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            }
            return Arrays.stream(used).min().orElseThrow();
        }

        private static long openFiles() throws IOException {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return open.count();
            }
        }

        @Override
        public String toString() {
            return threads + " threads, " + files + " open files, " + mounts + " mounts, " + links + " interfaces, "
                    + (heap >> 10) + " KiB of heap";
        }
    }
}
