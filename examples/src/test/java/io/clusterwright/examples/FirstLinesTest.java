package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.mpi.MpiNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README. */
class FirstLinesTest {
    private static final ClusterName NAME = new ClusterName("firstlines");

    @Test
    void aJobThatCannotStartLeavesNoCluster(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("no-mpi.sh"), "#!/bin/sh\nrm -f /usr/bin/mpirun* /usr/bin/mpiexec*\n");
        Path spec = Files.writeString(folder.resolve("spec.yaml"), """
                name: %s
                nodes: {count: 1, prefix: first, firstIndex: 1}
                network: {addressSpace: 10.88.33.0/24}
                image:
                  capture: false
                  customize:
                    scripts: [{name: no-mpi, path: no-mpi.sh, sudo: true}]
                """.formatted(NAME));

        assertThatThrownBy(() -> FirstLines.main(new String[] {spec.toString()}))
                .isInstanceOf(MpiNotFoundException.class)
                .hasMessageContaining("on first1 there is no MPI")
                .hasNoSuppressedExceptions();

        assertThat(ClusterManager.list(StateStore.standard()))
                .noneMatch(cluster -> cluster.name().equals(NAME));
        assertThat(Path.of("/run/clusterwright", NAME.value())).doesNotExist();
    }
}
