package io.clusterwright.linux.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.Golden;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmConfTest {
    private static final SlurmConf.Node FIRST = node("cluster11", "10.32.0.11");
    private static final SlurmConf.Node SECOND = node("cluster12", "10.32.0.12");

    private static SlurmConf.Node node(String name, String address) {
        return new SlurmConf.Node(new NodeName(name), Ipv4Address.of(address), 120, 2, 60, 1, 448_000);
    }

    private static SlurmConf conf(String version, boolean cgroups, String mpi, SlurmConf.Node... nodes) {
        SlurmConf.Node controller = nodes.length == 0 ? FIRST : nodes[0];
        return new SlurmConf(new ClusterName("cluster"), controller, List.of(nodes), version, cgroups, mpi);
    }

    @Test
    void textsMatchTheGoldenFiles() {
        Golden.check("slurm.conf", conf("22.05.8", false, "pmi2", FIRST, SECOND).text());
        Golden.check("slurm-cgroups.conf", conf("23.11.4", true, "pmix", FIRST).text());
    }

    @ParameterizedTest
    @CsvSource({
        "20.11.9,  false, 'CgroupPlugin=cgroup/v1,CgroupAutomount=no'",
        "22.05.8,  false, 'CgroupPlugin=cgroup/v1,CgroupAutomount=no'",
        "23.02.7,  false, 'CgroupPlugin=cgroup/v1,CgroupAutomount=no'",
        "23.11.0,  false, CgroupPlugin=disabled",
        "24.05.2,  false, CgroupPlugin=disabled",
        "25.11.0-0rc1, false, CgroupPlugin=disabled",
        "22.05.8,  true,  'ConstrainCores=yes,ConstrainRAMSpace=yes'"
    })
    void disablesControlGroupsInTheSyntaxOfTheVersion(String version, boolean cgroups, String lines) {
        assertThat(conf(version, cgroups, "none", FIRST).cgroupText().lines()).containsExactly(lines.split(","));
    }

    @Test
    void namesTheControllerThatRunsJobsToo() {
        assertThat(conf("22.05.8", false, "none", SECOND, FIRST).text())
                .contains("SlurmctldHost=cluster12(10.32.0.12)\n")
                .contains("MpiDefault=none\n");
    }

    @Test
    void givesASeparateControllerNoJobs() {
        SlurmConf.Node head = node("cluster10", "10.32.0.10");
        String text = new SlurmConf(new ClusterName("cluster"), head, List.of(FIRST, SECOND), "22.05.8", false, "none")
                .text();
        assertThat(text)
                .contains("SlurmctldHost=cluster10(10.32.0.10)\n")
                .contains("NodeName=cluster11 ", "NodeName=cluster12 ")
                .doesNotContain("NodeName=cluster10 ");
    }

    @Test
    void bindsRanksWithAndWithoutControlGroups() {
        assertThat(conf("22.05.8", false, "none", FIRST).text()).contains("\nTaskPlugin=task/affinity\n");
        assertThat(conf("22.05.8", true, "none", FIRST).text()).contains("\nTaskPlugin=task/affinity,task/cgroup\n");
    }

    @Nested
    class Refuses {
        @Test
        void refusesNoNodes() {
            assertThatThrownBy(() -> conf("22.05.8", false, "none"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("at least one node");
        }

        @Test
        void refusesTwoNodesOfOneName() {
            assertThatThrownBy(() -> conf("22.05.8", false, "none", FIRST, FIRST))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("cluster11, cluster11")
                    .hasMessageContaining("each name once");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "22", "x.y", "22.x"})
        void refusesAnInvalidVersion(String version) {
            assertThatThrownBy(() -> conf(version, false, "none", FIRST))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("invalid Slurm version");
        }

        @Test
        void refusesAnUnknownMpiInterface() {
            assertThatThrownBy(() -> conf("22.05.8", false, "pmi3", FIRST))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("none, pmi2 or pmix");
        }

        @Test
        void refusesANodeWithoutCpus() {
            assertThatThrownBy(() -> new SlurmConf.Node(FIRST.name(), FIRST.address(), 0, 1, 1, 1, 1))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("CPUs of a Slurm node");
        }
    }
}
