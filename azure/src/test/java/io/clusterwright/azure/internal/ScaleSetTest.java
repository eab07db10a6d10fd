package io.clusterwright.azure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.compute.ComputeManager;
import com.azure.resourcemanager.network.NetworkManager;
import com.azure.resourcemanager.resources.ResourceManager;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.FaultKind;
import io.clusterwright.azure.emulator.FaultScript;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SshAccess;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineOutcome;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.MachineState;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.ResourceId;
import io.clusterwright.core.spi.ResourceLog;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes as instances of a scale set, against the emulated Azure; the sessions to them are those of {@link FirstContact}. */
class ScaleSetTest {
    private final FirstContact backend = new FirstContact();
    private final Log log = new Log();

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

    private AzureProvider connect(ArmEmulator emulator) {
        return connect(emulator, backend);
    }

    /** A provider of this emulator whose nodes are those of this backend, whatever their system. */
    static AzureProvider connect(ArmEmulator emulator, NodeBackend backend) {
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", emulator.url().toString());
        endpoints.put("managementEndpointUrl", emulator.url().toString());
        AzureProfile profile = new AzureProfile(
                "22222222-2222-2222-2222-222222222222", emulator.subscriptionId(), new AzureEnvironment(endpoints));
        HttpPipeline pipeline =
                new HttpPipelineBuilder().policies(new RetryPolicy()).build();
        Clients clients = new Clients(
                ComputeManager.authenticate(pipeline, profile).serviceClient(),
                NetworkManager.authenticate(pipeline, profile).serviceClient(),
                ResourceManager.authenticate(pipeline, profile)
                        .withSubscription(emulator.subscriptionId())
                        .serviceClient(),
                new Arm(Duration.ofMillis(20), asked -> Thread.sleep(20)));
        return new AzureProvider(
                clients, new AzureProvider.Settings("images", "", 16, List.of(), false, false), system -> backend);
    }

    private static ArmEmulator emulator(Fault... faults) {
        return ArmEmulator.builder()
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .faults(new FaultScript(List.of(faults)))
                .start();
    }

    private List<MachineRequest> requests(ClusterSpec spec, List<NodeName> nodes) {
        return nodes.stream()
                .map(node -> new MachineRequest(
                        node,
                        Ipv4Address.parse("10.42.3.200"),
                        spec.nodes().size(),
                        new ImageSource.Base(spec.image().base()),
                        new Bootstrap(
                                node,
                                spec.login().user(),
                                List.of(backend.newKeyPair("user").publicKey().toString()),
                                backend.newKeyPair(node.value()))))
                .toList();
    }

    private Map<NodeName, MachineOutcome> create(AzureProvider azure, ClusterSpec spec, List<NodeName> nodes) {
        Map<NodeName, MachineOutcome> outcomes = Collections.synchronizedMap(new TreeMap<>());
        azure.createNetwork(spec, log);
        azure.createMachines(
                spec,
                requests(spec, nodes),
                log,
                outcome -> assertThat(outcomes.put(outcome.name(), outcome)).isNull());
        return outcomes;
    }

    private static Map<NodeName, Machine> made(Map<NodeName, MachineOutcome> outcomes) {
        Map<NodeName, Machine> made = new TreeMap<>();
        outcomes.forEach((node, outcome) -> {
            if (outcome instanceof MachineOutcome.Made known) {
                made.put(node, known.machine());
            }
        });
        return made;
    }

