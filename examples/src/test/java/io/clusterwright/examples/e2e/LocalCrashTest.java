package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs that end without a word after one of their changes of this machine: by default at two of them, with
 * {@code -Dclusterwright.soak=true} at forty.
 */
class LocalCrashTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-crash", 70, 2);

    @RegisterExtension
    private final Machine machine = new Machine(CLUSTER);

    @Test
    void createGoesOnAfterAKillAndLeavesNothing() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String[] create = {"create", spec(), "--on", "local"};
        for (int point : points(effects(create))) {
            halt(point, create);

            expectSuccess(machine.clusterwright(create), point);

            expectSuccess(machine.clusterwright("run", CLUSTER.name(), "--", "true"), point);
            expectNothingLeft(before, point);
        }
    }

    @Test
    void destroyGoesOnAfterAKill() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String[] destroy = {"destroy", CLUSTER.name()};
        expectSuccess(machine.clusterwright("create", spec(), "--on", "local"), 0);
        for (int point : points(effects(destroy))) {
            expectSuccess(machine.clusterwright("create", spec(), "--on", "local"), point);
            halt(point, destroy);

            expectNothingLeft(before, point);
        }
    }

    private String spec() {
        return machine.write("plain.yaml", CLUSTER.spec().replace("capture: true", "capture: false"))
                .toString();
    }

    /** The number of changes of this machine that a command makes, which is carried out. */
    private int effects(String... command) throws IOException {
        expectSuccess(halting(0, command), 0);
        if (command[0].equals("create")) {
            expectSuccess(machine.clusterwright("destroy", CLUSTER.name()), 0);
        }
        return Integer.parseInt(Files.readString(counter()));
    }

    /** In the order from the last to the first, in equal distances. */
    private static List<Integer> points(int effects) {
        int wanted = Boolean.getBoolean("clusterwright.soak") ? 20 : 1;
        List<Integer> points = new ArrayList<>();
        for (int i = 0; i < Math.min(wanted, effects); i++) {
            points.add(1 + (2 * i + 1) * effects / (2 * wanted));
        }
        Collections.reverse(points);
        return points;
    }

    private void halt(int point, String... command) {
        assertThat(halting(point, command).status()).as("point " + point).isIn(HaltingProgram.HALTED, 0);
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

    private void expectNothingLeft(MachineSnapshot before, int point) {
        Program.Ended destroyed = machine.clusterwright("destroy", CLUSTER.name());
        // A destruction that was killed at its end left nothing to destroy.
        assertThat(destroyed.status()).as("point " + point + ": " + destroyed).isIn(0, 2);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()))
                .as("point " + point + ": " + destroyed)
                .isEqualTo(before);
    }
}
