package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A state folder without room for the record of a cluster. */
@Tag("breadth")
class SmallStateFolderTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-small", 80, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @Test
    void failsCreateWhichLeavesNothingAndWorksOnceThereIsRoom() throws IOException {
        Path state = Files.createDirectories(machine.state());
        run("mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "clusterwright-e2e", state.toString());
        try {
            Path spec = machine.write(
                    "small.yaml",
                    CLUSTER.plainSpec().replace("    mpi: {flavour: mpich, install: distribution}\n", ""));
            Path filler = Files.write(state.resolve("filler"), new byte[44 * 1024]);
            MachineSnapshot before = MachineSnapshot.of(CLUSTER, state);

            Program.Ended failed = machine.fails("create %s --on local", spec);
            assertThat(failed.stderr())
                    .contains(state.toString(), "No space left on device")
                    .doesNotContain("\tat ");
            assertThat(MachineSnapshot.of(CLUSTER, state)).as(failed.toString()).isEqualTo(before);
            try (var left = Files.walk(state)) {
                assertThat(left.filter(Files::isRegularFile)).containsExactly(filler);
            }

            Files.delete(filler);
            assertThat(machine.clusterwright("create %s --on local", spec).status())
                    .isZero();
            assertThat(machine.clusterwright("destroy %s", CLUSTER.name()).stdout())
                    .endsWith("nothing is left\n");
        } finally {
            run("umount", state.toString());
        }
    }

    private void run(String... command) {
        Program.Ended ended = machine.run(List.of(command));
        assertThat(ended.status()).as(ended.toString()).isZero();
    }
}
