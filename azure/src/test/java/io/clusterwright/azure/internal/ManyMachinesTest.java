package io.clusterwright.azure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The nodes of the HBv4 example with Azure's durations and request limits, in the emulator's time. */
class ManyMachinesTest extends ScaleSetFixture {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration QUIET = Duration.ofMillis(40);

    private final AtomicLong asked = new AtomicLong();

    @AfterEach
    void useRealTime() {
        WaitTime.useReal();
    }

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
            WaitTime.use(together(emulator));
            AzureProvider azure = impatient(emulator, backend);
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

            @Override
            public long nanos() {
                return emulator.elapsed().toNanos();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                long end = nanos() + time.toNanos();
                synchronized (ends) {
                    ends.add(end);
                }
                while (nanos() < end) {
                    Thread.sleep(5);
                    leap();
                }
                synchronized (ends) {
                    ends.remove(end);
                }
            }

            private void leap() {
                synchronized (ends) {
                    long now = nanos();
                    long first = Objects.requireNonNull(ends.peek());
                    if (now < first && System.nanoTime() - asked.get() > QUIET.toNanos()) {
                        if (!isComputing()) {
                            emulator.advance(Duration.ofNanos((first / SECOND + 1) * SECOND - now));
                        }
                        asked.set(System.nanoTime());
                    }
                }
            }
        };
    }

    /** Whether another thread has work to do, and not only a socket to read: on busy cores a client may be quiet for long before it asks. */
    private static boolean isComputing() {
        ThreadInfo[] threads = ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, 1);
        return Stream.of(threads)
                .filter(thread -> thread.getThreadId() != Thread.currentThread().getId())
                .filter(thread -> thread.getThreadState() == Thread.State.RUNNABLE)
                .map(ThreadInfo::getStackTrace)
                .anyMatch(calls -> calls.length > 0 && !calls[0].isNativeMethod());
    }
}
