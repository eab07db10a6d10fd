package io.clusterwright.core.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class TasksTest {
    private static final Duration SHORT = Duration.ofSeconds(3);

    @Test
    void reportsItemsThatDoNotEndInTimeAndInterruptsThem() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);

        List<String> results = Tasks.each(
                "items",
                2,
                SHORT,
                List.of("quick", "slow", "never begun"),
                item -> item.equals("quick") ? item : slow(interrupted),
                (item, cause) -> item + ": " + (cause instanceof TimeoutException));

        assertThat(results).containsExactly("quick", "slow: true", "never begun: true");
        interrupted.await();
    }

    private static String slow(CountDownLatch interrupted) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
        return "slow";
    }
}
