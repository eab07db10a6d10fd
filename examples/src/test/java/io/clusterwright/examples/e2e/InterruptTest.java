package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ctrl-C at moments spread over a run: each is known by what the program said last. */
@Tag("breadth")
class InterruptTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-interrupt", 74, 2);
    private static final int INTERRUPTED = 130;

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Nested
    class OfTheQuickstart {
        static Stream<String> moments() {
            return someOf(
                    "+ network", "user e2e74user in e2egroup", "+ deprovision", "joined", "+ memlock", "verdict:");
        }

        static Stream<String> momentsInTheForeground() {
            return someOf("+ template node", "+ capture", "+ nodes", "latency [us]", "+ ping-pong");
        }

        /** Every second one, but for {@code -Dclusterwright.soak=true}. */
        private static Stream<String> someOf(String... moments) {
            int step = Boolean.getBoolean("clusterwright.soak") ? 1 : 2;
            return IntStream.range(0, moments.length)
                    .filter(index -> index % step == step - 1)
                    .mapToObj(index -> moments[index]);
        }

        @ParameterizedTest(name = "after {0}")
        @MethodSource("moments")
        void leavesTheMachineUnchanged(String moment) {
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
            Program quickstart = start();
            quickstart.awaitText(moment);

            quickstart.signal("INT");

            expectCleanedUp(quickstart, before);
        }

        @ParameterizedTest(name = "after {0}, as a terminal does it: with all children in the foreground")
        @MethodSource("momentsInTheForeground")
        void leavesTheMachineUnchangedWhenChildrenAreInterruptedToo(String moment) {
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
            Program quickstart = start();
            quickstart.awaitText(moment);

            quickstart.signalGroup("INT");

            expectCleanedUp(quickstart, before);
        }

        @Test
        void endsAtOnceTheSecondTimeAndNamesWhatIsLeft() {
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
            Program quickstart = start();
            quickstart.awaitText("+ capture");

            quickstart.signal("INT");
            quickstart.awaitText("interrupted: cleaning up");
            quickstart.signalGroup("INT");

            Program.Ended ended = quickstart.end();
            assertThat(ended.status()).as(ended.toString()).isEqualTo(1);
            assertThat(ended.stderr())
                    .contains("ended before everything was cleaned up", "clusterwright destroy " + CLUSTER.name());
            assertThat(machine.clusterwright("destroy %s", CLUSTER.name()).stdout())
                    .endsWith("nothing is left\n");
            assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
        }

        private Program start() {
            return machine.startQuickstart(
                    "--spec %s --plot %s",
                    machine.spec(CLUSTER).toString(),
                    machine.folder().resolve("p.svg").toString());
        }
    }

    @Nested
    class OfTheProgram {
        @Test
        void duringTheChecksOfCreateDeletesTheCluster() {
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
            Program create = machine.startClusterwright(
                    "create %s --on local", machine.spec(CLUSTER).toString());
            create.awaitText("+ nodes");

            create.signal("INT");

            expectCleanedUp(create, before);
        }

        @Test
        void duringDestroyStillDestroysTheCluster() {
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
            machine.create(CLUSTER);
            Program destroy = machine.startClusterwright("destroy %s", CLUSTER.name());
            destroy.awaitText("deleted");

            destroy.signal("INT");

            assertThat(destroy.end().status()).isIn(0, INTERRUPTED);
            assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
        }
    }

    private void expectCleanedUp(Program program, MachineSnapshot before) {
        Program.Ended ended = program.end();
        assertThat(ended.status()).as(ended.toString()).isEqualTo(INTERRUPTED);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()))
                .as(ended.stderr())
                .isEqualTo(before);
        assertThat(ended.stderr()).contains("interrupted: cleaning up").doesNotContain("\tat ");
    }
}
