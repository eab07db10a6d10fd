package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipelineBuilder;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** What tests of scale sets do, against the emulated Azure; the sessions to the nodes are those of {@link FirstContact}. */
abstract class ScaleSetFixture {
    static final ClusterId ID = AzureFixture.ID;
    private static final Path EXAMPLE = Path.of("../examples/specs/azure-hbv4.yaml");
    final FirstContact backend = new FirstContact();
    final Log log = new Log();
    ArmEmulator emulator;
    AzureProvider azure;

    /** Starts an emulator with these faults, and connects to it. */
    void start(Fault... faults) {
        emulator = emulator(faults);
        azure = connect(emulator);
    }

    @AfterEach
    void stop() {
        if (emulator != null) {
            emulator.close();
        }
    }

    AzureProvider connect(ArmEmulator emulator) {
        return connect(emulator, backend);
    }

    /** A provider of this emulator whose nodes are those of this backend, whatever their system. */
    static AzureProvider connect(ArmEmulator emulator, NodeBackend backend) {
        return connect(emulator.url(), emulator.subscriptionId(), backend);
    }

    /** The same, of an emulator in another process. */
    static AzureProvider connect(URI emulator, String subscription, NodeBackend backend) {
        return open(
                AzureMachines.builder(AzureFixture.pipeline(), AzureFixture.profile(emulator, subscription)),
                backend,
                new PausesOf(Duration.ofMillis(20)));
    }

    /** A provider without retries below its own, whose time is this one. */
    static AzureProvider impatient(ArmEmulator emulator, NodeBackend backend, WaitTime.Source time) {
        return open(
                AzureMachines.builder(
                        new HttpPipelineBuilder().build(),
                        AzureFixture.profile(emulator.url(), emulator.subscriptionId())),
                backend,
                time);
    }

    private static AzureProvider open(AzureMachines.Builder machines, NodeBackend backend, WaitTime.Source time) {
        return AzureFixture.open(machines.imageGroup("images")
                .backends(system -> backend)
                .time(time)
                .build());
    }

    /** The time of this machine, in which every pause takes just as long as this. */
    private record PausesOf(Duration length) implements WaitTime.Source {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(length.toMillis());
        }
    }

    /** A time in which pauses are over at once, and pass in the emulated Azure too. */
    static WaitTime.Source leaps(ArmEmulator emulator) {
        return new WaitTime.Source() {
            private final AtomicLong slept = new AtomicLong();

            @Override
            public long nanos() {
                return System.nanoTime() + slept.get();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                slept.addAndGet(time.toNanos());
                emulator.advance(time);
                Thread.sleep(1);
            }
        };
    }

    static ArmEmulator emulator(Fault... faults) {
        return ArmEmulator.builder()
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .faults(List.of(faults))
                .start();
    }

    List<MachineRequest> requests(ClusterSpec spec, List<NodeName> nodes) {
        return nodes.stream()
                .map(node -> new MachineRequest(
                        node,
                        Ipv4Address.of("10.42.1.11").plus(nodes.indexOf(node)),
                        spec.nodes().requireSize(),
                        new ImageSource.Base(spec.image().base()),
                        new Bootstrap(
                                node,
                                spec.login().user(),
                                List.of(backend.newKeyPair("user").publicKey().toString()),
                                backend.newKeyPair(node.value()))))
                .toList();
    }

    /** The HBv4 example with this placement and number of nodes. */
    static ClusterSpec example(Placement.Kind kind, int nodes) {
        return SpecReader.read(EXAMPLE).toBuilder()
                .name("cluster")
                .nodes(group -> group.count(nodes))
                .network(network -> network.addressSpace("10.42.0.0/16").subnet("compute", "10.42.0.0/22"))
                .placement(placement -> placement.kind(kind))
                .build();
    }

    /** Makes the head node, through which the other nodes are reached. */
    void createHead(AzureProvider azure, ClusterSpec spec) {
        NodeName head = spec.headName();
        MachineRequest like = requests(spec, List.of(head)).get(0);
        MachineRequest first = new MachineRequest(
                head,
                Ipv4Address.of("10.42.0.4"),
                spec.headNode().orElseThrow().requireSize(),
                like.image(),
                like.bootstrap());
        azure.createMachines(spec, List.of(first), log, outcome -> log.members.putAll(made(Map.of(head, outcome))));
    }

    Map<NodeName, MachineOutcome> create(AzureProvider azure, ClusterSpec spec, List<NodeName> nodes) {
        Map<NodeName, MachineOutcome> outcomes = Collections.synchronizedMap(new TreeMap<>());
        azure.createNetwork(spec, log);
        azure.createMachines(
                spec,
                requests(spec, nodes),
                log,
                outcome -> assertThat(outcomes.put(outcome.name(), outcome)).isNull());
        return outcomes;
    }

    /** The outcomes of all nodes, by the provider that {@link #start} connected. */
    Map<NodeName, MachineOutcome> create(ClusterSpec spec) {
        return create(spec, spec.nodes().names());
    }

    Map<NodeName, MachineOutcome> create(ClusterSpec spec, List<NodeName> nodes) {
        return create(azure, spec, nodes);
    }

    static Map<NodeName, Machine> made(Map<NodeName, MachineOutcome> outcomes) {
        Map<NodeName, Machine> made = new TreeMap<>();
        outcomes.forEach((node, outcome) -> {
            if (outcome instanceof MachineOutcome.Made known) {
                made.put(node, known.machine());
            }
        });
        return made;
    }

    static long writes(ArmEmulator emulator) {
        return emulator.requests().stream().filter(SeenRequest::isWrite).count();
    }

    long writes() {
        return writes(emulator);
    }

    List<String> instances(ClusterSpec spec) {
        return instances(azure, spec);
    }

    static List<String> instances(AzureProvider azure, ClusterSpec spec) {
        return azure.scaleSets().instances(azure.names(spec).scaleSet()).stream()
                .map(instance -> instance.instanceId())
                .toList();
    }

    /** Keeps what is announced, and what the provider asks of the cluster's nodes. */
    static class Log extends AzureFixture.Log {
        Optional<Instant> end = Optional.empty();
        final Map<NodeName, Machine> members = new TreeMap<>();
        final List<Machine> awaited = Collections.synchronizedList(new ArrayList<>());

        @Override
        public Optional<Instant> expires() {
            return end;
        }

        @Override
        public NodeSession awaitReady(Machine machine) {
            awaited.add(machine);
            return FirstContact.session();
        }

        @Override
        public Optional<Machine> existing(NodeName node) {
            return Optional.ofNullable(members.get(node));
        }

        @Override
        public void created(ResourceId resource) {
            assertThat(announced).contains(resource);
            super.created(resource);
        }
    }
}
