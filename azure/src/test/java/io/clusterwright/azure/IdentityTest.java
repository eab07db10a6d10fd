package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster's id stands on everything of it; what carries another id, or none, is neither changed nor deleted. */
class IdentityTest {
    private static final String NIC = "/providers/Microsoft.Network/networkInterfaces/";
    private static final String ADDRESS = "/providers/Microsoft.Network/publicIPAddresses/";
    private static final String ADDRESS_BODY =
            "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'}}";
    private static final ClusterId ID = AzureFixture.ID;
    private static final ClusterId OTHER = new ClusterId(ID.name(), "00000000000000bb");

    private final AzureFixture.Log log = new AzureFixture.Log();
    private final ClusterSpec spec = AzureFixture.spec(2);

    @AutoClose
    private TestAzure server;

    private AzureProvider azure;

    @BeforeEach
    void start() {
        server = new TestAzure();
        azure = AzureFixture.machines(server);
    }

    private Map<NodeName, MachineOutcome> create() {
        azure.createNetwork(spec, log);
        return AzureFixture.create(azure, spec, log);
    }

    private void destroy(ClusterId id) {
        List<ResourceId> reversed = new ArrayList<>(log.announced);
        Collections.reverse(reversed);
        reversed.forEach(resource -> azure.delete(id, resource));
    }

    private static void removeAll(AzureProvider azure, ClusterId id) {
        azure.remaining(id).forEach(resource -> azure.delete(id, resource));
    }

    @Test
    void everythingCarriesTheId() {
        create();

        assertThat(server.ids())
                .hasSize(10)
                .allSatisfy(id -> assertThat(
                                server.get(id).at("/tags/clusterwright-id").asText())
                        .as(id)
                        .isEqualTo(ID.id()));
    }

    @Test
    void whatCarriesAnotherIdIsNotDeleted() {
        create();
        List<String> before = server.ids();

        destroy(OTHER);

        assertThat(azure.remaining(OTHER)).isEmpty();
        assertThat(server.ids()).isEqualTo(before);
        destroy(ID);
        assertThat(server.ids()).isEmpty();
    }

    @Test
    void aMarkedClusterIsFoundWithItsPlaceAndWhatItCosts() {
        Map<NodeName, MachineOutcome> made = create();
        Machine first = ((MachineOutcome.Made) made.get(new NodeName("cluster11"))).machine();
        azure.stop(ID, List.of(first));

        List<MarkedCluster> marked = azure.marked(ID.name());

        assertThat(marked).isEqualTo(azure.marked()).singleElement().satisfies(cluster -> {
            assertThat(cluster.id()).isEqualTo(ID);
            assertThat(cluster.place()).isEqualTo("resource group cluster-rg of subscription " + server.subscription());
            assertThat(cluster.resources()).extracting(ResourceId::kind).containsExactly("resource group");
            assertThat(cluster.running()).containsExactly(spec.nodes().requireSize());
        });
        assertThat(azure.marked(new ClusterName("none"))).isEmpty();
        removeAll(azure, ID);
        assertThat(azure.marked()).isEmpty();
    }

    @Test
    void aGroupWithSomethingElseInItIsLeftAndWhatIsOursInItIsDeleted() {
        create();
        server.put(server.group() + ADDRESS + "mine", ADDRESS_BODY);
        ResourceId group = new ResourceId("resource group", server.group());

        assertThatThrownBy(() -> azure.delete(ID, group))
                .isInstanceOf(AzureException.class)
                .hasMessage("delete resource group cluster-rg: it also holds 1 resource that is not of cluster cluster,"
                        + " and was left with it: publicIPAddresses mine; move or delete them and destroy the"
                        + " cluster again, or delete all: clusterwright destroy cluster --with-foreign"
                        + " (ClusterManager.destroyWithContents)");

        String lower = server.group().toLowerCase(Locale.ROOT);
        assertThat(server.ids()).containsExactly(lower, lower + ADDRESS.toLowerCase(Locale.ROOT) + "mine");
        azure.deleteWithContents(OTHER, group);
        assertThat(server.ids()).as("the group of another cluster").hasSize(2);
        azure.deleteWithContents(ID, group);
        assertThat(server.ids()).isEmpty();
    }

