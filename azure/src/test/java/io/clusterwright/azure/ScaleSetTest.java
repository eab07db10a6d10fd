package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes as instances of a scale set. */
class ScaleSetTest extends ScaleSetFixture {
    private static ClusterSpec spec(int nodes) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(n -> n.count(nodes)
                        .firstIndex(11)
                        .size("Standard_HB120rs_v3")
                        .deadline(Duration.ofMillis(500)))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(p -> p.kind(Placement.Kind.SCALE_SET).proximityGroup(true))
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void createsAnyNumberOfNodesWithTenWriteCalls(int nodes) {
        ClusterSpec spec = spec(nodes);
        start();
        Map<NodeName, Machine> made = made(create(spec));

        assertThat(made.keySet()).containsExactlyElementsOf(spec.nodes().names());
        assertThat(writes()).isEqualTo(6);
        assertThat(made.values()).extracting(Machine::address).doesNotHaveDuplicates();
        assertThat(made.values()).extracting(Machine::resource).doesNotHaveDuplicates();
        assertThat(made.values())
                .allSatisfy(machine -> assertThat(azure.state(ID, machine)).isEqualTo(MachineState.RUNNING));

        long before = writes();
        assertThat(log.announced).extracting(ResourceId::kind).doesNotContain(ResourceNames.MACHINE);
        log.reversed().forEach(resource -> azure.delete(ID, resource));
        assertThat(writes() - before).isEqualTo(5);
        assertThat(azure.remaining(ID)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"SCALE_SET", "AVAILABILITY_SET"})
    void findsTheNodesThatExist(Placement.Kind kind) {
        ClusterSpec spec = spec(3).toBuilder().placement(p -> p.kind(kind)).build();
        start();
        Map<NodeName, Machine> made = made(create(spec, List.of(new NodeName("cluster11"), new NodeName("cluster12"))));
        List<Machine> planned = new ArrayList<>(made.values().stream()
                .map(machine -> new Machine(
                        machine.name(),
                        kind == Placement.Kind.SCALE_SET ? Ipv4Address.of("10.42.3.3") : machine.address(),
                        new ResourceId(ResourceNames.MACHINE, "planned"),
                        machine.hostKey(),
                        Interconnect.NONE))
                .toList());
        planned.add(new Machine(
                new NodeName("cluster13"),
                Ipv4Address.of("10.42.3.4"),
                new ResourceId(ResourceNames.MACHINE, "planned"),
                planned.get(0).hostKey(),
                Interconnect.NONE));

        assertThat(azure.find(ID, spec, planned))
                .containsExactlyElementsOf(made.values())
                .extracting(Machine::interconnect)
                .containsOnly(Interconnect.SRIOV_INFINIBAND);
        assertThat(azure.find(new ClusterId(spec.name(), "00000000000000bb"), spec, planned))
                .as("instances of another cluster of the name")
                .isEmpty();
    }

    @Test
    void aDeletionThatWasInterruptedWhileItWaitedIsNotMadeUpForLater() {
        start();
        Map<NodeName, Machine> made = made(create(spec(2)));
        Machine kept = made.get(new NodeName("cluster11"));
        Machine gone = made.get(new NodeName("cluster12"));

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> azure.delete(ID, kept.resource())).isInstanceOf(OperationInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        azure.delete(ID, gone.resource());

        assertThat(azure.state(ID, gone)).isEqualTo(MachineState.ABSENT);
        assertThat(azure.state(ID, kept)).isEqualTo(MachineState.RUNNING);
        azure.delete(ID, kept.resource());
        assertThat(azure.state(ID, kept)).isEqualTo(MachineState.ABSENT);
    }

    @Test
    void bootstrapSessionsDeliverSeparateHostKeys() {
        ClusterSpec spec = spec(3);
        start();
        Map<NodeName, Machine> made = made(create(spec));

        assertThat(backend.identities.keySet()).isEqualTo(made.keySet());
        made.forEach((node, machine) -> assertThat(backend.identities.get(node)).isEqualTo(machine.hostKey()));
        assertThat(made.values()).extracting(Machine::hostKey).doesNotHaveDuplicates();
        assertThat(backend.dialledWith).hasSize(1);

        ClusterSpec larger = spec(4);
        create(larger, List.of(new NodeName("cluster14")));
        assertThat(backend.dialledWith).as("another key for another creation").hasSize(2);
    }

    @Test
    void replacesAFailedInstanceOnly() {
        ClusterSpec spec = spec(5);
        Fault once = Fault.of(Fault.Kind.OS_PROVISIONING_TIMED_OUT, "PUT", "**/cluster-vmss/virtualMachines/2");
        start(once);
        Map<NodeName, Machine> made = made(create(spec));

        assertThat(made.keySet()).containsExactlyElementsOf(spec.nodes().names());
        assertThat(made.values())
                .extracting(machine ->
                        InstanceId.find(machine.resource().name()).orElseThrow().instance())
                .containsExactly("0", "1", "5", "3", "4");
        assertThat(writes()).isEqualTo(8);
        assertThat(instances(spec)).containsExactly("0", "1", "3", "4", "5");
    }

