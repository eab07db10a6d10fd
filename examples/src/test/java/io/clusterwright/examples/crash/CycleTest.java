package io.clusterwright.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.concurrent.WaitTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that come and go in one process: 5 by default, 200 with {@code -Dclusterwright.soak=true}. */
class CycleTest {
    private static final int CYCLES = Boolean.getBoolean("clusterwright.soak") ? 200 : 5;
    private static final int WARM_UP = 3;
    /** Pools end their idle threads after some seconds, and connections are kept for as long. */
    private static final int IDLE = 40;

    private static final long KILOBYTES_PER_CYCLE = 64;

    @TempDir
    private Path folder;

    private record Figures(int threads, long files, long kilobytes) {
        static Figures now() throws IOException {
            System.gc();
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return new Figures(
                        ManagementFactory.getThreadMXBean().getThreadCount(),
                        open.count(),
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024);
            }
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
            cycles(world, WARM_UP);
            Figures before = Figures.now();

            cycles(world, CYCLES);

            Figures after = Figures.now();
            System.out.println(CYCLES + " cycles: " + before + " before, " + after + " after");
            assertThat(world.resources()).isEmpty();
            assertThat(world.files()).isEmpty();
            assertThat(after.threads()).isLessThan(before.threads() + IDLE);
            assertThat(after.files()).isLessThan(before.files() + IDLE);
            assertThat(after.kilobytes()).isLessThan(before.kilobytes() + 8192 + CYCLES * KILOBYTES_PER_CYCLE);
        }
    }

    private static void cycles(World world, int count) {
        for (int i = 0; i < count; i++) {
            world.as(new SimulatedProcess(world, Trouble.NONE, -1), manager -> {
                CrashedOperation.CREATE.run(manager);
                CrashedOperation.DESTROY.run(manager);
            });
        }
    }
}
