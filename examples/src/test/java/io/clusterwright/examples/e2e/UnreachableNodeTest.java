package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node whose machine runs and does not answer is kept, with its disk, until the user asks for another one. */
@Tag("breadth")
class UnreachableNodeTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-silent", 79, 3);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Test
    void isNamedAndKeptUntilItsReplacementIsAskedFor() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path spec = machine.write(
                "silent.yaml", CLUSTER.plainSpec().replace("    mpi: {flavour: mpich, install: distribution}\n", ""));
        machine.succeeds("create %s --on local", spec);
        machine.succeeds("run %s --nodes %s -- touch /var/tmp/result", CLUSTER.name(), CLUSTER.node(2));
        long sshd = sshd(CLUSTER.node(2));
        machine.run(List.of("kill", "-STOP", Long.toString(sshd)));

        Program.Ended refused = machine.fails("resize %s 4", CLUSTER.name());
        assertThat(refused.stderr())
                .contains(
                        CLUSTER.node(2) + " exists and does not answer", "nothing was deleted", "--replace-unreachable")
                .doesNotContain("\tat ");
        assertThat(machine.succeeds("show %s", CLUSTER.name()).stdout())
                .contains(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3))
                .doesNotContain(CLUSTER.node(4));

        machine.run(List.of("kill", "-CONT", Long.toString(sshd)));
        machine.succeeds("resize %s 4", CLUSTER.name());
        assertThat(result(2).status()).as("the file is still there").isZero();

        machine.run(List.of("kill", "-STOP", Long.toString(sshd)));
        machine.succeeds("resize %s 4 --replace-unreachable", CLUSTER.name());
        assertThat(result(2).status()).as("the node is a new one").isEqualTo(1);
        assertThat(machine.succeeds("run %s -- hostname", CLUSTER.name()).stdout())
                .contains(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3), CLUSTER.node(4));

        assertThat(machine.succeeds("destroy %s", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    /** A job needs the nodes that it uses, and no others. */
    @Test
    void keepsNoJobFromTheOtherNodes() throws IOException {
        Path spec = machine.write(
                "silent.yaml", CLUSTER.plainSpec().replace("    mpi: {flavour: mpich, install: distribution}\n", ""));
        machine.succeeds("create %s --on local", spec);
        machine.run(List.of("kill", "-KILL", Long.toString(sshd(CLUSTER.node(2)))));

        String others = CLUSTER.node(1) + "," + CLUSTER.node(3);
        assertThat(machine.succeeds("mpi %s --nodes %s --ppn 1 -- hostname", CLUSTER.name(), others)
                        .stdout())
                .contains(CLUSTER.node(1), CLUSTER.node(3));
        Program.Ended retried = machine.succeeds("mpi %s --ppn 1 --retry 1 -- hostname", CLUSTER.name());
        assertThat(retried.stdout()).contains(CLUSTER.node(1), CLUSTER.node(3));
        assertThat(retried.stderr()).contains(CLUSTER.node(2)).doesNotContain("\tat ");
        assertThat(machine.succeeds("destroy %s", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
    }

    private Program.Ended result(int node) {
        return machine.clusterwright(
                "run %s --nodes %s -- test -e /var/tmp/result", CLUSTER.name(), CLUSTER.node(node));
    }

    /** The process on this machine that listens on a node. */
    private static long sshd(String node) throws IOException {
        Path record = Path.of("/run/clusterwright", CLUSTER.name(), "nodes", node, "node.json");
        long first = AnalyzeTest.json(Files.readString(record))
                .path("first")
                .path("pid")
                .asLong();
        Path namespace = Files.readSymbolicLink(Path.of("/proc", Long.toString(first), "ns/pid"));
        return ProcessHandle.allProcesses()
                .filter(process -> isListenerIn(process.pid(), namespace))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static boolean isListenerIn(long pid, Path namespace) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            return Files.readSymbolicLink(process.resolve("ns/pid")).equals(namespace)
                    && Files.readString(process.resolve("cmdline")).contains("[listener]");
        } catch (IOException e) {
            // It has ended meanwhile, or is a thread of the kernel.
            return false;
        }
    }
}
