package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Planner;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzureMachinesTest {
    private static final int CONSTANT_WRITES = 4;

    private final AzureFixture.Log log = new AzureFixture.Log();
    private TestAzure server;
    private AzureProvider azure;

    @BeforeEach
    void start() {
        server = new TestAzure();
        azure = AzureFixture.machines(server);
    }

    @AfterEach
    void stop() {
        azure.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void creatingANodeTakesTwoWrites(int nodes) {
        ClusterSpec spec = AzureFixture.spec(nodes);

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(outcomes.values()).hasSize(nodes).allMatch(MachineOutcome.Made.class::isInstance);
        assertThat(server.writes()).isEqualTo(CONSTANT_WRITES + 2L * nodes);
    }

    @Test
    void anExtensionTakesOneWritePerNode() {
        ClusterSpec spec = AzureFixture.builder(3)
                .addExtension(Extensions.infiniBandDriverLinux())
                .build();

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
        assertThat(server.writes()).isEqualTo(CONSTANT_WRITES + 2L * 3);
        List<String> told = new ArrayList<>();
        for (String node : List.of("cluster11", "cluster12", "cluster13")) {
            long before = server.writes();
            assertThat(azure.installExtensions(AzureFixture.ID, spec, machine(outcomes, node), extension -> {
                        assertThat(server.writes()).isEqualTo(before);
                        told.add(extension.type().orElseThrow());
                    }))
                    .isTrue();
        }

        assertThat(told).hasSize(3).containsOnly("InfiniBandDriverLinux");
        assertThat(server.writes()).isEqualTo(CONSTANT_WRITES + 3L * 3);
        var extension = server.compute("virtualMachines/cluster12/extensions/InfiniBandDriverLinux");
        assertThat(extension.at("/properties/publisher").asText()).isEqualTo("Microsoft.HpcCompute");
        assertThat(extension.at("/properties/typeHandlerVersion").asText()).isEqualTo("1.2");
    }

    /** The article's step for SLES 12 HPC: everywhere but in three regions, which the spec need not know. */
    @ParameterizedTest
    @CsvSource({"eastus, true", "westus, false"})
    void theRdmaDriverIsUpdatedWhereTheRegionNeedsIt(String region, boolean updated) {
        ClusterSpec given = AzureFixture.builder(1)
                .region(region)
                .nodes(n -> n.size("Standard_A9"))
                .image(i -> i.base("SUSE:SLES-HPC:12:latest"))
                .build();
        ClusterSpec spec = Planner.offline().plan(given).spec();
        stop();
        server = new TestAzure(emulator -> emulator.retiredSizes(true));
        azure = AzureFixture.machines(server);

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
        List<String> sent = new ArrayList<>();
        azure.installExtensions(
                AzureFixture.ID,
                spec,
                machine(outcomes, "cluster11"),
                extension -> sent.add(extension.type().orElseThrow()));

        assertThat(sent).isEqualTo(updated ? List.of("RDMAUpdateForLinux") : List.of());
        if (updated) {
            var extension = server.compute("virtualMachines/cluster11/extensions/RDMAUpdateForLinux");
            assertThat(extension.at("/properties/publisher").asText()).isEqualTo("Microsoft.OSTCExtensions");
            assertThat(extension.at("/properties/typeHandlerVersion").asText()).isEqualTo("0.1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708, SLES-HPC",
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-priority-v20150708, SLES-HPC-Priority"
    })
    void aClassicNameBootsItsImageOfTheMarketplace(String name, String offer) {
        ClusterSpec spec = AzureFixture.builder(1)
                .region("westus")
                .nodes(n -> n.size("Standard_A9"))
                .image(i -> i.base(name))
                .build();
        stop();
        server = new TestAzure(emulator -> emulator.retiredSizes(true));
        azure = AzureFixture.machines(server);
        assertThat(azure.inspect(spec).findings())
                .noneMatch(finding -> finding.code().equals("CW-AZURE-003"));

        azure.createNetwork(spec, log);
        AzureFixture.create(azure, spec, log);

        JsonNode image = server.compute("virtualMachines/cluster11").at("/properties/storageProfile/imageReference");
        assertThat(image.path("publisher").asText()).isEqualTo("SUSE");
        assertThat(image.path("offer").asText()).isEqualTo(offer);
        assertThat(image.path("sku").asText()).isEqualTo("12");
    }

    @Test
    void machinesFollowTheSpec() {
        ClusterSpec spec = AzureFixture.builder(2).putTag("owner", "cfd").build();

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        var machine = server.compute("virtualMachines/cluster12");
        assertThat(machine.at("/properties/hardwareProfile/vmSize").asText()).isEqualTo("Standard_HB120rs_v3");
        assertThat(machine.at("/properties/storageProfile/imageReference/version")
                        .asText())
                .matches("\\d+\\.\\d+\\.\\d+");
        assertThat(machine.at("/properties/availabilitySet/id").asText()).endsWith("/cluster-avset");
        assertThat(machine.at("/tags/clusterwright").asText()).isEqualTo("cluster");
        assertThat(machine.at("/tags/owner").asText()).isEqualTo("cfd");
        assertThat(customData("cluster12")).as("sent, and not recorded").isEqualTo("***");
        var nic = server.network("networkInterfaces/cluster12-nic");
        assertThat(nic.at("/properties/ipConfigurations/0/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.46.0.12");
        assertThat(nic.at("/properties/enableAcceleratedNetworking").asBoolean())
                .isTrue();
        assertThat(machine(outcomes, "cluster12").resource().name())
                .isEqualTo("/subscriptions/" + server.subscription()
                        + "/resourceGroups/cluster-rg/providers/Microsoft.Compute/virtualMachines/cluster12");
    }

    @Test
    void createCallsCarryTheTagOfTheCluster() {
        azure.createNetwork(AzureFixture.spec(1), log);
        AzureFixture.create(azure, AzureFixture.spec(1), log);

        assertThat(server.ids()).hasSize(7);
        for (String id : server.ids()) {
            assertThat(server.get(id).at("/tags/clusterwright").asText()).as(id).isEqualTo("cluster");
        }
    }

    @Test
    void reportsAFailedMachineAndCreatesTheOthers() {
        ClusterSpec spec = AzureFixture.spec(6);
        server.faults(Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster13"));

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(outcomes).hasSize(6);
        MachineOutcome.Failed failed = (MachineOutcome.Failed) outcomes.get(new NodeName("cluster13"));
        assertThat(failed.cause())
                .satisfies(AzureFixture.is(AzureException.Reason.CAPACITY))
                .hasMessageContaining("cluster13")
                .hasMessageContaining("AllocationFailed")
                .hasMessageContaining("choose another region");
        assertThat(outcomes.values().stream().filter(MachineOutcome.Made.class::isInstance))
                .hasSize(5);
        assertThat(server.ids()).noneMatch(id -> id.contains("cluster13"));
        assertThat(log.announced).noneMatch(resource -> resource.name().contains("cluster13"));
    }

    @Test
    void aRefusedMachineLeavesNoInterface() {
        ClusterSpec spec = AzureFixture.spec(2);
        server.faults(Fault.of(Fault.Kind.QUOTA_EXCEEDED, "PUT", "**/virtualMachines/cluster11"));

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(((MachineOutcome.Failed) outcomes.get(new NodeName("cluster11"))).cause())
                .satisfies(AzureFixture.is(AzureException.Reason.QUOTA));
        assertThat(server.ids()).noneMatch(id -> id.contains("cluster11"));
    }

    @Test
    void repeatsThrottledCallsAfterRetryAfter() {
        server.faults(Fault.of(Fault.Kind.TOO_MANY_REQUESTS, "PUT", "**/virtualMachines/cluster11")
                .times(5)
                .waiting(Duration.ofSeconds(1)));
        ClusterSpec spec = AzureFixture.spec(1);

        azure.createNetwork(spec, log);
        long start = System.nanoTime();
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(machine(outcomes, "cluster11")).isNotNull();
        assertThat(System.nanoTime() - start).isGreaterThan(4_000_000_000L);
    }

    @Test
    void creatingTheNetworkAgainWritesNothing() {
        azure.createNetwork(AzureFixture.spec(1), log);
        List<ResourceId> announced = List.copyOf(log.announced);
        server.forgetRequests();

        azure.createNetwork(AzureFixture.spec(1), log);

        assertThat(server.writes()).isZero();
        assertThat(log.announced).isEqualTo(announced);
    }

    @Test
    void announcedResourcesCanBeDeletedInReverse() {
        ClusterSpec spec = AzureFixture.spec(2);
        azure.createNetwork(spec, log);
        AzureFixture.create(azure, spec, log);
        List<ResourceId> reversed = new ArrayList<>(log.announced);
        Collections.reverse(reversed);

        reversed.forEach(resource -> azure.delete(AzureFixture.ID, resource));

        assertThat(server.ids()).isEmpty();
        assertThat(azure.remaining(AzureFixture.ID)).isEmpty();
    }

    @Test
    void anExistingGroupIsUsedAndNeverDeleted() {
        String group = server.group();
        server.put(group, "{'location':'westeurope','tags':{'owner':'somebody'}}");
        ClusterSpec spec = AzureFixture.spec(1);
        azure.createNetwork(spec, log);
        AzureFixture.create(azure, spec, log);

        assertThat(log.announced).noneMatch(resource -> resource.kind().equals("resource group"));
        assertThat(azure.remaining(AzureFixture.ID))
                .extracting(ResourceId::kind)
                .containsExactly("machine", "network", "security group", "availability set");
        azure.remaining(AzureFixture.ID).forEach(resource -> azure.delete(AzureFixture.ID, resource));
        azure.delete(AzureFixture.ID, new ResourceId("resource group", group));

        assertThat(server.ids()).containsExactly(group.toLowerCase(Locale.ROOT));
    }

    @Test
    void leavesForeignResourcesOfTheSameNameAlone() {
        ClusterSpec other = AzureFixture.named("other", 1).build();
        AzureFixture.Log othersLog = new AzureFixture.Log(ClusterId.random(other.name()));
        azure.createNetwork(other, othersLog);
        Machine theirs = machine(AzureFixture.create(azure, other, othersLog), "cluster11");
        ClusterSpec spec = AzureFixture.spec(1);

        azure.createNetwork(spec, log);
        server.forgetRequests();
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
        azure.delete(AzureFixture.ID, theirs.resource());

        assertThat(((MachineOutcome.Failed) outcomes.get(new NodeName("cluster11"))).cause())
                .hasMessageContaining("does not belong to cluster cluster");
        assertThat(server.requests()).allMatch(request -> request.startsWith("GET "));
        assertThat(server.compute("virtualMachines/cluster11")
                        .at("/tags/clusterwright")
                        .asText())
                .isEqualTo("other");
    }

    @Test
    void refusesAForeignNetworkUnlessMarkedAsExisting() {
        server.put(server.group(), "{'location':'westeurope'}");
        server.put(
                server.group() + "/providers/Microsoft.Network/virtualNetworks/cluster-vnet",
                "{'location':'westeurope','properties':{'addressSpace':{'addressPrefixes':['10.46.0.0/16']},'subnets':["
                        + "{'name':'Subnet-1','properties':{'addressPrefix':'10.46.0.0/16'}}]}}");

        assertThatThrownBy(() -> azure.createNetwork(AzureFixture.spec(1), log))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("write network.existing: true");

        ClusterSpec existing = AzureFixture.spec(1).toBuilder()
                .network(AzureFixture.spec(1).network().toBuilder()
                        .existing(true)
                        .build())
                .build();
        azure.createNetwork(existing, log);
        assertThat(log.announced).noneMatch(resource -> resource.kind().equals("network"));
    }

    @Test
    void portsOfTheLoadBalancerArePrefixAndIndex() {
        ClusterSpec spec = AzureFixture.builder(2)
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.ALL)
                                .portPrefix(101)
                                .addAllowFrom("203.0.113.0/24")))
                .build();

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(azure.endpoint(AzureFixture.ID, machine(outcomes, "cluster11")))
                .isEqualTo(new Endpoint(address("cluster-ip"), 10111));
        assertThat(azure.endpoint(AzureFixture.ID, machine(outcomes, "cluster12")))
                .isEqualTo(new Endpoint(address("cluster-ip"), 10112));
        var rule = server.network("networkSecurityGroups/cluster-nsg").at("/properties/securityRules/0/properties");
        assertThat(rule.at("/sourceAddressPrefixes/0").asText()).isEqualTo("203.0.113.0/24");
        assertThat(rule.at("/destinationPortRange").asText()).isEqualTo("22");
        assertThat(server.writes()).isEqualTo(CONSTANT_WRITES + 2 + 2L * 2);
    }

    @Test
    void onlyTheHeadHasAPublicAddress() {
        ClusterSpec spec = AzureFixture.builder(2)
                .network(n -> n.addressSpace("10.46.0.0/16")
                        .subnet("Subnet-1", "10.46.0.0/24")
                        .ssh(ssh -> ssh.external(SshAccess.External.HEAD)))
                .build();

        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);

        assertThat(azure.endpoint(AzureFixture.ID, machine(outcomes, "cluster11")))
                .isEqualTo(new Endpoint(address("cluster11-ip"), 22));
        assertThat(azure.endpoint(AzureFixture.ID, machine(outcomes, "cluster12")))
                .isEqualTo(new Endpoint("10.46.0.12", 22));
    }

    @Test
    void aConsoleThatAzureDoesNotKeepIsRefusedWithTheCommandThatKeepsIt() {
        ClusterSpec spec = AzureFixture.spec(2);
        azure.createNetwork(spec, log);
        Machine machine = machine(AzureFixture.create(azure, spec, log), "cluster12");

        assertThatThrownBy(() -> azure.console(AzureFixture.ID, machine))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("read the console of cluster12: its boot diagnostics are off")
                .hasMessageContaining("az vm boot-diagnostics enable --ids "
                        + machine.resource().name());
    }

    @Test
    void capturesAMachineAndDeletesItWithItsParts() {
        ClusterSpec spec = AzureFixture.spec(1);
        azure.createNetwork(spec, log);
        Machine machine = machine(AzureFixture.create(azure, spec, log), "cluster11");
        server.forgetRequests();

        azure.capture(AzureFixture.ID, machine, "image-0123", "", 1);
        azure.delete(AzureFixture.ID, machine.resource());

        List<String> acts = server.requests().stream()
                .filter(request -> request.startsWith("POST ") || request.startsWith("PUT "))
                .map(request -> request.substring(request.lastIndexOf('/') + 1))
                .toList();
        assertThat(acts)
                .containsExactly(
                        "clusterwright-images", "deallocate", "generalize", "clusterwright", "image-0123", "1.0.0");
        assertThat(server.ids()).noneMatch(id -> id.contains("cluster11"));
        assertThat(azure.images()).extracting(StoredImage::name).containsExactly("image-0123");
        String definition = "/subscriptions/" + server.subscription()
                + "/resourceGroups/clusterwright-images/providers/Microsoft.Compute/galleries/clusterwright/images/image-0123";
        assertThat(server.get(definition + "/versions/1.0.0")
                        .at("/properties/storageProfile/source/virtualMachineId")
                        .asText())
                .isEqualTo(machine.resource().name());
        assertThat(server.get(definition).at("/properties/hyperVGeneration").asText())
                .isEqualTo("V2");
        assertThat(azure.images()).noneMatch(StoredImage::proven);
        azure.proven("image-0123");
        assertThat(azure.images()).singleElement().matches(StoredImage::proven);
        assertThat(server.get(definition + "/versions/1.0.0")
                        .at("/tags/clusterwright-image")
                        .asText())
                .isEqualTo("image-0123");
        azure.deleteImage("image-0123");
        assertThatThrownBy(() -> azure.proven("image-0123"))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("run create again");
        assertThat(azure.images()).isEmpty();
    }

    @Test
    void machinesStopAndStart() {
        ClusterSpec spec = AzureFixture.spec(2);
        azure.createNetwork(spec, log);
        Map<NodeName, MachineOutcome> outcomes = AzureFixture.create(azure, spec, log);
        List<Machine> machines = List.of(machine(outcomes, "cluster11"), machine(outcomes, "cluster12"));

        azure.stop(AzureFixture.ID, machines);
        assertThat(azure.state(AzureFixture.ID, machines.get(0))).isEqualTo(MachineState.STOPPED);
        azure.start(AzureFixture.ID, machines);
        assertThat(azure.state(AzureFixture.ID, machines.get(1))).isEqualTo(MachineState.RUNNING);
        azure.delete(AzureFixture.ID, machines.get(0).resource());
        assertThat(azure.state(AzureFixture.ID, machines.get(0))).isEqualTo(MachineState.ABSENT);
    }

    private String address(String name) {
        String address = server.network("publicIPAddresses/" + name)
                .at("/properties/ipAddress")
                .asText();
        assertThat(address).isNotEmpty();
        return address;
    }

    /** As it was sent: Azure does not give it back. */
    private String customData(String machine) {
        return server.traffic().all().stream()
                .filter(recording -> recording.at("/request/method").asText().equals("PUT")
                        && recording.at("/request/path").asText().endsWith("/virtualMachines/" + machine))
                .map(recording -> recording
                        .at("/request/body/properties/osProfile/customData")
                        .asText())
                .findFirst()
                .orElseThrow();
    }

    private static Machine machine(Map<NodeName, MachineOutcome> outcomes, String node) {
        MachineOutcome outcome = outcomes.get(new NodeName(node));
        if (outcome instanceof MachineOutcome.Failed failed) {
            throw failed.cause();
        }
        return ((MachineOutcome.Made) outcome).machine();
    }
}
