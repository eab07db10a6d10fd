package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider against the emulated Azure, which checks names, references, quotas and orders as Azure does. */
@Tag("breadth")
class EmulatedAzureTest {
    @TempDir
    private Path folder;

    private static AzureProvider connect(TestAzure server) {
        return AzureFixture.open(AzureFixture.real(server).bootDiagnostics(true).build());
    }

    /** From now, by the clock of an emulator that was never advanced. */
    private static Duration untilJustBefore(LocalTime time) {
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        OffsetDateTime today = now.with(time);
        return Duration.between(now, today.isBefore(now) ? today.plusDays(1) : today)
                .minusMillis(500);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void runsTheWholeLifeOfACluster(int nodes) {
        ClusterSpec spec = AzureFixture.spec(nodes);
        AzureFixture.Log log = new AzureFixture.Log();
        try (TestAzure server = new TestAzure();
                AzureProvider azure = connect(server)) {
            Inspection inspection = azure.inspect(spec);
            assertThat(inspection.findings()).noneMatch(finding -> finding.severity() == Severity.ERROR);
            assertThat(inspection.notChecked()).isEmpty();

            azure.createNetwork(spec, log);
            Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
            assertThat(outcomes.values()).hasSize(nodes).allMatch(MachineOutcome.Made.class::isInstance);
            assertThat(server.writes()).isEqualTo(4 + 2L * nodes);

            Machine first = ((MachineOutcome.Made) outcomes.get(new NodeName("cluster11"))).machine();
            azure.capture(AzureFixture.ID, first, "image-0123", "", 1);
            assertThat(azure.images()).extracting(StoredImage::name).containsExactly("image-0123");

            List<ResourceId> reversed = new ArrayList<>(log.announced);
            Collections.reverse(reversed);
            reversed.forEach(resource -> azure.delete(AzureFixture.ID, resource));
            assertThat(azure.remaining(AzureFixture.ID)).isEmpty();
        }
    }

    @Test
    void runsTheWholeLifeOfAClusterOfRealNodes() {
        ClusterSpec spec = AzureFixture.builder(2)
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .timeToLive(Duration.ofSeconds(1))
                .build();
        LocalMachines local = AzureFixture.local(folder);
        Set<String> stopped = ConcurrentHashMap.newKeySet();
        MachineHost host = (MachineHost) Proxy.newProxyInstance(
                MachineHost.class.getClassLoader(), new Class<?>[] {MachineHost.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(local.host(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("stop")) {
                            stopped.add(arguments[1].toString());
                        }
                    }
                });
        try (TestAzure server = new TestAzure(emulator -> emulator.machinesBackedBy(host));
                ClusterManager manager = AzureFixture.manager(ProviderMachines.of(connect(server)), folder)) {
            var plan = manager.plan(spec);
            assertThat(plan.findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .extracting(Finding::toString)
                    .isEmpty();
            try (Cluster cluster = manager.create(plan)) {
                assertThat(cluster.run(Command.of("hostname")).successes())
                        .extracting(outcome -> outcome.node().value())
                        .containsExactlyInAnyOrder("cluster11", "cluster12");
            }
            NodeName node = NodeName.of("cluster12");
            assertThat(manager.describe(spec.name(), List.of(node), 5).nodes())
                    .filteredOn(described -> described.node().name().equals(node))
                    .singleElement()
                    .satisfies(described -> assertThat(described.logs().get("console"))
                            .isNotBlank()
                            .doesNotContain("not kept", "not read"));
            assertThat(manager.images()).hasSize(1);
            assertThat(manager.plan(spec).steps())
                    .extracting(PlanStep::description)
                    .anyMatch(step -> step.endsWith("again: the recipe is unchanged"));
            String time = server.resource("/providers/Microsoft.DevTestLab/schedules/shutdown-computevm-cluster12")
                    .at("/properties/dailyRecurrence/time")
                    .asText();
            stopped.clear();
            server.forgetRequests();
            server.advance(untilJustBefore(LocalTime.parse(time, DateTimeFormatter.ofPattern("HHmm"))));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(stopped).contains("cluster11", "cluster12"));
            assertThat(server.requests()).isEmpty();
            try (ClusterManager back = AzureFixture.manager(ProviderMachines.of(connect(server)), folder)) {
                await().untilAsserted(() ->
                        assertThat(back.states(spec.name()).values()).containsOnly(MachineState.STOPPED));
                assertThat(server.requests()).noneMatch(request -> request.endsWith("/deallocate"));
                assertThat(back.list())
                        .filteredOn(cluster -> cluster.expires().orElseThrow().isBefore(Instant.now()))
                        .extracting(
                                cluster -> back.destroy(cluster.name()).left().size())
                        .containsExactly(0);
                assertThat(back.pruneImages()).hasSize(1);
            }
            assertThat(server.ids()).allMatch(id -> id.contains("clusterwright-images"));
        } finally {
            local.open().remaining(AzureFixture.ID).forEach(left -> local.open().delete(AzureFixture.ID, left));
        }
    }
}
