package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.LinuxBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record of resources in a resource group that is gone: deleted in the portal, or with its emulator. */
class GoneGroupTest {
    private static final Fault NO_ROOM = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachineScaleSets/**")
            .always();

    @Test
    void aFailedCreationLeavesNothingOfTheNewGroup(@TempDir Path folder) {
        ClusterSpec spec = ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                .image(image -> image.capture(false))
                .build();
        StateStore store = StateStore.inFolder(folder);
        create(spec, store, CreateOptions.standard().keepOnFailure());
        assertThat(ClusterManager.list(store)).extracting(ClusterSummary::name).containsExactly(spec.name());

        CreateFailedException failure = create(spec, store, CreateOptions.standard());

        assertThat(failure)
                .hasMessageContaining("everything created for it was deleted")
                .hasMessageNotContaining("of what was there before");
        assertThat(failure.left()).isEmpty();
        assertThat(ClusterManager.list(store)).isEmpty();
    }

    /** A recorded private address may by now belong to another machine of the network of the caller. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/resourceGroups/demo-rg/providers/Microsoft.Compute/virtualMachines/demo1",
                "/resourceGroups/demo-rg/providers/Microsoft.Compute/virtualMachineScaleSets/demo-vmss/virtualMachines/1",
            })
    void aMachineThatIsGoneIsNotDialled(String resource) {
        try (ArmEmulator emulator = ArmEmulator.builder().start()) {
            AzureProvider azure = AzureFixture.open(AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                    .pollInterval(Duration.ofMillis(50))
                    .build());
            Machine machine = new Machine(
                    NodeName.of("demo1"),
                    Ipv4Address.of("10.32.0.4"),
                    new ResourceId("machine", "/subscriptions/" + emulator.subscriptionId() + resource),
                    new LinuxBackend().newKeyPair("host").publicKey(),
                    Interconnect.NONE);

            assertThatThrownBy(() -> azure.endpoint(new ClusterId(ClusterName.of("demo"), "00000000000000aa"), machine))
                    .isInstanceOfSatisfying(
                            AzureException.class, e -> assertThat(e.reason()).isEqualTo(AzureException.Reason.GONE))
                    .hasMessage(
                            "reach demo1: the subscription has no such machine; name the subscription of the cluster (--subscription ID),"
                                    + " or run: clusterwright create SPEC --on PROVIDER, which creates what is missing, or clusterwright destroy NAME");
        }
    }

    /** Fails on a new Azure of the same subscription. */
    private static CreateFailedException create(ClusterSpec spec, StateStore store, CreateOptions options) {
        try (ArmEmulator emulator =
                        ArmEmulator.builder().faults(List.of(NO_ROOM)).start();
                ClusterManager manager = ClusterManager.builder(
                                AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                                        .pollInterval(Duration.ofMillis(50))
                                        .build())
                        .stateStore(store)
                        .build()) {
            CreateFailedException failure =
                    catchThrowableOfType(CreateFailedException.class, () -> manager.create(spec, options));
            if (options.keepsOnFailure()) {
                assertThat(emulator.resources()).isNotEmpty();
            } else {
                assertThat(emulator.resources()).isEmpty();
            }
            return failure;
        }
    }
}
