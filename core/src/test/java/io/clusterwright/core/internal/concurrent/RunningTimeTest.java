package io.clusterwright.core.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunningTimeTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final RunningTime time = new RunningTime(clock::get);

    private Duration after(Duration passed) {
        long before = time.nanos();
        clock.addAndGet(passed.toNanos());
        return Duration.ofNanos(time.nanos() - before);
    }

    @Test
    void countsTheTimeOfTheMachine() {
        assertThat(after(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(10));
        assertThat(after(Duration.ofMillis(1900))).isEqualTo(Duration.ofMillis(1900));
    }

    @Test
    void countsAtMostTwoSecondsOfATimeInWhichTheProcessStoodStill() {
        time.nanos();

        assertThat(after(Duration.ofMinutes(10))).isLessThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(after(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void aSleepEndsWhenTheProcessHasRunThatLong() throws Exception {
        RunningTime slow =
                new RunningTime(() -> clock.addAndGet(Duration.ofMillis(1).toNanos()));
        long before = slow.nanos();

        slow.sleep(Duration.ofMillis(8));

        assertThat(Duration.ofNanos(slow.nanos() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(8));
    }

    @Test
    void aWaitEndsWhenItIsDoneOrItsTimeHasPassed() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        Threads.start("completes", () -> done.completeOnTimeout("done", 1200, TimeUnit.MILLISECONDS));

        assertThat(WaitTime.get(done, Duration.ofDays(100_000))).isEqualTo("done");
        assertThat(WaitTime.await(Duration.ofMillis(20), nanos -> {
                    TimeUnit.NANOSECONDS.sleep(nanos);
                    return false;
                }))
                .isFalse();
    }
}