    @Test
    void reportsAnInstanceThatKeepsFailing() {
        ClusterSpec spec = spec(4);
        Fault always = Fault.of(Fault.Kind.EXTENSION_FAILED, "PUT", "**/virtualMachines/1");
        Fault again = Fault.of(Fault.Kind.EXTENSION_FAILED, "PUT", "**/virtualMachines/4");
        start(always, again);
        Map<NodeName, MachineOutcome> outcomes = create(spec);

        assertThat(made(outcomes)).hasSize(3);
        assertThat(outcomes.get(new NodeName("cluster12")))
                .isInstanceOfSatisfying(
                        MachineOutcome.Failed.class,
                        failed -> assertThat(failed.cause())
                                .satisfies(AzureFixture.is(AzureException.Reason.EXTENSION))
                                .hasMessageContaining("cluster12")
                                .hasMessageContaining("exit status=1"));
        assertThat(instances(spec)).containsExactly("0", "2", "3");
        assertThat(writes()).isLessThanOrEqualTo(10);
    }

    @Test
    void aNodeThatNeverAnswersIsReplacedByAnotherInstance() {
        backend.silentAddresses.add("10.42.0.4");
        ClusterSpec spec = spec(2);
        start();
        Map<NodeName, MachineOutcome> outcomes = create(spec);
        assertThat(outcomes.get(new NodeName("cluster11")).toString())
                .contains("cluster11 did not answer its first session within");
        assertThat(made(outcomes)).containsOnlyKeys(new NodeName("cluster12"));
        assertThat(instances(spec)).hasSize(1);
    }

