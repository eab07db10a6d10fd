package io.clusterwright.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventEmitterTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    @Test
    void eventsComeInOrderAndAllAreThereAtTheEnd() {
        List<String> lines = new ArrayList<>();
        try (EventEmitter events = new EventEmitter(event -> lines.add(line(event)), Clock.systemUTC(), LONG)) {
            IntStream.range(0, 500).forEach(i -> events.progress(Step.NODES, String.valueOf(i)));
        }
        assertThat(lines)
                .containsExactlyElementsOf(
                        IntStream.range(0, 500).mapToObj(String::valueOf).toList());
    }

    @Test
    void severalThreadsReportWhileTheListenerWaitsForThem() throws InterruptedException {
        CountDownLatch reported = new CountDownLatch(4);
        List<String> lines = new ArrayList<>();
        try (EventEmitter events = new EventEmitter(
                event -> {
                    Tasks.interruptibly("interrupted", reported::await);
                    lines.add(line(event));
                },
                Clock.systemUTC(),
                LONG)) {
            Tasks.forEach("reports", 4, List.of("a", "b", "c", "d"), text -> {
                events.progress(Step.NODES, text);
                reported.countDown();
            });
        }
        assertThat(lines).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void theEndWaitsForAListenerForAWhileOnlyAndKeepsInterrupts() {
        CompletableFuture<Void> release = new CompletableFuture<>();
        CountDownLatch second = new CountDownLatch(2);
        EventEmitter events = new EventEmitter(
                event -> {
                    release.join();
                    second.countDown();
                },
                Clock.systemUTC(),
                Duration.ofMillis(50));
        events.progress(Step.NODES, "a");
        events.progress(Step.NODES, "b");
        Thread.currentThread().interrupt();

        events.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(second.getCount()).isEqualTo(2);
        release.complete(null);
        Tasks.interruptibly("interrupted", second::await);
    }

    @Test
    void theTimeOfAStepIsTheTimeThatItRanWhereTheClockJumps() {
        AtomicInteger asked = new AtomicInteger();
        InstantSource jumping = () -> Instant.EPOCH.minus(Duration.ofHours(asked.incrementAndGet()));
        List<Duration> took = new ArrayList<>();
        NodeName node = NodeName.of("a1");
        try (EventEmitter events = new EventEmitter(
                event -> {
                    if (event instanceof ClusterEvent.StepFinished step) {
                        took.add(step.took());
                    } else if (event instanceof ClusterEvent.NodeChanged changed) {
                        took.add(changed.sinceStart());
                    }
                },
                jumping.withZone(ZoneOffset.UTC),
                LONG)) {
            events.step(Step.NODES, "boot", () -> events.node(node, NodePhase.CREATING, ""));
            events.node(node, NodePhase.READY, "");
        }
        assertThat(took).hasSize(3).allMatch(time -> !time.isNegative() && time.compareTo(LONG) < 0);
    }

    private static String line(ClusterEvent event) {
        return ((ClusterEvent.StepProgress) event).line();
    }
}
