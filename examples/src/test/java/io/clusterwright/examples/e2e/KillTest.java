package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program dies without a chance to clean up; {@code destroy} does it afterwards. */
@Tag("breadth")
class KillTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-kill", 75, 3);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    /** The moments when a node is being made or changed, and all of them with {@code -Dclusterwright.soak=true}. */
    private static Stream<Moment> moments() {
        return Stream.of(Moment.values())
                .filter(moment -> Boolean.getBoolean("clusterwright.soak")
                        || Set.of(Moment.TEMPLATE_BOOTS, Moment.TEMPLATE_IS_CUSTOMISED, Moment.NODES_BOOT)
                                .contains(moment));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void destroyAfterAKillLeavesTheMachineUnchanged(Moment moment) {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Program creation = create();
        moment.await(creation);

        creation.signal("KILL");

        assertThat(creation.end().status()).isEqualTo(128 + 9);
        expectDestroyed(before);
    }

    @Test
    void resourcesWithoutRecordAreFoundByTheirMarksAndDeletedOnRequest() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        machine.create(CLUSTER);

        Machine.deleteTree(machine.state());

        assertThat(machine.clusterwright("list").stdout()).isEqualTo("no clusters\n");
        Program.Ended refused = machine.refuses("destroy %s", CLUSTER.name());
        assertThat(refused.stderr()).contains("nothing was deleted", "adopt " + CLUSTER.name());
        String id = StreamSupport.stream(
                        machine.json("list --untracked --on local --json").spliterator(), false)
                .filter(found -> found.path("name").asText().equals(CLUSTER.name()))
                .findFirst()
                .orElseThrow()
                .path("id")
                .asText();
        Program.Ended deleted = machine.succeeds("list --untracked --on local --delete --id %s", id);
        assertThat(deleted.stdout()).contains("deleted network " + CLUSTER.name());
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
        Program.Ended again = machine.refuses("destroy %s", CLUSTER.name());
        assertThat(again.stderr()).contains("there is no cluster " + CLUSTER.name() + ", and no resource with its tag");
    }

    @Test
    void destroyAcceptsATruncatedJournal() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        machine.create(CLUSTER);
        Path journal =
                machine.state().resolve("clusters").resolve(CLUSTER.name()).resolve("journal.jsonl");
        String text = Files.readString(journal);

        Files.writeString(journal, text.substring(0, text.length() - 20));

        assertThat(machine.clusterwright("list").stdout()).contains(CLUSTER.name(), "creating");
        expectDestroyed(before);
    }

    @Test
    void destroyAcceptsADamagedJournal() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        machine.create(CLUSTER);
        Path journal =
                machine.state().resolve("clusters").resolve(CLUSTER.name()).resolve("journal.jsonl");

        Files.writeString(journal, "not a journal\n" + Files.readString(journal));

        expectDestroyed(before);
    }

    @Test
    void createResumesAKilledCreate() {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Program creation = create();
        Moment.NODES_BOOT.await(creation);
        creation.signal("KILL");
        creation.end();

        machine.create(CLUSTER);

        Program.Ended run = machine.succeeds("run %s -- true", CLUSTER.name());
        expectDestroyed(before);
    }

    private Program create() {
        return machine.startClusterwright(
                "create %s --on local --fresh-image", machine.spec(CLUSTER).toString());
    }

    private void expectDestroyed(MachineSnapshot before) {
        Program.Ended destroyed = machine.succeeds("destroy %s", CLUSTER.name());
        assertThat(destroyed.stdout())
                .contains("deleted network " + CLUSTER.name())
                .endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()))
                .as(destroyed.toString())
                .isEqualTo(before);
    }

    /** When the program is killed. */
    enum Moment {
        NETWORK_IS_MADE("+ network"),
        TEMPLATE_BOOTS("") {
            @Override
            void await(Program program) {
                awaitNodes(1);
            }
        },
        TEMPLATE_IS_CUSTOMISED("user e2e75user in e2egroup"),
        IMAGE_IS_KEPT("+ deprovision"),
        NODES_BOOT("") {
            @Override
            void await(Program program) {
                program.awaitText("+ capture");
                awaitNodes(2);
            }
        },
        CHECKS_RUN("+ nodes");

        private final String text;

        Moment(String text) {
            this.text = text;
        }

        void await(Program program) {
            program.awaitText(text);
        }

        private static void awaitNodes(int count) {
            Path nodes = Path.of("/run/clusterwright", CLUSTER.name(), "nodes");
            MachineWatch.until(count + " nodes boot", () -> {
                if (!Files.isDirectory(nodes)) {
                    return false;
                }
                try (Stream<Path> booting = Files.list(nodes)) {
                    return booting.filter(node -> Files.exists(node.resolve("log")))
                                    .count()
                            >= count;
                }
            });
        }
    }
}
