package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters of one name, and what has lost its record. */
@Tag("breadth")
class ClusterMarksTest {
    private static final String OTHER = "00000000000000ff";

    @Test
    void aClusterWithAnotherIdIsLeftAlone() throws Exception {
        try (Lab lab = new Lab("lm-identity", "10.36.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            Lab stranger = new Lab(lab.spec, lab.folder, OTHER);
            String refusal =
                    "could not change cluster lm-identity: another cluster of that name is on this machine, with"
                            + " the id " + lab.cluster().id()
                            + "; use another name, or destroy the other cluster from the state folder"
                            + " that created it";

            assertThatThrownBy(stranger::network)
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> stranger.boot(Lab.THIS_SYSTEM, 12)).hasMessage(refusal);
            assertThatThrownBy(() -> stranger.machines.stop(stranger.cluster(), List.of(node)))
                    .hasMessage(refusal);
            assertThatThrownBy(() -> stranger.machines.start(stranger.cluster(), List.of(node)))
                    .hasMessage(refusal);
            assertThatThrownBy(() -> stranger.machines.capture(stranger.cluster(), node, "taken", "", 1))
                    .hasMessage(refusal);
            assertThatThrownBy(() -> stranger.machines.endpoint(stranger.cluster(), node))
                    .hasMessage(refusal);
            assertThat(stranger.machines.state(stranger.cluster(), node)).isEqualTo(MachineState.ABSENT);
            assertThat(stranger.machines.remaining(stranger.cluster())).isEmpty();
            stranger.machines.delete(stranger.cluster(), node.resource());
            stranger.machines.delete(stranger.cluster(), new ResourceId("network", "lm-identity"));

            assertThat(lab.output(node, "hostname")).isEqualTo("lm-identity-11");
        }
    }

    @Test
    void clustersOfOneNameInSeparateFoldersShareNothing() throws Exception {
        try (Lab first = new Lab("lm-namesake", "10.36.0.0/16")) {
            Machine node = first.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            try (Lab second = new Lab("lm-namesake", "10.37.0.0/16")) {
                second.network();
                assertThat(second.machines.marked())
                        .extracting(MarkedCluster::id)
                        .containsExactly(second.cluster());
            }
            assertThat(first.output(node, "hostname")).isEqualTo("lm-namesake-11");
        }
    }

    @Test
    void aClusterThatLostItsRecordIsFoundByItsMarksAndCanBeDeleted() throws Exception {
        try (Lab lab = new Lab("lm-lost", "10.36.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            lab.network().boot(Lab.THIS_SYSTEM, 11);
            Files.delete(lab.folders.record(lab.spec.name()));

            assertThat(lab.machines.marked()).singleElement().satisfies(lost -> {
                assertThat(lost.id()).isEqualTo(lab.cluster());
                assertThat(lost.place()).isEqualTo("this machine");
                assertThat(lost.resources())
                        .containsExactly(new ResourceId("machine", "lm-lost-11"), new ResourceId("network", "lm-lost"));
                lost.resources().forEach(resource -> lab.machines.delete(lost.id(), resource));
            });

            assertThat(lab.machines.marked()).isEmpty();
            assertThat(lab.snapshot()).isEqualTo(before);
        }
    }

    @Test
    void anInterfaceWithoutItsClusterIsFoundByItsMark() throws Exception {
        ClusterId gone = new ClusterId(ClusterName.of("lm-stray"), OTHER);
        LinkNames names = new LinkNames(gone);
        try (Lab lab = new Lab("lm-no-stray", "10.36.0.0/16")) {
            HostCommand.of("ip", "link", "add", names.bridge(), "type", "bridge")
                    .orThrow("make");
            HostCommand.of("ip", "link", "set", names.bridge(), "alias", names.alias())
                    .orThrow("mark");

            List<MarkedCluster> stray = lab.machines.marked(gone.name());
            assertThat(stray)
                    .containsExactly(new MarkedCluster(
                            gone, "this machine", List.of(new ResourceId("network", "lm-stray")), List.of()));
            lab.machines.delete(gone, stray.get(0).resources().get(0));

            assertThat(lab.machines.marked(gone.name())).isEmpty();
            assertThat(Path.of("/sys/class/net", names.bridge())).doesNotExist();
        }
    }

    @Test
    void aClusterOfARunningProgramIsListedWithItsProcessAndNothingToDelete() throws Exception {
        try (Lab lab = new Lab("lm-in-use", "10.36.0.0/16")) {
            lab.network();
            Path file = lab.folders.record(lab.spec.name());
            ObjectNode record = (ObjectNode) Json.MAPPER.readTree(Files.readString(file));
            ProcessIdentity init = ProcessIdentity.find(1).orElseThrow();
            record.putObject("maker").put("pid", init.pid()).put("startTicks", init.startTicks());
            Files.writeString(file, record.toString());

            assertThat(lab.machines.marked())
                    .containsExactly(new MarkedCluster(
                            lab.cluster(), "this machine, in use by process 1", List.of(), List.of()));
        }
    }

    @Test
    void aDamagedRecordAffectsItsOwnClusterOnlyAndTheClusterCanBeDeleted() throws Exception {
        try (Lab lab = new Lab("lm-torn-record", "10.36.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            lab.network();
            Path file = lab.folders.record(lab.spec.name());
            Files.writeString(file, "{\"id\":");

            assertThat(lab.machines.marked()).extracting(MarkedCluster::id).containsExactly(lab.cluster());
            assertThatThrownBy(lab::network)
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageStartingWith("could not read the record " + file + ": it is damaged (")
                    .hasMessageEndingWith("); destroy the cluster and create it again");
            lab.destroy();
            assertThat(lab.snapshot()).isEqualTo(before);
        }
    }
}
