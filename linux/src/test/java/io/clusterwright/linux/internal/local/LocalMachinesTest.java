package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.OperationInterruptedException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
class LocalMachinesTest {

    @Nested
    class TwoNodes {
        private static Lab lab;
        private static List<Machine> nodes;

        @BeforeAll
        static void boot() throws Exception {
            lab = new Lab("lm-basic", "10.40.0.0/16");
            nodes = lab.network().boot(Lab.THIS_SYSTEM, 11, 12);
        }

        @AfterAll
        static void destroy() throws Exception {
            lab.close();
        }

        @Test
        void nodesHaveTheirNamesAndAnSshServer() {
            for (Machine node : nodes) {
                assertThat(lab.output(node, "hostname; cat /etc/hostname")).isEqualTo(node.name() + "\n" + node.name());
                assertThat(lab.output(node, "cat /proc/1/comm; readlink /proc/self/root"))
                        .isEqualTo("sshd\n/");
            }
        }

        @Test
        void nodesHaveALoginWithSudo() {
            for (Machine node : nodes) {
                assertThat(lab.output(node, "id -un; sudo -n id -u")).isEqualTo("azureuser\n0");
            }
        }

        @Test
        void nodesHaveDistinctMachineIdsAndHostKeys() throws Exception {
            Set<String> machineIds = new HashSet<>();
            nodes.forEach(node -> machineIds.add(lab.output(node, "cat /etc/machine-id")));
            assertThat(machineIds).hasSize(2).allMatch(id -> id.matches("[0-9a-f]{32}"));
            assertThat(machineIds).doesNotContain(hostMachineId());
            assertThat(nodes.get(0).hostKey()).isNotEqualTo(nodes.get(1).hostKey());
        }

        @Test
        void nodesReachEachOther() {
            assertThat(lab.output(
                            nodes.get(0),
                            "ssh-keyscan -T 2 -t ed25519 " + nodes.get(1).address() + " 2>/dev/null"))
                    .contains(nodes.get(1).hostKey().base64());
        }

        @Test
        void nodesReportNoFastNetwork() {
            for (Machine node : nodes) {
                assertThat(node.interconnect()).isEqualTo(Interconnect.NONE);
                assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.RUNNING);
            }
        }

