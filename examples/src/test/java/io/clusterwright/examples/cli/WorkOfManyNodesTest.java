package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.Planner;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.testing.Growth;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.examples.crash.StubSession;
import io.clusterwright.linux.AnsibleInventory;
import io.clusterwright.linux.HostsFile;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.internal.slurm.SlurmConf;
import io.clusterwright.mpi.job.JobTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done with a description or a record takes work that grows with the nodes, not with their square. */
class WorkOfManyNodesTest {
    private static final int FIRST = 10_001;
    private static final SshPublicKey KEY =
            SshPublicKey.of("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE2p6ANNkjKUqGnCsUKTHAeVlWuKB0F5iLQ6WMGcGJoH");

    @TempDir
    Path folder;

    private static String text(int nodes) {
        return """
                name: wing
                region: westeurope
                timeToLive: 8h
                headNode: {size: Standard_D4s_v3}
                nodes: {count: %d, size: Standard_HB120rs_v3, firstIndex: %d}
                network:
                  addressSpace: 10.32.0.0/16
                  subnet: {name: Subnet-1, range: 10.32.0.0/17}
                  firstAddress: 10.32.0.10
                  ssh: {external: head, allowFrom: [203.0.113.7/32]}
                image:
                  capture: true
                  customize:
                    user: {name: hpcuser}
                    memlock: [{who: "*", limit: unlimited}]
                    ssh: {trust: cluster-key, hostKeys: pinned}
                mpi: {preset: hpc-x/ucx}
                suppress: [CW-PLACE-001]
                """.formatted(nodes, FIRST);
    }

    private static ClusterSpec spec(int nodes) {
        return SpecReader.read(text(nodes), "wing.yaml");
    }

