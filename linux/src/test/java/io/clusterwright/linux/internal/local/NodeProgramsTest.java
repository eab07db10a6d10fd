package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The programs that a cluster's nodes are for run in what a node is allowed. */
@Tag("breadth")
class NodeProgramsTest {
    /** Hydra 4.0 can die of SIGPIPE before its first word: 3 of 100 times on busy cores, with ranks that end at once. */
    private static final String UNLESS_BROKEN_PIPE =
            "for i in 1 2 3 4 5; do %s; status=$?; [ $status = 141 ] || exit $status; done; exit 141";

    @Test
    void mpiRunsOverSharedMemoryOfOneNode() throws Exception {
        try (Lab lab = new Lab("lm-mpi", "10.47.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            assertThat(lab.output(node, UNLESS_BROKEN_PIPE.formatted("mpiexec.mpich -n 2 hostname"))
                            .lines())
                    .containsExactly("lm-mpi-11", "lm-mpi-11");
            assertThat(lab.output(node, UNLESS_BROKEN_PIPE.formatted("mpiexec.mpich -n 2 NPmpich2 -n 20 -u 64 2>&1")))
                    .contains("Now starting the main loop")
                    .contains("64 bytes");
            assertThat(lab.output(node, "df --output=target /dev/shm | tail -1"))
                    .isEqualTo("/dev/shm");
        }
    }

    @Test
    void aDeprovisionedNodeIsCapturedAndItsImageBoots() throws Exception {
        try (Lab lab = new Lab("lm-agent", "10.47.0.0/16")) {
            Machine template = lab.network().boot(Lab.THIS_SYSTEM, 4).get(0);
            Lab.Answer answer = lab.ssh(template, "sudo waagent -force -deprovision && echo complete; id -un");
            assertThat(answer.exit()).as(answer.toString()).isZero();
            assertThat(answer.out()).contains("complete").endsWith("azureuser");
            lab.machines.capture(lab.cluster(), template, "agent", "", 1);
            lab.machines.host().delete(lab.cluster().name(), template.name());

            Machine node = lab.boot(new ImageSource.Captured("agent"), 11).get(0);
            assertThat(lab.output(node, "hostname; cat /etc/hostname; sudo -n id -u"))
                    .isEqualTo("lm-agent-11\nlm-agent-11\n0");
        }
    }
}