        @Test
        void resourcesAreAnnouncedBeforeTheirCreation() {
            assertThat(lab.announced)
                    .startsWith("creating network lm-basic", "created network lm-basic")
                    .contains("creating machine lm-basic-11", "created machine lm-basic-12");
            assertThat(lab.machines.remaining(lab.cluster()))
                    .containsExactly(
                            new ResourceId("machine", "lm-basic-11"),
                            new ResourceId("machine", "lm-basic-12"),
                            new ResourceId("network", "lm-basic"));
        }
    }

    @Test
    void destroyLeavesNothing() throws Exception {
        try (Lab lab = new Lab("lm-gone", "10.40.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            List<Machine> nodes = lab.network().boot(Lab.THIS_SYSTEM, 11, 12);
            Set<String> namespaces = lab.namespaces(nodes);
            assertThat(MachineSnapshot.inNamespaces(namespaces)).isNotEmpty();

            lab.destroy();

            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
            assertThat(lab.snapshot()).isEqualTo(before);
            assertThat(MachineSnapshot.inNamespaces(namespaces)).isEmpty();
            assertThat(lab.machines.state(lab.cluster(), nodes.get(0))).isEqualTo(MachineState.ABSENT);
        }
    }

    @Test
    void deletingTheNetworkEndsItsNodesAndMayBeRepeated() throws Exception {
        try (Lab lab = new Lab("lm-twice", "10.40.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            lab.network().network().boot(Lab.THIS_SYSTEM, 11);
            ResourceId network = new ResourceId("network", "lm-twice");
            lab.machines.delete(lab.cluster(), network);
            assertThat(lab.snapshot()).isEqualTo(before);
            lab.machines.delete(lab.cluster(), network);
            lab.machines.delete(lab.cluster(), new ResourceId("machine", "lm-twice-11"));
            assertThat(lab.snapshot()).isEqualTo(before);
        }
    }

    @Test
    void bootsSixteenNodesAtOnce() throws Exception {
        try (Lab lab = new Lab("lm-many", "10.40.0.0/16")) {
            List<Machine> nodes =
                    lab.network().boot(Lab.THIS_SYSTEM, IntStream.range(11, 27).toArray());
            assertThat(nodes).hasSize(16);
            assertThat(bridgeMac(lab))
                    .as("the bridge's address does not follow its ports")
                    .startsWith("02:c1:");
            assertThat(nodes)
                    .allSatisfy(node -> assertThat(lab.output(node, "hostname"))
                            .isEqualTo(node.name().value()));
        }
    }

    @Test
    void aFailedNodeReportsTheEndOfItsLog() throws Exception {
        try (Lab lab = new Lab("lm-fail", "10.40.0.0/16")) {
            lab.network();
            MachineRequest good = lab.request(11, Lab.THIS_SYSTEM);
            MachineRequest bad = lab.request(12, Lab.THIS_SYSTEM);
            MachineRequest spoiled = new MachineRequest(
                    bad.name(),
                    lab.spec.network().subnet().range().address(11),
                    bad.size(),
                    bad.image(),
                    bad.bootstrap());
            List<MachineOutcome> outcomes = new ArrayList<>(lab.outcomes(List.of(good)));
            Files.writeString(
                    lab.folders.cluster(lab.cluster().name()).resolve("bin/node-start.sh"),
                    "echo went wrong >&2; exit 3\n");
            outcomes.addAll(lab.outcomes(List.of(spoiled)));

            assertThat(outcomes.get(0)).isInstanceOf(MachineOutcome.Made.class);
            assertThat(outcomes.get(1)).isInstanceOfSatisfying(MachineOutcome.Failed.class, failed -> {
                assertThat(failed.name()).isEqualTo(bad.name());
                assertThat(failed.cause())
                        .isInstanceOf(LocalMachinesException.class)
                        .hasMessageContaining("node lm-fail-12: could not boot")
                        .hasMessageEndingWith("its log ends: went wrong");
            });
        }
    }

    @Test
    void anInterruptedBootReportsEveryNodeAndCanBeDeleted() throws Exception {
        try (Lab lab = new Lab("lm-cut", "10.40.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            lab.network();
            List<MachineRequest> requests = IntStream.range(11, 27)
                    .mapToObj(k -> lab.request(k, Lab.THIS_SYSTEM))
                    .toList();
            List<MachineOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
            Thread boot = new Thread(() -> {
                try {
                    lab.machines.createMachines(lab.spec, requests, lab.log, outcomes::add);
                } catch (OperationInterruptedException e) {
                    lab.announced.add("thrown, flag " + Thread.currentThread().isInterrupted());
                }
            });
            boot.start();
            Awaitility.await()
                    .until(() -> lab.announced.stream().anyMatch(line -> line.startsWith("creating machine")));
            boot.interrupt();
            boot.join(20_000);

            assertThat(boot.isAlive()).isFalse();
            assertThat(lab.announced).contains("thrown, flag true");
            assertThat(outcomes).hasSize(requests.size());
            lab.destroy();
            assertThat(lab.snapshot()).isEqualTo(before);
        }
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(MachineProvider.class))
                .anySatisfy(provider -> assertThat(provider.name()).isEqualTo("local"));
    }

    @Test
    void stopsAndBootsAgainWithItsDisk() throws Exception {
        try (Lab lab = new Lab("lm-again", "10.40.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            String id = lab.output(node, "echo kept | sudo tee /etc/kept > /dev/null; cat /etc/machine-id");
            lab.machines.host().stop(lab.cluster().name(), node.name());
            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.STOPPED);
            lab.machines.host().boot(lab.cluster().name(), node.name());
            assertThat(lab.output(node, "cat /etc/kept /etc/machine-id")).isEqualTo("kept\n" + id);
        }
    }

    /** With another hardware address, the first node would talk to the one that is gone until its kernel gives up, for seconds. */
    @Test
    void aNodeMadeAgainIsFoundAtOnceByTheOthers() throws Exception {
        try (Lab lab = new Lab("lm-made-again", "10.40.0.0/16")) {
            List<Machine> nodes = lab.network().boot(Lab.THIS_SYSTEM, 11, 12);
            Machine first = nodes.get(0);
            Machine second = nodes.get(1);
            String mac = lab.output(second, "cat /sys/class/net/eth0/address");
            String ask = "ssh-keyscan -T 3 -t ed25519 " + second.address() + " 2>/dev/null";
            assertThat(lab.output(first, ask)).contains(second.hostKey().base64());

            lab.machines.delete(lab.cluster(), second.resource());
            Machine again = lab.boot(Lab.THIS_SYSTEM, 12).get(0);

            assertThat(lab.ssh(first, ask).out()).contains(again.hostKey().base64());
            assertThat(lab.output(again, "cat /sys/class/net/eth0/address"))
                    .isEqualTo(mac)
                    .isNotEqualTo(lab.output(first, "cat /sys/class/net/eth0/address"));
        }
    }

    private static String bridgeMac(Lab lab) throws Exception {
        String bridge = new LinkNames(lab.cluster()).bridge();
        return Files.readString(java.nio.file.Path.of("/sys/class/net", bridge, "address"));
    }

    private static String hostMachineId() throws Exception {
        var file = java.nio.file.Path.of("/etc/machine-id");
        return Files.exists(file) ? Files.readString(file).strip() : "none";
    }
}
