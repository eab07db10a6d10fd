package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Everything that the provider asks Azure for, held against Microsoft's descriptions. */
class ProviderTrafficTest {
    private final AzureFixture.Log log = new AzureFixture.Log();

    @Test
    void everyOperationOfTheProviderIsDescribedAndItsRequestsAndAnswersAreValid() {
        try (TestAzure server = new TestAzure();
                AzureProvider azure = AzureFixture.machines(server);
                AzureProvider managed = AzureFixture.machines(server, true)) {
            assertThat(AzureMachines.subscriptions(
                            AzureFixture.pipeline(), AzureFixture.profile(server.endpoint(), null)))
                    .hasSize(1);
            life(
                    azure,
                    AzureFixture.builder(2)
                            .network(n -> n.addressSpace("10.46.0.0/16")
                                    .subnet("Subnet-1", "10.46.0.0/24")
                                    .addDnsServer("10.46.0.4")
                                    .ssh(ssh -> ssh.external(SshAccess.External.ALL)
                                            .portPrefix(101)
                                            .addAllowFrom("203.0.113.0/24")))
                            .placement(new Placement(Placement.Kind.AVAILABILITY_SET, true))
                            .addExtension(Extensions.infiniBandDriverLinux())
                            .putTag("owner", "cfd")
                            .build());
            life(
                    managed,
                    AzureFixture.builder(2)
                            .nodes(n -> n.spot(spot -> spot.enabled(true)))
                            .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.HEAD)))
                            .placement(new Placement(Placement.Kind.NONE, true))
                            .build());

            assertThat(server.traffic().operations()).containsExactlyElementsOf(RecordedTraffic.list("operations.txt"));
            assertThat(server.traffic().newer())
                    .containsExactlyElementsOf(new TreeSet<>(RecordedTraffic.list("newer-than-described.txt")));
            server.traffic().requireValid();
        }
    }

    private void life(AzureProvider azure, ClusterSpec spec) {
        assertThat(azure.inspect(spec).notChecked()).isEmpty();
        azure.createNetwork(spec, log);
        ClusterSpec existing = spec.toBuilder().network(n -> n.existing(true)).build();
        assertThat(azure.inspect(existing).notChecked()).isEmpty();
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
        Machine first = ((MachineOutcome.Made) outcomes.get(new NodeName("cluster11"))).machine();
        azure.installExtensions(AzureFixture.ID, spec, first, extension -> {});
        azure.endpoint(AzureFixture.ID, first);
        azure.stop(AzureFixture.ID, List.of(first));
        azure.start(AzureFixture.ID, List.of(first));
        azure.state(AzureFixture.ID, first);
        Machine second = ((MachineOutcome.Made) outcomes.get(new NodeName("cluster12"))).machine();
        assertThatThrownBy(() -> azure.console(AzureFixture.ID, second)).hasMessageContaining("boot diagnostics");
        azure.capture(AzureFixture.ID, first, "image-0123", "", 1);
        azure.proven("image-0123");
        assertThat(azure.images()).isNotEmpty().allMatch(StoredImage::proven);
        azure.deleteImage("image-0123");
        List<ResourceId> reversed = new ArrayList<>(log.announced);
        Collections.reverse(reversed);
        reversed.forEach(resource -> azure.delete(AzureFixture.ID, resource));
        assertThat(azure.remaining(AzureFixture.ID)).isEmpty();
    }
}
