package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs whose process halts after one of their changes of this machine: by default after one change of each command, with
 * {@code -Dclusterwright.soak=true} after twelve of {@code create} and of {@code destroy}.
 */
@Tag("breadth")
class LocalCrashTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-crash", 85, 2);
    private static final int POINTS = Boolean.getBoolean("clusterwright.soak") ? 12 : 1;

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Test
    void createAndDestroyGoOnAfterAHaltAndLeaveNothing() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String spec = machine.write("plain.yaml", CLUSTER.plainSpec()).toString();
        String[] create = {"create", spec, "--on", "local"};
        String[] destroy = {"destroy", CLUSTER.name()};
        List<Integer> creating = points(effects(create));
        List<Integer> destroying = points(effects(destroy));
        for (int i = 0; i < creating.size(); i++) {
            int first = creating.get(i);
            int second = destroying.get(i % destroying.size());
            expectHalt(first, create);
            expectSuccess(machine.clusterwright(create), first);
            expectSuccess(machine.clusterwright("run %s -- true", CLUSTER.name()), first);

            expectHalt(second, destroy);
            Program.Ended destroyed = machine.clusterwright(destroy);

            // Where the halt was at the end of the first, nothing is left to destroy.
            assertThat(destroyed.status())
                    .as("point " + second + ": " + destroyed)
                    .isIn(0, 2);
            assertThat(MachineSnapshot.of(CLUSTER, machine.state()))
                    .as("points " + first + " and " + second + ": " + destroyed)
                    .isEqualTo(before);
        }
        System.out.println("halts of create at " + creating + ", of destroy at " + destroying + ", leaks: 0");
    }

    /** The number of changes of this machine that a command makes, which is carried out. */
    private int effects(String... command) throws IOException {
        expectSuccess(halting(0, command), 0);
        return Integer.parseInt(Files.readString(counter()));
    }

    /** In equal distances. */
    private static List<Integer> points(int effects) {
        return IntStream.range(0, Math.min(POINTS, effects))
                .map(i -> 1 + (2 * i + 1) * effects / (2 * Math.min(POINTS, effects)))
                .boxed()
                .toList();
    }

    private void expectHalt(int point, String... command) {
        Program.Ended ended = halting(point, command);
        assertThat(ended.status()).as("point " + point + ": " + ended).isEqualTo(HaltingProgram.HALTED);
    }

    private Program.Ended halting(int point, String... command) {
        List<String> arguments =
                new ArrayList<>(List.of(Integer.toString(point), counter().toString()));
        arguments.addAll(List.of(command));
        return machine.start(
                        Machine.java(HaltingProgram.class, arguments.toArray(String[]::new)), "", builder -> builder)
                .end();
    }

    private Path counter() {
        return machine.folder().resolve("effects");
    }

    private static void expectSuccess(Program.Ended ended, int point) {
        assertThat(ended.status()).as("point " + point + ": " + ended).isZero();
    }
}