    private static List<Node> nodes(int count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(
                    new NodeName("wing" + (FIRST + i)),
                    Ipv4Address.of("10.32.0.10").plus(i),
                    KEY,
                    Interconnect.NONE));
        }
        return nodes;
    }

    @Test
    void readsChecksPlansAndRenders() {
        Growth.requireLinear(count -> {
            ClusterSpec spec = spec(count);
            return new Growth()
                    .step("read", () -> assertThat(spec(count).nodes().count()).isEqualTo(count))
                    .step("check", () -> assertThat(Planner.check(spec)).noneMatch(Finding::isError))
                    .step(
                            "plan",
                            () -> assertThat(Planner.offline().plan(spec).toText())
                                    .contains("wing[" + FIRST))
                    .step("render", () -> Planner.offline().render(spec).writeTo(folder.resolve("api")))
                    .step(
                            "render for this machine",
                            () -> Planner.offline().provider("local").render(spec));
        });
    }

    @Test
    void doesTheSameInTheProgram() {
        Growth.requireLinear(count -> {
            String spec = write("wing.yaml", text(count).lines().toList()).toString();
            String to = folder.resolve("to").toString();
            return new Growth()
                    .step("validate", () -> succeeds("validate", spec))
                    .step("plan", () -> succeeds("plan", spec, "--json"))
                    .step("render", () -> succeeds("render", spec, "--to", to));
        });
    }

    private static void succeeds(String... arguments) {
        InThisJvm.Ran ran = InThisJvm.run(arguments);
        assertThat(ran.status()).as(ran.toString()).isZero();
    }

    @Test
    void shows() {
        Growth.requireLinear(count -> {
            write("state/clusters/wing/journal.jsonl", record(count));
            try (ClusterManager manager = ClusterManager.builder(ProviderMachines.of(running()))
                    .stateStore(StateStore.inFolder(folder.resolve("state")))
                    .build()) {
                return new Growth()
                        .step("show", () -> assertThat(shown(manager, false)).contains("wing" + (FIRST + count - 1)))
                        .step("show --json", () -> shown(manager, true));
            }
        });
    }

    /** A provider that knows one thing about its machines: they run. */
    private static MachineProvider running() {
        return (MachineProvider) Proxy.newProxyInstance(
                MachineProvider.class.getClassLoader(),
                new Class<?>[] {MachineProvider.class},
                (provider, method, arguments) -> switch (method.getName()) {
                    case "name" -> "running";
                    case "state" -> MachineState.RUNNING;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    /** What the program prints of the cluster. */
    private static String shown(ClusterManager manager, boolean json) {
        return InThisJvm.run("", () -> {
                    ProgramCommand command = new ProgramCommand() {
                        @Override
                        public Integer call() {
                            show(manager, new ClusterName("wing"));
                            return ExitCodes.OK;
                        }
                    };
                    command.json = json;
                    try {
                        return command.call();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                })
                .stdout();
    }

    @Test
    void exportsEachForm() {
        Growth.requireLinear(count -> {
            List<Node> nodes = nodes(count);
            SshAccess access = new SshAccess(
                    new UserName("azureuser"),
                    Path.of("/state/login"),
                    Path.of("/state/known_hosts"),
                    nodes.stream()
                            .map(node -> new SshAccess.Route(
                                    node.name(),
                                    node.address(),
                                    node.address().toString(),
                                    22,
                                    KEY,
                                    node == nodes.get(0) ? null : nodes.get(0).name()))
                            .toList());
            try (Cluster cluster = Cluster.of(spec(count), nodes, new AnsweringSessions())) {
                JobTarget[] target = new JobTarget[1];
                Growth growth = new Growth()
                        .step(
                                "ssh config",
                                () -> SshClientConfig.reaching(access).text())
                        .step(
                                "ansible",
                                () -> AnsibleInventory.of(cluster, access).text())
                        .step("target", () -> target[0] = JobTarget.of(cluster))
                        .step("a part of the target", () -> target[0].only(target[0].nodeNames()))
                        .step("slurm.conf", () -> slurm(nodes).text());
                for (MpiFlavour flavour : List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI, MpiFlavour.MVAPICH2)) {
                    growth.step("hostfile of " + flavour, () -> target[0].hostfile(flavour));
                }
                return growth;
            }
        });
    }

    private static SlurmConf slurm(List<Node> nodes) {
        List<SlurmConf.Node> all = nodes.stream()
                .map(node -> new SlurmConf.Node(node.name(), node.address(), 2, 1, 2, 1, 1_000))
                .toList();
        return new SlurmConf(spec(1).name(), all.get(0), all, "22.05.8", true, "pmix");
    }

    @Test
    void editsTheFilesOfANode() {
        Growth.requireLinear(count -> {
            Map<NodeName, Ipv4Address> addresses = new LinkedHashMap<>();
            nodes(count).forEach(node -> addresses.put(node.name(), node.address()));
            HostsFile hosts = HostsFile.of(addresses);
            KnownHosts keys = new KnownHosts(nodes(count).stream()
                    .map(node -> KnownHost.of(node.name(), node.address(), KEY))
                    .toList());
            String edited = hosts.edit("127.0.0.1 localhost\n", spec(1).name());
            String known = keys.text();
            return new Growth()
                    .step(
                            "hosts",
                            () -> assertThat(hosts.edit(edited, spec(1).name())).isEqualTo(edited))
                    .step("known hosts", () -> assertThat(keys.edit(known)).isEqualTo(known));
        });
    }

    @Test
    void describesResourcesOfAzure() {
        Growth.requireLinear(count -> {
            ClusterSpec spec = SpecReader.read("""
                            name: wing
                            region: westeurope
                            nodes: {count: %d, size: Standard_D4s_v3, firstIndex: %d}
                            network:
                              subnet: {name: Subnet-1, range: 10.32.0.0/17}
                              ssh: {external: all, portPrefix: 1}
                            placement: {kind: none}
                            """.formatted(count, FIRST), "wing.yaml");
            ResourceNames names = new ResourceNames("subscription", spec);
            ClusterResources resources = ClusterResources.requests(names, ClusterId.random(spec.name()));
            return new Growth()
                    .step("load balancer", () -> resources.loadBalancerOfNodes().request())
                    .step("machines", () -> nodes(count).forEach(node -> names.node(node.name(), node.address())));
        });
    }

    private Path write(String name, List<String> lines) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The record of a cluster, as its creation writes it. */
    private static List<String> record(int count) {
        ClusterSpec spec = spec(count);
        List<String> lines = new ArrayList<>();
        Journal journal = new Journal(ClusterId.random(spec.name()), lines(lines), Clock.systemUTC());
        journal.began(spec, "running", ClusterPhase.CREATING, false);
        for (Node node : nodes(count)) {
            ResourceId resource = new ResourceId("machine", node.name().value());
            journal.creating(resource);
            journal.machine(new Machine(node.name(), node.address(), resource, KEY, Interconnect.NONE));
        }
        journal.phase(ClusterPhase.READY);
        return lines;
    }

    private static StateStore.Writer lines(List<String> lines) {
        return new StateStore.Writer() {
            @Override
            public void append(String entry) {
                lines.add(entry);
            }

            @Override
            public void forget() {}

            @Override
            public void close() {}
        };
    }

    /** Sessions to nodes that answer each command as a machine with two cores. */
    private static final class AnsweringSessions implements Cluster.SessionSource {
        @Override
        public NodeSession session(NodeName node, UserName user) {
            return new Answering(node, user);
        }

        @Override
        public NodeSession open(NodeName node, UserName user) {
            return new Answering(node, user);
        }

        @Override
        public void close() {}
    }

    private record Answering(NodeName node, UserName user) implements StubSession {
        @Override
        public CommandResult run(Command command) {
            return new CommandResult(node, command, 0, "boot\n2\n", "", Duration.ZERO);
        }
    }
}
