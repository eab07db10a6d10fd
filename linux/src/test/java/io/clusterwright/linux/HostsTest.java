package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {

    /** Hosts with their slots, {@code -} where none are stated. */
    private static String text(HostList list) {
        return list.slots().entrySet().stream()
                .map(host -> host.getKey() + " "
                        + (host.getValue().isPresent() ? host.getValue().getAsInt() : "-"))
                .collect(Collectors.joining(", "));
    }

    @Nested
    class AMachineFile {

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                node1\\nnode2                          | node1 -, node2 -
                node1:4\\nnode2:2                      | node1 4, node2 2
                node1:4 binding=core                  | node1 4
                node1:4:mlx5_0\\nnode2:2:mlx5_1        | node1 4, node2 2
                node1 slots=4 max_slots=8             | node1 4
                node1 slots=4\\nnode1 slots=2          | node1 6
                node1\\nnode1\\nnode2                   | node1 2, node2 -
                node[1-3]                             | node1 -, node2 -, node3 -
                node[01-02]:8                         | node01 8, node02 8
                # all of them\\n\\nnode1 # the head    | node1 -
                10.32.0.11:4                          | 10.32.0.11 4
                node1.example.org:4                   | node1.example.org 4
                """)
        void isReadInEveryForm(String file, String hosts) {
            assertThat(text(HostList.machineFile(file.replace("\\n", "\n")))).isEqualTo(hosts);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"node1:0", "node1:many", "node1 slots=", "node1 4", "-node:2", "node_1", "node1, node2"})
        void refusesAnyOtherLine(String line) {
            assertThatThrownBy(() -> HostList.machineFile(line))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("machine file line")
                    .hasMessageContaining("node slots=4");
        }

        @Test
        void refusesAnEmptyList() {
            assertThatThrownBy(() -> HostList.machineFile("# none\n"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("one or more hosts");
        }
    }

    @Nested
    class AListOfAScheduler {

        @Test
        void ofSlurmIsExpanded() {
            assertThat(text(HostList.slurm("node[1-3,7],head", "")))
                    .isEqualTo("node1 -, node2 -, node3 -, node7 -, head -");
        }

        @Test
        void ofSlurmHasSlotsWhereTheTasksAreKnown() {
            assertThat(text(HostList.slurm("node[1-4]", "4(x2),1,8"))).isEqualTo("node1 4, node2 4, node3 1, node4 8");
        }

        @ParameterizedTest
        @ValueSource(strings = {"4", "4(x3)", "four"})
        void ofSlurmRefusesTasksThatDoNotMatchTheNodes(String tasks) {
            assertThatThrownBy(() -> HostList.slurm("node[1-2]", tasks))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("SLURM_TASKS_PER_NODE")
                    .hasMessageContaining("2 nodes");
        }

        @Test
        void ofPbsCountsTheLinesOfAHost() {
            assertThat(text(HostList.pbsNodeFile("node1\nnode1\nnode2\nnode1\n")))
                    .isEqualTo("node1 3, node2 1");
        }

        @Test
        void isRefusedOutsideOfAJob() {
            assertThatThrownBy(() -> Hosts.ofJob(Map.of()))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("SLURM_JOB_NODELIST and PBS_NODEFILE are not set");
        }
    }

    @Nested
    class NodeNames {

        @Test
        void areFirstLabels() {
            assertThat(HostList.machineFile("node1.example.org\n10.32.0.11").names())
                    .containsEntry(new NodeName("node1"), "node1.example.org")
                    .containsEntry(new NodeName("10-32-0-11"), "10.32.0.11");
        }

        @Test
        void mustDiffer() {
            assertThatThrownBy(() ->
                            HostList.machineFile("node1.a.org\nnode1.b.org").names())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("node1.a.org, node1.b.org");
        }
    }

    @Nested
    class Connecting {

        @Test
        void namesAPrivateKeyThatCannotBeRead(@TempDir Path folder) {
            assertThatThrownBy(() ->
                            Hosts.of("node1").privateKey(folder.resolve("id")).connect())
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("the private key in " + folder.resolve("id") + " cannot be read");
        }

        @Test
        void refusesAPortOutOfRange() {
            assertThatThrownBy(() -> Hosts.of("node1").port(0))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("1 to 65535");
        }

        @Test
        void namesAMachineFileThatIsMissing(@TempDir Path folder) {
            assertThatThrownBy(() -> Hosts.machineFile(folder.resolve("hosts")))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("cannot read the machine file");
        }
    }
}