    @Test
    void aDiskThatAzureMadeForAMachineIsNotSomethingElse() {
        create();
        server.tag("/providers/Microsoft.Compute/disks/cluster11-disk", "{}");

        azure.delete(ID, new ResourceId("resource group", server.group()));

        assertThat(server.ids()).isEmpty();
    }

    @Test
    void aMachineOfAnotherClusterIsNamedAndLeftAsItIs() {
        create();
        AzureFixture.Log own = new AzureFixture.Log(OTHER);
        String before = server.compute("virtualMachines/cluster11").toString();

        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, own);

        assertThat(outcomes.values())
                .allSatisfy(outcome -> assertThat(((MachineOutcome.Failed) outcome).cause())
                        .hasMessageContaining("exists and does not belong to cluster cluster (id 00000000000000bb)"));
        assertThat(own.announced).isEmpty();
        assertThat(server.compute("virtualMachines/cluster11")).hasToString(before);
    }

    @Test
    void anInterfaceThatListsDoNotShowYetIsNotOverwritten() {
        azure.createNetwork(spec, log);
        AzureFixture.Log theirs = new AzureFixture.Log(OTHER);
        server.faults(
                Fault.of(Fault.Kind.LIST_LAG, "GET", "**/resources").always().waiting(Duration.ofHours(1)));
        AzureFixture.create(azure, spec, log);

        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, theirs);

        assertThat(outcomes.values()).allMatch(MachineOutcome.Failed.class::isInstance);
        assertThat(server.resource(NIC + "cluster11-nic")
                        .at("/tags/clusterwright-id")
                        .asText())
                .isEqualTo(ID.id());
    }

    @Test
    void theNetworkOfAnotherClusterIsNamedAndLeftAsItIs() {
        create();
        List<String> before = server.ids();

        assertThatThrownBy(() -> azure.createNetwork(spec, new AzureFixture.Log(OTHER)))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("/networkSecurityGroups/cluster-nsg exists and does not belong to cluster");
        assertThat(server.ids()).isEqualTo(before);
    }

    @Test
    void ofTwoCreationsAtTheSameTimeTheOneThatWasOverwrittenWithdraws() {
        AtomicBoolean done = new AtomicBoolean();
        AzureFixture.Log slow = new AzureFixture.Log(OTHER) {
            @Override
            public void created(ResourceId resource) {
                super.created(resource);
                if (resource.kind().equals("resource group") && done.compareAndSet(false, true)) {
                    // The other one looked before this one's group was there, and writes it after.
                    server.put(
                            server.group(),
                            "{'location':'westeurope','tags':{'clusterwright':'cluster','clusterwright-id':'" + ID.id()
                                    + "'}}");
                }
            }
        };

        assertThatThrownBy(() -> azure.createNetwork(spec, slow))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("another create command created resource group")
                .hasMessageContaining("does not belong to cluster cluster (id 00000000000000bb)");

        assertThat(slow.announced).extracting(ResourceId::kind).doesNotContain("resource group");
        slow.announced.forEach(resource -> azure.delete(OTHER, resource));
        assertThat(server.get(server.group()).at("/tags/clusterwright-id").asText())
                .isEqualTo(ID.id());
        assertThat(server.ids()).hasSize(1);
    }

    @Test
    void aMachineThatAzureCouldNotMakeHasFailed() {
        azure.createNetwork(spec, log);
        server.faults(
                Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster11"),
                Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "DELETE", "**").always());

        assertThatThrownBy(() -> AzureFixture.create(azure, spec, log)).hasMessageContaining("AuthorizationFailed");

        MachineRequest request = AzureFixture.requests(spec).get(0);
        Machine failed = new Machine(
                request.name(),
                request.address(),
                new ResourceId("machine", server.group() + "/providers/Microsoft.Compute/virtualMachines/cluster11"),
                request.bootstrap().hostKey().publicKey(),
                Interconnect.NONE);
        assertThat(azure.state(ID, failed)).isEqualTo(MachineState.FAILED);
    }
}
