package io.clusterwright.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.concurrent.WaitTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters that come and go in one process: 10 by default. With {@code -Dclusterwright.soak=true} 200, after 500 that fill what the emulator
 * remembers: its last requests and the operations of the last hour.
 */
@Tag("breadth")
class CycleTest {
    private static final boolean SOAK = Boolean.getBoolean("clusterwright.soak");
    private static final int WARM_UP = SOAK ? 500 : 3;
    private static final int HALF = SOAK ? 100 : 5;
    /** Pools end their idle threads after some seconds, and connections are kept for as long. */
    private static final int IDLE = 40;

    private static final int COLLECTIONS = 5;

    /** The HTTP client keeps the time limit of each request for a minute. */
    private static final long NOISE_KILOBYTES = SOAK ? 1024 : 4096;

    @TempDir
    private Path folder;

    private record Figures(int threads, long files, long kilobytes) {
        static Figures now() throws IOException {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return new Figures(ManagementFactory.getThreadMXBean().getThreadCount(), open.count(), liveKilobytes());
            }
        }

        /** The serial collector leaves gaps that count as used, and closes all of them at each fourth collection only. */
        private static long liveKilobytes() {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
                least = Math.min(
                        least,
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
            return least / 1024;
        }

        void requireNoGrowthTo(Figures later) {
            assertThat(later.threads()).isLessThan(threads + IDLE);
            assertThat(later.files()).isLessThan(files + IDLE);
            assertThat(later.kilobytes()).isLessThan(kilobytes + NOISE_KILOBYTES);
        }
    }

    @BeforeEach
    void jump() {
        WaitTime.use(new JumpingTime());
    }

    @AfterEach
    void stay() {
        WaitTime.useReal();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void createAndDestroyLeaveNoThreadsFilesOrMemory() throws IOException {
        try (World world = new World(folder)) {
            Figures before = after(WARM_UP, world);
            Figures half = after(HALF, world);
            Figures all = after(HALF, world);

            before.requireNoGrowthTo(half);
            half.requireNoGrowthTo(all);
            before.requireNoGrowthTo(all);
            assertThat(world.resources()).isEmpty();
            assertThat(world.files()).isEmpty();
        }
    }

    private static Figures after(int cycles, World world) throws IOException {
        for (int i = 0; i < cycles; i++) {
            world.as(new SimulatedProcess(world, List.of()), manager -> {
                CrashedOperation.CREATE.run(manager);
                CrashedOperation.DESTROY.run(manager);
            });
            world.heal();
        }
        Figures figures = Figures.now();
        System.out.println("after " + cycles + " cycles: " + figures);
        return figures;
    }
}
