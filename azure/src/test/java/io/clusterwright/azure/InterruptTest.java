package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class InterruptTest {

    @Test
    void anInterruptReportsEachMachineAndKeepsTheRecord() throws Exception {
        try (TestAzure server = new TestAzure(emulator -> emulator.realistic()
                        .coresPerFamily(1000)
                        .regionalCores(1000)
                        .throttling(false)
                        .retryAfter(Duration.ZERO));
                AzureProvider azure = AzureFixture.machines(server)) {
            ClusterSpec spec = AzureFixture.spec(4);
            AzureFixture.Log log = new AzureFixture.Log();
            azure.createNetwork(spec, log);
            server.forgetRequests();
            List<MachineOutcome> outcomes = new CopyOnWriteArrayList<>();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    azure.createMachines(spec, AzureFixture.requests(spec), log, outcomes::add);
                } catch (OperationInterruptedException e) {
                    thrown.set(e);
                }
                flag.set(Thread.currentThread().isInterrupted());
            });
            thread.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> server.requests().stream()
                                    .filter(request -> request.contains("/locations/westeurope/operations/"))
                                    .count()
                            > 8);

            thread.interrupt();
            thread.join(20_000);

            assertThat(thread.isAlive()).isFalse();
            assertThat(flag.get()).isTrue();
            assertThat(thrown.get()).isInstanceOf(OperationInterruptedException.class);
            assertThat(outcomes).hasSize(4).allMatch(MachineOutcome.Failed.class::isInstance);
            assertThat(log.announced.stream()
                            .filter(resource -> resource.kind().equals("machine"))
                            .count())
                    .isEqualTo(4);
        }
    }

    @Test
    void anOperationIsPolledNoSoonerThanAzureAsks() throws Exception {
        try (TestAzure server = new TestAzure(emulator -> emulator.realistic()
                        .coresPerFamily(1000)
                        .regionalCores(1000)
                        .retryAfter(Duration.ofSeconds(1)));
                AzureProvider azure = AzureFixture.machines(server)) {
            ClusterSpec spec = AzureFixture.spec(1);
            AzureFixture.Log log = new AzureFixture.Log();
            Thread thread = new Thread(() -> azure.createNetwork(spec, log));
            thread.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> server.polls().values().stream().anyMatch(times -> times.size() > 2));
            server.advance(Duration.ofHours(1));
            thread.join(20_000);

            assertThat(thread.isAlive()).isFalse();
            assertThat(server.polls()).isNotEmpty().allSatisfy((operation, times) -> {
                for (int i = 1; i < times.size(); i++) {
                    assertThat(times.get(i).minus(times.get(i - 1))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
                }
            });
        }
    }
}