    @Test
    void reportsMissingCapacityForEveryNode() {
        ClusterSpec spec = spec(3);
        Fault none = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachineScaleSets/*");
        start(none);
        Map<NodeName, MachineOutcome> outcomes = create(spec);
        assertThat(outcomes).hasSize(3);
        assertThat(outcomes.values())
                .allSatisfy(outcome -> assertThat(((MachineOutcome.Failed) outcome).cause())
                        .satisfies(AzureFixture.is(AzureException.Reason.CAPACITY)));
        assertThat(log.announced).extracting(ResourceId::kind).doesNotContain(ResourceNames.SCALE_SET);
        assertThat(azure.remaining(ID))
                .allSatisfy(left -> assertThat(left.kind()).isEqualTo(ResourceNames.GROUP));
        assertThat(emulator.requests())
                .filteredOn(seen -> seen.method().equals("PUT") && seen.path().contains("virtualMachineScaleSets"))
                .as("no second try where there is no hardware")
                .hasSize(1);
    }

    @Test
    void keepsNoPartOfAFabricThatAzureCannotAllocate() {
        ClusterSpec spec = spec(4);
        Fault third = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/cluster-vmss/virtualMachines/2");
        start(third);
        Map<NodeName, MachineOutcome> outcomes = create(spec);
        assertThat(outcomes).hasSize(4);
        assertThat(outcomes.values())
                .allSatisfy(outcome -> assertThat(((MachineOutcome.Failed) outcome).cause())
                        .satisfies(AzureFixture.is(AzureException.Reason.CAPACITY))
                        .hasMessageContaining("Azure has hardware for 3 of them, and nodes.quorum requires 4,"
                                + " so all were deleted: ")
                        .hasMessageContaining("We do not have sufficient capacity"));
        assertThat(backend.identities).as("nodes that were waited for").isEmpty();
        assertThat(azure.remaining(ID))
                .extracting(ResourceId::kind)
                .doesNotContain(ResourceNames.SCALE_SET, ResourceNames.MACHINE);
    }

    @Test
    void keepsFewerNodesWhereTheQuorumAllowsIt() {
        ClusterSpec spec = spec(4).toBuilder().nodes(nodes -> nodes.quorum(3)).build();
        Fault third = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/cluster-vmss/virtualMachines/2");
        start(third);
        assertThat(made(create(spec))).hasSize(3);
        assertThat(instances(spec)).containsExactly("0", "1", "3");
    }

    @Test
    void aGrowthThatAzureCannotAllocateLeavesTheNodesThatAreThere() {
        ClusterSpec spec = spec(2);
        Fault late = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/cluster-vmss/virtualMachines/3");
        start(late);
        create(spec);
        ClusterSpec larger = spec(5);
        List<NodeName> more = larger.nodes().names().subList(2, 5);
        assertThat(made(create(larger, more))).isEmpty();
        assertThat(instances(spec)).containsExactly("0", "1");
    }

    @Test
    void deletesNamedNodesAndStrayInstances() {
        ClusterSpec spec = spec(6);
        start();
        Map<NodeName, Machine> made = made(create(spec));
        long before = writes();
        ArmClient.runAll(
                "test",
                3,
                List.of("cluster12", "cluster13", "cluster15").stream()
                        .<Runnable>map(node -> () ->
                                azure.delete(ID, made.get(new NodeName(node)).resource()))
                        .toList());
        assertThat(writes() - before).isBetween(1L, 2L);
        assertThat(instances(spec)).containsExactly("0", "3", "5");
        azure.delete(ID, made.get(new NodeName("cluster12")).resource());

        log.announced.clear();
        Map<NodeName, Machine> grown =
                made(create(spec, List.of(new NodeName("cluster12"), new NodeName("cluster17"))));
        assertThat(instances(spec)).containsExactly("0", "3", "5", "6", "7");
        assertThat(log.announced)
                .as("what a rollback would delete")
                .containsExactlyElementsOf(
                        grown.values().stream().map(Machine::resource).toList());

        create(spec, List.of(new NodeName("cluster17")));
        assertThat(instances(spec))
                .as("an instance whose node is asked for again is not that node")
                .containsExactly("0", "3", "5", "6", "8");
    }

    @Test
    void instancesOfAGrowthThatWasCutShortAreFoundByWhatWasAnnouncedBeforeIt() {
        ClusterSpec spec = spec(5);
        start();
        create(spec, spec.nodes().names().subList(0, 3));
        Log ends = new Log() {
            @Override
            public void creating(ResourceId resource) {
                if (emulator.requests().stream()
                                .filter(seen -> seen.method().equals("PUT")
                                        && seen.path().endsWith("/cluster-vmss"))
                                .count()
                        > 1) {
                    throw new IllegalStateException("the process ends here");
                }
                super.creating(resource);
            }
        };
        azure.createMachines(spec, requests(spec, spec.nodes().names().subList(3, 5)), ends, outcome -> {});
        assertThat(instances(spec)).as("billed").hasSize(5);

        ends.reversed().forEach(resource -> azure.delete(ID, resource));

        assertThat(instances(spec)).containsExactly("0", "1", "2");
        azure.delete(new ClusterId(ID.name(), "00000000000000bb"), ends.announced.get(0));
        assertThat(instances(spec)).hasSize(3);
    }

    @Test
    void stopsAndStartsWithOneCallEach() {
        ClusterSpec spec = spec(3);
        start();
        Map<NodeName, Machine> made = made(create(spec));
        long before = writes();
        azure.stop(ID, made.values());
        assertThat(made.values())
                .allSatisfy(machine -> assertThat(azure.state(ID, machine)).isEqualTo(MachineState.STOPPED));
        azure.start(ID, List.of(made.get(new NodeName("cluster11"))));
        assertThat(writes() - before).isEqualTo(2);
        assertThat(made.values())
                .extracting(machine -> azure.state(ID, machine))
                .containsExactly(MachineState.RUNNING, MachineState.STOPPED, MachineState.STOPPED);
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_A9, SUSE:SLES-HPC:12:latest",
        "Standard_H16r, SUSE:SLES-HPC:12:latest",
        "Standard_HB120rs_v3, microsoft-dsvm:ubuntu-hpc:2204:latest",
    })
    void nodesWithRdmaAreInOnePlacementGroup(String size, String image) {
        ClusterSpec spec = spec(2).toBuilder()
                .nodes(n -> n.size(size))
                .image(i -> i.base(image))
                .placement(p -> p.kind(Placement.Kind.SCALE_SET).proximityGroup(false))
                .build();
        emulator = ArmEmulator.builder().retiredSizes(true).start();
        azure = connect(emulator);

        assertThat(made(create(spec))).hasSize(2);

        JsonNode set = AzureFixture.get(emulator, azure.names(spec).scaleSet().toString(), "2024-07-01");
        assertThat(set.at("/sku/name").asText()).isEqualTo(size);
        assertThat(set.path("properties").path("singlePlacementGroup").asBoolean())
                .as("singlePlacementGroup of " + set)
                .isTrue();
    }

    @Test
    void placesAllNodesOnOneFabric() {
        ClusterSpec few = spec(1).toBuilder()
                .nodes(n -> n.size("Standard_D8s_v5"))
                .placement(p -> p.kind(Placement.Kind.AUTO))
                .build();
        ClusterSpec many = few.toBuilder().nodes(n -> n.count(201)).build();
        start();
        azure.createNetwork(few, log);
        assertThat(azure.choosesAddresses(few)).isFalse();
        assertThat(azure.choosesAddresses(many)).isTrue();
        assertThat(Assertions.catchThrowable(() -> azure.createNetwork(many, log)))
                .isInstanceOf(AzureException.class)
                .hasMessageContaining("the existing nodes are in cluster-avset, another fabric")
                .hasMessageContaining("write placement.kind: availability-set");
    }
}
