package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.spi.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose record or processes are not as they were left. */
@Tag("breadth")
class BrokenNodeTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "{\"address\":\"10.72.0.11\",\"link\":\"x\",\"user\":\"no user\"}"})
    void aNodeWithADamagedRecordIsFailedAndCanBeDeleted(String record) throws Exception {
        try (Lab lab = new Lab("lm-damaged", "10.72.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            var nodes = lab.network().boot(Lab.THIS_SYSTEM, 11);
            Machine node = nodes.get(0);
            Set<String> namespaces = lab.namespaces(nodes);
            Path file = lab.folders.node(lab.spec.name(), node.name()).resolve(NodeRecord.FILE);
            Files.writeString(file, record);

            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.FAILED);
            assertThatThrownBy(() -> lab.machines.endpoint(lab.cluster(), node))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageStartingWith("could not read the record " + file + ": it is damaged (")
                    .hasMessageEndingWith("); delete the node and create it again");
            lab.machines.delete(lab.cluster(), node.resource());

            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.ABSENT);
            assertThat(MachineSnapshot.inNamespaces(namespaces)).isEmpty();
            lab.destroy();
            assertThat(lab.snapshot()).isEqualTo(before);
        }
    }

    @Test
    void aNodeWithoutARecordIsFailedAndMadeAgainByTheSameCall() throws Exception {
        try (Lab lab = new Lab("lm-half", "10.72.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            var namespaces = lab.namespaces(List.of(node));
            Files.delete(lab.folders.node(lab.spec.name(), node.name()).resolve(NodeRecord.FILE));
            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.FAILED);

            Machine again = lab.boot(Lab.THIS_SYSTEM, 11).get(0);

            assertThat(MachineSnapshot.inNamespaces(namespaces)).isEmpty();
            assertThat(lab.output(again, "hostname")).isEqualTo("lm-half-11");
        }
    }

    @Test
    void aNodeWithoutItsDiskIsFailed() throws Exception {
        try (Lab lab = new Lab("lm-diskless", "10.72.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            lab.machines.host().stop(lab.spec.name(), node.name());
            Path folder = lab.folders.node(lab.spec.name(), node.name());
            Files.move(folder.resolve("up"), folder.resolve("elsewhere"));
            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.FAILED);
        }
    }

    @Test
    void aNodeWhoseSshServerIsHaltedRunsAndKeepsItsFiles() throws Exception {
        try (Lab lab = new Lab("lm-halted", "10.72.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            lab.output(node, "echo kept > file");
            String first = NodeRecord.read(lab.folders.node(lab.spec.name(), node.name()))
                    .map(NodeRecord::first)
                    .map(process -> Long.toString(process.pid()))
                    .orElseThrow();

            HostCommand.of("kill", "-STOP", first).orThrow("halt");
            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.RUNNING);
            assertThat(lab.ssh(node, "true").exit()).isEqualTo(255);

            HostCommand.of("kill", "-CONT", first).orThrow("continue");
            assertThat(lab.output(node, "cat file")).isEqualTo("kept");
        }
    }

    @Test
    void aNodeWhoseFirstProcessEndedIsStoppedAndStartsAgain() throws Exception {
        try (Lab lab = new Lab("lm-ended", "10.72.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            var first = NodeRecord.read(lab.folders.node(lab.spec.name(), node.name()))
                    .map(NodeRecord::first)
                    .orElseThrow();
            first.kill();
            Awaitility.await().until(() -> !first.isAlive());

            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.STOPPED);
            lab.machines.host().boot(lab.spec.name(), node.name());
            assertThat(lab.output(node, "hostname")).isEqualTo("lm-ended-11");
        }
    }
}
