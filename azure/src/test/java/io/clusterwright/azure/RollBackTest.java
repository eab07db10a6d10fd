package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider under the manager that journals, rolls back and destroys. */
class RollBackTest {
    private static final ClusterName NAME = ClusterName.of("cluster");

    @TempDir
    private Path folder;

    private TestAzure server;
    private ClusterManager manager;

    @BeforeEach
    void start() {
        server = new TestAzure();
        manager = ClusterManager.builder(ProviderMachines.of(AzureFixture.machines(server)))
                .stateStore(StateStore.inFolder(folder))
                .build();
    }

    @AfterEach
    void stop() {
        manager.close();
        server.close();
    }

    @Test
    void aTemplateThatCannotBeAllocatedLeavesNothing() {
        server.faults(Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster-template"));

        assertThatThrownBy(() -> manager.create(AzureFixture.spec(2)))
                .isInstanceOfSatisfying(
                        CreateFailedException.class, e -> assertThat(e.left()).isEmpty())
                .hasMessageContaining("AllocationFailed")
                .hasMessageContaining("everything created for it was deleted");
        assertOnlyTheEmptyGalleryIsThere();
    }

    @Test
    void nodesThatFailLeaveNothing() {
        ClusterSpec spec = AzureFixture.builder(3).image(i -> i.capture(false)).build();
        server.faults(Fault.of(Fault.Kind.OVERCONSTRAINED, "PUT", "**/virtualMachines/cluster1*")
                .always());

        assertThatThrownBy(() -> manager.create(spec))
                .hasMessageContaining("0 nodes are ready and 3 are required")
                .hasMessageContaining("OverconstrainedAllocationRequest");
        assertThat(server.ids()).isEmpty();
    }

    @Test
    void reportsUndeletedResourcesAndDeletesThemLater() {
        server.faults(
                Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster-template"),
                Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "DELETE", "**/cluster-nsg")
                        .always(),
                Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "DELETE", "**/cluster-rg")
                        .always());

        assertThatThrownBy(() -> manager.create(AzureFixture.spec(2)))
                .isInstanceOfSatisfying(
                        CreateFailedException.class,
                        e -> assertThat(e.left())
                                .anyMatch(resource -> resource.name().endsWith("/cluster-rg")))
                .hasMessageContaining("destroy the cluster to try again");
        server.faults();
        DestroyReport report = manager.destroy(NAME);

        assertThat(report.left()).isEmpty();
        assertOnlyTheEmptyGalleryIsThere();
    }

    /** The builder of an image claims it in the gallery, which all clusters share, and which costs nothing while it is empty. */
    private void assertOnlyTheEmptyGalleryIsThere() {
        assertThat(server.ids())
                .hasSize(2)
                .allMatch(id ->
                        id.endsWith("/resourcegroups/clusterwright-images") || id.endsWith("/galleries/clusterwright"));
    }

    @Test
    void aClusterWithoutARecordIsLeftAloneAndItsPlaceIsNamed() {
        AzureProvider azure = AzureFixture.machines(server);
        ClusterSpec spec = AzureFixture.spec(2);
        AzureFixture.Log lost = new AzureFixture.Log();
        azure.createNetwork(spec, lost);
        AzureFixture.create(azure, spec, lost);
        List<String> before = server.ids();

        assertThatThrownBy(() -> manager.destroy(NAME))
                .hasMessageContaining("cluster cluster was not destroyed")
                .hasMessageContaining("resource group cluster-rg of subscription");
        assertThatThrownBy(() -> manager.create(spec))
                .hasMessageContaining("resource group cluster-rg of subscription");

        assertThat(server.ids()).isEqualTo(before);
    }
}
