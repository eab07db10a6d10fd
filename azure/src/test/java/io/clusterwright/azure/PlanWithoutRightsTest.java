package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.ProviderMachines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Accounts with few rights, and endpoints that offer little. */
class PlanWithoutRightsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Fault.Kind.class,
            names = {"AUTHORIZATION_FAILED", "NOT_OFFERED"})
    void eachReadOfAPlanThatIsRefusedIsNotChecked(Fault.Kind kind) {
        for (String path : reads()) {
            try (TestAzure server = new TestAzure(emulator -> emulator.coresPerFamily(960));
                    ClusterManager manager = manager(server)) {
                server.faults(Fault.of(kind, "GET", path).always());

                Plan plan = manager.plan(AzureFixture.spec(2));

                String expected = kind == Fault.Kind.AUTHORIZATION_FAILED
                        ? "; this needs the right Microsoft."
                        : ", because this endpoint does not tell it: ";
                assertThat(plan.notChecked())
                        .as(path)
                        .anyMatch(line -> line.contains(kind.code())
                                && (line.contains(expected)
                                        || line.startsWith("names: ")
                                        || line.startsWith("images: ")));
                assertThat(plan.isFeasible()).as(path + ": " + plan.findings()).isTrue();
            }
        }
    }

    @Test
    void anAccountWithoutRightsOnTheSubscriptionMakesNodesInItsGroup() {
        try (TestAzure server = new TestAzure();
                AzureProvider azure = AzureFixture.machines(server)) {
            for (String facts : List.of("**/skus", "**/usages", "**/publishers/**", "**/providers/Microsoft.*")) {
                server.faults(
                        Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "GET", facts).always());
            }
            ClusterSpec spec = AzureFixture.spec(2);
            AzureFixture.Log log = new AzureFixture.Log();

            azure.createNetwork(spec, log);

            assertThat(AzureFixture.create(azure, spec, log).values())
                    .hasSize(2)
                    .allMatch(MachineOutcome.Made.class::isInstance);
        }
    }

    @Test
    void aWriteWithoutARightNamesTheRight() {
        try (TestAzure server = new TestAzure();
                AzureProvider azure = AzureFixture.machines(server)) {
            server.faults(Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "PUT", "**/virtualNetworks/*")
                    .always());

            assertThatThrownBy(() -> azure.createNetwork(AzureFixture.spec(2), new AzureFixture.Log()))
                    .isInstanceOf(AzureException.class)
                    .hasMessageContaining(
                            "; this needs the right Microsoft.Network/virtualNetworks/write; request a role");
        }
    }

    private List<String> reads() {
        try (TestAzure server = new TestAzure(emulator -> emulator.coresPerFamily(960));
                ClusterManager manager = manager(server)) {
            assertThat(manager.plan(AzureFixture.spec(2)).notChecked()).hasSize(1);
            return server.requests().stream()
                    .map(request -> request.replace(server.subscription(), "*"))
                    .map(request -> request.substring(request.indexOf(' ') + 1))
                    .distinct()
                    .toList();
        }
    }

    private ClusterManager manager(TestAzure server) {
        AzureProvider azure = AzureFixture.machines(server);
        return ClusterManager.builder(ProviderMachines.of(azure))
                .stateStore(StateStore.inFolder(folder))
                .build();
    }
}
