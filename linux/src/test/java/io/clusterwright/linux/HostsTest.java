package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
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
                node1 slots = 2                       | node1 2
                node1 slots= 2 max-slots =8           | node1 2
                node1 count=3\\nnode2 cpu=5           | node1 3, node2 5
                node1 max_slots=3\\nnode2 count-max=4 | node1 3, node2 4
                node1 slots=0\\nnode2 slots=04        | node2 4
                node1 slots=0\\nnode1 slots=2\\nnode2 | node1 2, node2 -
                node1 slots=2 // all\\n/* n2\\n*/n3   | node1 2, n3 -
                me@node1 slots=2\\nn2 user-name = me  | node1 2, n2 -
                me@node[1-2].x.org:3                  | node1.x.org 3, node2.x.org 3
                node1 slots=2 port=2222               | node1 2
                GPU_node[1-2]:4\\ngpu_node1:2         | gpu_node1 6, gpu_node2 4
                rack[0-1]_n1.cluster.local            | rack0_n1.cluster.local -, rack1_n1.cluster.local -
                """)
        void isReadInEveryForm(String file, String hosts) {
            assertThat(text(HostList.machineFile(file.replace("\\n", "\n")))).isEqualTo(hosts);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "node1:0",
                    "node1:many",
                    "node1 slots=",
                    "-node:2",
                    "node_",
                    "node1, node2",
                    "node[1-2]_",
                    "@node1",
                    "node1@",
                    "me@:4"
                })
        void refusesAnyOtherLine(String line) {
            assertThatThrownBy(() -> HostList.machineFile(line))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("machine file line")
                    .hasMessageContaining("node slots=4");
        }

        @ParameterizedTest
        @CsvSource({
            "node1 cpus=3, cpus=3",
            "node1 slots=2 boards=1, boards=1",
            "node1 cpu_set=0-3, cpu_set=0-3",
            "node1 slots, slots",
            "node1:2 gpu, gpu",
        })
        void namesAWordThatIsNotKnown(String line, String word) {
            assertThatThrownBy(() -> HostList.machineFile(line))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("unknown word \"" + word + "\" in the machine file line \"" + line + "\"");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "^node2 | takes a host out | remove this line",
                    "+n0 slots=2 | by its place in an allocation | write the name of each host",
                    "rank 0=node1 slot=0 | is of a rankfile | (example: node1 slots=4)",
                    "rank 1 = node1 | is of a rankfile | (example: node1 slots=4)",
                    "fe80::1 slots=2 | IPv6 | the IPv4 address",
                    "2001:db8:0:1:0:0:0:7 | IPv6 | the IPv4 address",
                    "hosta 4 hostb 4 | LSF | write hosta:4",
                    "node1 4 all.q@node1 UNDEFINED | Grid Engine | write node1:4",
                    "[fe80::1]:4 | IPv6 | the IPv4 address",
                    "4 node1 | begins with a number | node1:4",
                    "2 node1 4 node2 4 | CCP_NODES | each host on its own line",
                    "node1:4 slots=2 | has two numbers of slots, 4 and 2 | keep one of them",
                    "me@node1 user=you | has two users, me and you | keep one of them",
                    "node1 port=22 port=23 | has two ports, 22 and 23 | keep one of them",
                    "node1 4 | MS-MPI | write node1:4"
                })
        void saysWhatALineOfAnotherKindIs(String line, String kind, String remedy) {
            assertThatThrownBy(() -> HostList.machineFile("node7\n" + line + "\n"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("the machine file line \"" + line + "\" ")
                    .hasMessageContainingAll(kind, remedy);
        }

        @Test
        void readsFilesOfWindowsAndNamesWithATrailingDot() {
            assertThat(text(HostList.machineFile("\uFEFFnode1.x.org. slots=2\r\n_node2\r\nnode3:4:mlx5_0\r\n")))
                    .isEqualTo("node1.x.org 2, _node2 -, node3 4");
            assertThat(text(HostList.pbsNodeFile("\uFEFFnode1\n"))).isEqualTo("node1 1");
        }

        @Test
        void namesTheAccountAndThePortOfAllHosts() {
            HostList list = HostList.machineFile("me@node1 port=2222\nnode2 username = me port = 2222\n");

            assertThat(list.user()).isEqualTo("me");
            assertThat(list.port()).isEqualTo(2222);
            assertThatThrownBy(() -> HostList.machineFile("me@node1\nyou@node2\nnode3"))
                    .hasMessage("the lines of the machine file name different users: me, you, none:"
                            + " name the same one in each line, or none and give --user");
            assertThatThrownBy(() -> Hosts.of("node1 port=99999")).hasMessageContaining("1 to 65535");
        }

        @Test
        void refusesLimitsThatContradictEachOther() {
            assertThatThrownBy(() -> HostList.machineFile("node1 slots=4 max_slots=2"))
                    .hasMessage("the machine file line \"node1 slots=4 max_slots=2\" has more slots than max_slots:"
                            + " write max_slots=4 or more");
            assertThatThrownBy(() -> HostList.machineFile("node1 slots=0\nnode2 slots=0"))
                    .hasMessageStartingWith("every host of the machine file has slots=0");
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

        @ParameterizedTest
        @CsvSource({"n1, 0", "n1, 2(x0)", "'n[1-2]', '2(x0),1(x2)'", "'n[1-2]', 0(x2)"})
        void ofSlurmHasATaskOnEachNode(String nodes, String tasks) {
            assertThatThrownBy(() -> HostList.slurm(nodes, tasks)).hasMessageContaining("invalid SLURM_TASKS_PER_NODE");
        }

        @Test
        void ofSlurmIsExpanded() {
            assertThat(text(HostList.slurm("node[1-3,7],head", "")))
                    .isEqualTo("node1 -, node2 -, node3 -, node7 -, head -");
        }

        @Test
        void ofSlurmHasSlotsWhereTheTasksAreKnown() {
            assertThat(text(HostList.slurm("node[1-4]", "4(x2),1,8"))).isEqualTo("node1 4, node2 4, node3 1, node4 8");
        }

        @Test
        void ofSlurmHasHostsOfEveryName() {
            assertThat(text(HostList.slurm("gpu_node[1-2],n1.cluster.local,r[0-1]n1.x.org", "2(x4),1")))
                    .isEqualTo("gpu_node1 2, gpu_node2 2, n1.cluster.local 2, r0n1.x.org 2, r1n1.x.org 1");
            assertThat(text(HostList.slurm("n1,n1,n2", "2,3,1"))).isEqualTo("n1 5, n2 1");
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
        void ofASmallerStepOfSlurmAreTheHostsOfTheStep() {
            Map<String, String> step =
                    Map.of("SLURM_TASKS_PER_NODE", "2", "SLURM_STEP_NODELIST", "n2", "SLURM_STEP_TASKS_PER_NODE", "2");

            assertThat(text(HostList.slurmJob("n[1-4]", step))).isEqualTo("n2 2");
            assertThat(text(HostList.slurmJob("n[1-4]", Map.of("SLURM_TASKS_PER_NODE", "1"))))
                    .isEqualTo("n1 -, n2 -, n3 -, n4 -");
            assertThat(text(HostList.slurmJob("n[1-2]", Map.of("SLURM_TASKS_PER_NODE", "3(x2)"))))
                    .isEqualTo("n1 3, n2 3");
            assertThat(text(HostList.slurmJob("n[1-2]", Map.of()))).isEqualTo("n1 -, n2 -");
        }

        @Test
        void ofPbsCountsTheLinesOfAHost() {
            assertThat(text(HostList.pbsNodeFile("node1\nnode1\nnode2\nnode1\ngpu_1.x.org\n")))
                    .isEqualTo("node1 3, node2 1, gpu_1.x.org 1");
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
            assertThat(HostList.machineFile("node1.example.org\n10.32.0.11\ngpu_node[1-1].x.org")
                            .names())
                    .containsEntry(new NodeName("gpu-node1"), "gpu_node1.x.org")
                    .containsEntry(new NodeName("node1"), "node1.example.org")
                    .containsEntry(new NodeName("10-32-0-11"), "10.32.0.11");
        }

        @Test
        void differAlsoForHostsOfTheSameLabel() {
            assertThat(HostList.machineFile("node1.a.org\nnode1.b.org\n_node2").names())
                    .containsEntry(new NodeName("node1"), "node1.a.org")
                    .containsEntry(new NodeName("node1-b-org"), "node1.b.org")
                    .containsEntry(new NodeName("node2"), "_node2");
        }

        @Test
        void mustDiffer() {
            assertThatThrownBy(() -> HostList.machineFile("gpu_1\ngpu-1").names())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "the hosts gpu_1 and gpu-1 would have the same node name, gpu-1: a node name has '-' in the"
                                    + " place of '_' and '.': write the address of one of them (example: 10.0.0.4)");
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
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("cannot read the machine file")
                    .hasMessageContaining("one host to a line");
        }

        @Test
        void namesTheFileOfALineThatIsNoHost(@TempDir Path folder) throws IOException {
            Path file = Files.writeString(folder.resolve("hosts"), "node1\n!\n");

            assertThatThrownBy(() -> Hosts.machineFile(file))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith(file + ": ");
        }

        @Test
        void refusesAMissingKeyForItsAbsence(@TempDir Path folder) {
            assertThatThrownBy(() -> Hosts.of("localhost")
                            .privateKey(folder.resolve("id"))
                            .connect())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("no such file or folder")
                    .hasMessageNotContaining("passphrase");
        }
    }
}
