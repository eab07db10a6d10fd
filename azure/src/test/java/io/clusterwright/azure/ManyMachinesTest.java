package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The nodes of the HBv4 example with Azure's durations and request limits, in the emulator's time. */
@Tag("breadth")
@Isolated("It looks at all threads of this JVM.")
class ManyMachinesTest extends ScaleSetFixture {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration QUIET = Duration.ofMillis(40);

    private final AtomicLong asked = new AtomicLong();

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"SCALE_SET", "AVAILABILITY_SET"})
    void aHundredMachinesTakeLittleLongerThanOne(Placement.Kind kind) {
        Duration one = timeFor(kind, 1);
        Duration hundred = timeFor(kind, 100);

        assertThat(one).isBetween(Duration.ofSeconds(150), Duration.ofMinutes(6));
        assertThat(hundred.toMillis() / (double) one.toMillis())
                .as("%s for 100 machines, %s for one", hundred, one)
                .isLessThanOrEqualTo(1.2);
    }

    private Duration timeFor(Placement.Kind kind, int nodes) {
        ClusterSpec spec = example(kind, nodes);
        try (ArmEmulator emulator = ArmEmulator.builder()
                .realistic()
                .standingTime()
                .unreliable(0, 0)
                .carriesOut(request -> {
                    asked.set(System.nanoTime());
                    return true;
                })
                .coresPerFamily(20_000)
                .regionalCores(20_000)
                .start()) {
            AzureProvider azure = impatient(emulator, backend, together(emulator));
            Duration before = emulator.elapsed();
            azure.createNetwork(spec, log);
            createHead(azure, spec);
            assertThat(made(create(azure, spec, spec.nodes().names()))).hasSize(nodes);
            return emulator.elapsed().minus(before);
        }
    }

    /** The emulator's time. When all clients wait, it leaps to where the first of them goes on, and to the end of that second. */
    private WaitTime.Source together(ArmEmulator emulator) {
        return new WaitTime.Source() {
            private final PriorityQueue<Long> ends = new PriorityQueue<>();
            private final Set<String> sleepers = new HashSet<>();

            @Override
            public long nanos() {
                return emulator.elapsed().toNanos();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                long end = nanos() + time.toNanos();
                String self = thisThread();
                synchronized (ends) {
                    ends.add(end);
                    sleepers.add(self);
                }
                try {
                    while (nanos() < end) {
                        Thread.sleep(5);
                        leap();
                    }
                } finally {
                    synchronized (ends) {
                        ends.remove(end);
                        sleepers.remove(self);
                    }
                }
            }

            private void leap() {
                synchronized (ends) {
                    long now = nanos();
                    long first = Objects.requireNonNull(ends.peek());
                    if (now < first && System.nanoTime() - asked.get() > QUIET.toNanos()) {
                        if (!othersWork(sleepers)) {
                            emulator.advance(Duration.ofNanos((first / SECOND + 1) * SECOND - now));
                        }
                        asked.set(System.nanoTime());
                    }
                }
            }
        };
    }

    private static String thisThread() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether another thread of this process runs or waits for a core: on busy cores a client whose answer has come may be quiet for long before
     * it reads that. The kernel knows it; for the JVM such a thread still waits. Looks twice, as work may go to a thread already looked at.
     */
    private static boolean othersWork(Set<String> sleepers) {
        return IntStream.range(0, 2).anyMatch(look -> anyWorks(sleepers));
    }

    private static boolean anyWorks(Set<String> sleepers) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(
                            thread -> !sleepers.contains(thread.getFileName().toString()))
                    .anyMatch(ManyMachinesTest::works);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean works(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return "RD".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            // The thread has ended.
            return false;
        }
    }
}