    private static long writes(ArmEmulator emulator) {
        return emulator.requests().stream().filter(SeenRequest::isWrite).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void anyNumberOfNodesTakesAtMostTenWriteCallsAndOneDeletesThem(int nodes) {
        ClusterSpec spec = spec(nodes);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);

            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));

            assertThat(made.keySet()).containsExactlyElementsOf(spec.nodes().names());
            assertThat(writes(emulator)).isEqualTo(6);
            assertThat(made.values()).extracting(Machine::address).doesNotHaveDuplicates();
            assertThat(made.values()).extracting(Machine::resource).doesNotHaveDuplicates();
            assertThat(made.values())
                    .allSatisfy(machine -> assertThat(azure.state(machine)).isEqualTo(MachineState.RUNNING));

            long before = writes(emulator);
            assertThat(log.announced).extracting(ResourceId::kind).doesNotContain(Names.MACHINE);
            log.reversed().forEach(resource -> azure.delete(spec.name(), resource));
            assertThat(writes(emulator) - before).isEqualTo(5);
            assertThat(azure.remaining(spec.name())).isEmpty();
        }
    }

    @Test
    void eachNodeGetsItsOwnHostKeyOverASessionWhoseKeysServeOnlyOnce() {
        ClusterSpec spec = spec(3);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));

            assertThat(backend.identities.keySet()).isEqualTo(made.keySet());
            made.forEach(
                    (node, machine) -> assertThat(backend.identities.get(node)).isEqualTo(machine.hostKey()));
            assertThat(made.values()).extracting(Machine::hostKey).doesNotHaveDuplicates();
            assertThat(backend.dialledWith).hasSize(1);

            ClusterSpec larger = spec(4);
            create(azure, larger, List.of(new NodeName("cluster14")));
            assertThat(backend.dialledWith)
                    .as("another key for another creation")
                    .hasSize(2);
        }
    }

    @Test
    void aFailedInstanceIsMadeAgainAndTheOthersDoNotNotice() {
        ClusterSpec spec = spec(5);
        Fault once = Fault.of(FaultKind.OS_PROVISIONING_TIMED_OUT, "PUT", "**/cluster-vmss/virtualMachines/2");
        try (ArmEmulator emulator = emulator(once)) {
            AzureProvider azure = connect(emulator);

            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));

            assertThat(made.keySet()).containsExactlyElementsOf(spec.nodes().names());
            assertThat(made.values())
                    .extracting(machine -> InstanceId.find(machine.resource().name())
                            .orElseThrow()
                            .instance())
                    .containsExactly("0", "1", "5", "3", "4");
            assertThat(writes(emulator)).isEqualTo(8);
            assertThat(instances(azure, spec)).containsExactly("0", "1", "3", "4", "5");
        }
    }

    @Test
    void anInstanceThatFailsAgainAndAgainIsToldWithItsReasonAndNothingOfItIsLeft() {
        ClusterSpec spec = spec(4);
        Fault always = Fault.of(FaultKind.EXTENSION_FAILED, "PUT", "**/virtualMachines/1");
        Fault again = Fault.of(FaultKind.EXTENSION_FAILED, "PUT", "**/virtualMachines/4");
        try (ArmEmulator emulator = emulator(always, again)) {
            AzureProvider azure = connect(emulator);

            Map<NodeName, MachineOutcome> outcomes =
                    create(azure, spec, spec.nodes().names());

            assertThat(made(outcomes)).hasSize(3);
            assertThat(outcomes.get(new NodeName("cluster12")))
                    .isInstanceOfSatisfying(
                            MachineOutcome.Failed.class,
                            failed -> assertThat(failed.cause())
                                    .isInstanceOfSatisfying(
                                            AzureException.class,
                                            cause -> assertThat(cause.reason())
                                                    .isEqualTo(AzureException.Reason.EXTENSION))
                                    .hasMessageContaining("cluster12")
                                    .hasMessageContaining("exit status=1"));
            assertThat(instances(azure, spec)).containsExactly("0", "2", "3");
            assertThat(writes(emulator)).isLessThanOrEqualTo(10);
        }
    }

    @Test
    void aNodeThatNeverAnswersIsReplacedByAnotherInstance() {
        backend.silentAddresses.add("10.42.0.4");
        ClusterSpec spec = spec(2);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, MachineOutcome> outcomes =
                    create(azure, spec, spec.nodes().names());
            assertThat(outcomes.get(new NodeName("cluster11")).toString())
                    .contains("cluster11 did not answer its first session within");
            assertThat(made(outcomes)).containsOnlyKeys(new NodeName("cluster12"));
            assertThat(instances(azure, spec)).hasSize(1);
        }
    }

    @Test
    void withoutCapacityNothingIsLeftAndEveryNodeIsToldWhy() {
        ClusterSpec spec = spec(3);
        Fault none = Fault.of(FaultKind.ALLOCATION_FAILED, "PUT", "**/virtualMachineScaleSets/*");
        try (ArmEmulator emulator = emulator(none)) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, MachineOutcome> outcomes =
                    create(azure, spec, spec.nodes().names());
            assertThat(outcomes).hasSize(3);
            assertThat(outcomes.values())
                    .allSatisfy(outcome -> assertThat(((MachineOutcome.Failed) outcome).cause())
                            .isInstanceOfSatisfying(
                                    AzureException.class,
                                    cause -> assertThat(cause.reason()).isEqualTo(AzureException.Reason.CAPACITY)));
            assertThat(log.announced).extracting(ResourceId::kind).doesNotContain(Names.SCALE_SET);
            assertThat(azure.remaining(spec.name()))
                    .allSatisfy(left -> assertThat(left.kind()).isEqualTo(Names.GROUP));
            assertThat(emulator.requests())
                    .filteredOn(
                            seen -> seen.method().equals("PUT") && seen.path().contains("virtualMachineScaleSets"))
                    .as("no second try where there is no hardware")
                    .hasSize(1);
        }
    }

    @Test
    void namedNodesLeaveTogetherOthersJoinAndStrayInstancesGo() {
        ClusterSpec spec = spec(6);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));
            long before = writes(emulator);
            Together.run(
                    "test",
                    3,
                    List.of("cluster12", "cluster13", "cluster15").stream()
                            .<Runnable>map(node -> () -> azure.delete(
                                    spec.name(), made.get(new NodeName(node)).resource()))
                            .toList());
            assertThat(writes(emulator) - before).isBetween(1L, 2L);
            assertThat(instances(azure, spec)).containsExactly("0", "3", "5");
            azure.delete(spec.name(), made.get(new NodeName("cluster12")).resource());

            log.announced.clear();
            Map<NodeName, Machine> grown =
                    made(create(azure, spec, List.of(new NodeName("cluster12"), new NodeName("cluster17"))));
            assertThat(instances(azure, spec)).containsExactly("0", "3", "5", "6", "7");
            assertThat(log.announced)
                    .as("what a rollback would delete")
                    .containsExactlyElementsOf(
                            grown.values().stream().map(Machine::resource).toList());

            create(azure, spec, List.of(new NodeName("cluster17")));
            assertThat(instances(azure, spec))
                    .as("an instance whose node is asked for again is not that node")
                    .containsExactly("0", "3", "5", "6", "8");
        }
    }

    @Test
    void aScaleSetIsStoppedAndStartedInOneCallEach() {
        ClusterSpec spec = spec(3);
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            Map<NodeName, Machine> made = made(create(azure, spec, spec.nodes().names()));
            long before = writes(emulator);
            azure.stop(made.values(), true);
            assertThat(made.values())
                    .allSatisfy(machine -> assertThat(azure.state(machine)).isEqualTo(MachineState.STOPPED));
            azure.start(List.of(made.get(new NodeName("cluster11"))));
            assertThat(writes(emulator) - before).isEqualTo(2);
            assertThat(made.values())
                    .extracting(azure::state)
                    .containsExactly(MachineState.RUNNING, MachineState.STOPPED, MachineState.STOPPED);
        }
    }

    @Test
    void automaticPlacementNeverPutsTheNodesOfOneClusterOnTwoFabrics() {
        ClusterSpec few =
                spec(1).toBuilder().placement(p -> p.kind(Placement.Kind.AUTO)).build();
        ClusterSpec many = few.toBuilder().nodes(n -> n.count(201)).build();
        try (ArmEmulator emulator = emulator()) {
            AzureProvider azure = connect(emulator);
            azure.createNetwork(few, log);
            assertThat(azure.choosesAddresses(few)).isFalse();
            assertThat(azure.choosesAddresses(many)).isTrue();
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> azure.createNetwork(many, log)))
                    .isInstanceOf(AzureException.class)
                    .hasMessageContaining("the nodes there are in cluster-avset, which is another fabric")
                    .hasMessageContaining("write placement.kind: availability-set");
        }
    }

    private static List<String> instances(AzureProvider azure, ClusterSpec spec) {
        return azure.scaleSets().instances(azure.names(spec).scaleSet()).stream()
                .map(instance -> instance.instanceId())
                .toList();
    }

    /** Keeps what is announced, in order. */
    private static final class Log implements ResourceLog {
        final List<ResourceId> announced = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void creating(ResourceId resource) {
            announced.add(resource);
        }

        @Override
        public void created(ResourceId resource) {
            assertThat(announced).contains(resource);
        }

        @Override
        public void deleted(ResourceId resource) {
            announced.remove(resource);
        }

        List<ResourceId> reversed() {
            List<ResourceId> reversed = new ArrayList<>(announced);
            Collections.reverse(reversed);
            return reversed;
        }
    }
}
