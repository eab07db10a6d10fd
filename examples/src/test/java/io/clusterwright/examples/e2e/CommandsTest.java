package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on one cluster, against the program's contract. */
@Tag("breadth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandsTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-commands", 77, 2);

    private final Machine machine = Machine.ofThisJvm(CLUSTER);
    private Program.Ended creation = new Program.Ended(-1, "", "");

    @BeforeAll
    void create() {
        machine.open();
        creation = converge();
    }

    @AfterAll
    void destroy() {
        machine.close();
    }

    /** With Open MPI, whose ranks yield: to measure pairs with MPICH takes several times as long on busy cores. */
    private Program.Ended converge() {
        Path spec = machine.write("open-mpi.yaml", CLUSTER.spec().replace("flavour: mpich", "flavour: open-mpi"));
        return machine.clusterwright("create %s --on local --json", spec);
    }

    @Nested
    class Create {
        @Test
        void printsTheCluster() throws JsonProcessingException {
            assertThat(creation.status()).as(creation.toString()).isZero();
            expectCluster(AnalyzeTest.json(creation.stdout()));
            assertThat(creation.stderr())
                    .contains("+ network", "+ hostname", "+ memlock")
                    .doesNotContain("\u001b");
        }

        @Test
        void createAgainReplacesADeadNode() throws IOException {
            String kept = boots(2);
            String dead = boots(1);
            JsonNode node = new ObjectMapper()
                    .readTree(Path.of("/run/clusterwright", CLUSTER.name(), "nodes", CLUSTER.node(1), "node.json")
                            .toFile());
            long first = node.findValues("pid").stream()
                    .mapToLong(JsonNode::asLong)
                    .max()
                    .orElseThrow();
            ProcessHandle process = ProcessHandle.of(first).orElseThrow();
            process.destroyForcibly();
            MachineWatch.until("the node ends", () -> !process.isAlive());
            assertThat(show()).extracting(shown -> shown.path("state").asText()).containsExactly("stopped", "running");

            Program.Ended again = converge();

            assertThat(again.status()).as(again.toString()).isZero();
            expectCluster(AnalyzeTest.json(again.stdout()));
            assertThat(show()).extracting(shown -> shown.path("state").asText()).containsExactly("running", "running");
            assertThat(boots(2)).isEqualTo(kept);
            assertThat(boots(1)).isNotEqualTo(dead);
            expectANodeToReachTheOther(1, 2);
            expectANodeToReachTheOther(2, 1);
            expectAnMpiJobOverSsh();
        }

        /** At once, and as the host keys say that the nodes have. */
        private void expectANodeToReachTheOther(int from, int to) {
            Program.Ended ssh = machine.succeeds(
                    "run %s --nodes %s --user %s -- ssh -o BatchMode=yes -o ConnectTimeout=3 %s hostname",
                    CLUSTER.name(), CLUSTER.node(from), CLUSTER.user(), CLUSTER.node(to));
            assertThat(ssh.stdout()).endsWith(CLUSTER.node(to) + "\n");
        }

        private void expectAnMpiJobOverSsh() {
            Program.Ended job =
                    machine.succeeds("mpi %s --launch-over ssh --preset mpich/tcp -- hostname", CLUSTER.name());
            assertThat(job.stdout()).contains(CLUSTER.node(1), CLUSTER.node(2));
        }

        /** When the node's init was started, in clock ticks: different after each start of a node. */
        private String boots(int node) {
            Program.Ended run = machine.succeeds(
                    "run %s --nodes %s -- cut %s -f22 /proc/1/stat", CLUSTER.name(), CLUSTER.node(node), "-d ");
            return run.stdout();
        }
    }

    @Nested
    class SizeAndPower {
        @Test
        void startRestoresStoppedNodes() throws JsonProcessingException {
            Program.Ended stopped = machine.succeeds("stop %s --json", CLUSTER.name());
            JsonNode offline = AnalyzeTest.json(stopped.stdout());
            assertThat(offline.path("phase").asText()).isEqualTo("stopped");
            assertThat(offline.findValuesAsText("state")).containsExactly("stopped", "stopped");

            Program.Ended started = machine.succeeds("start %s --json", CLUSTER.name());
            JsonNode online = AnalyzeTest.json(started.stdout());
            expectCluster(online);
            assertThat(online.findValuesAsText("state")).containsExactly("running", "running");
            assertThat(online.findValuesAsText("hostKey")).isEqualTo(offline.findValuesAsText("hostKey"));
            assertThat(started.stderr()).contains("+ start", "+ join", "+ hostname");
        }

        @Test
        void resizeAddsAndDeletesNodesAndKeepsTheOthers() throws JsonProcessingException {
            Program.Ended larger = machine.succeeds("resize %s 3 --json", CLUSTER.name());
            Program.Ended smaller = machine.succeeds("resize %s 2 --json", CLUSTER.name());
            assertThat(AnalyzeTest.json(larger.stdout()).findValuesAsText("name"))
                    .containsExactly(CLUSTER.name(), CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3));
            assertThat(larger.stderr()).contains("+ nodes", "+ join").doesNotContain("+ customise", "+ capture");
            expectCluster(AnalyzeTest.json(smaller.stdout()));
        }

        @Test
        void refuseInvalidCountAndUnknownCluster() {
            Program.Ended none = machine.refuses("resize %s 0", CLUSTER.name());
            assertThat(none.stderr()).contains("invalid number of nodes \"0\"");
            Program.Ended unknown = machine.refuses("stop nobody");
            assertThat(unknown.stderr()).contains("there is no cluster nobody; the clusters are " + CLUSTER.name());
        }
    }

    @Nested
    class ListAndShow {
        @Test
        void printJson() throws JsonProcessingException {
            Program.Ended list = machine.succeeds("list --json");
            assertThat(list.stderr()).isEmpty();
            JsonNode clusters = AnalyzeTest.json(list.stdout());
            assertThat(clusters).hasSize(1);
            expectCluster(clusters.get(0));
            assertThat(show()).extracting(node -> node.path("state").asText()).containsExactly("running", "running");
        }

        @Test
        void printTables() {
            assertThat(machine.clusterwright("list").stdout())
                    .containsPattern("(?m)^" + CLUSTER.name() + " +local +ready +e2e77n\\[1-2\\]$");
            assertThat(machine.clusterwright("show %s", CLUSTER.name()).stdout())
                    .contains(CLUSTER.name() + " on local, ready")
                    .containsPattern("e2e77n1 +10\\.77\\.0\\.11 +running +SHA256:")
                    .containsPattern("e2e77n2 +10\\.77\\.0\\.12 +running +SHA256:");
        }
    }

    @Nested
    class Run {
        @Test
        void printsTheResultOfEachNodeAsJson() throws JsonProcessingException {
            Program.Ended run = machine.fails(
                    "run %s --json -- sh -c %s",
                    CLUSTER.name(),
                    "echo out $(uname -n); echo 'err \"ü\"' >&2; exit $(hostname | tr -dc 0-9 | tail -c 1)");
            JsonNode nodes = AnalyzeTest.json(run.stdout());
            assertThat(nodes).hasSize(2);
            for (int i = 0; i < 2; i++) {
                JsonNode node = nodes.get(i);
                assertThat(AnalyzeTest.keys(node))
                        .containsExactlyInAnyOrder("node", "exit", "stdout", "stderr", "millis");
                assertThat(node.path("node").asText()).isEqualTo(CLUSTER.node(i + 1));
                assertThat(node.path("exit").asInt()).isEqualTo(i + 1);
                assertThat(node.path("stdout").asText()).isEqualTo("out " + CLUSTER.node(i + 1) + "\n");
                assertThat(node.path("stderr").asText()).isEqualTo("err \"ü\"\n");
                assertThat(node.path("millis").isIntegralNumber()).isTrue();
            }
        }

        @Test
        void showsEqualOutputOnce() {
            Program.Ended run = machine.succeeds("run %s -- echo %s $HOME", CLUSTER.name(), "a  b");
            assertThat(run.stdout()).isEqualTo("--- e2e77n[1-2]\na  b $HOME\n");
        }

        @Test
        void showsDifferentOutputPerNode() {
            Program.Ended run = machine.clusterwright("run %s -- uname -n", CLUSTER.name());

            assertThat(run.stdout()).isEqualTo("--- e2e77n1\ne2e77n1\n--- e2e77n2\ne2e77n2\n");
        }

        @Test
        void takesNodesAndAUser() {
            Program.Ended run =
                    machine.succeeds("run %s --nodes e2e77n[2] --user %s -- id -un", CLUSTER.name(), CLUSTER.user());
            assertThat(run.stdout()).isEqualTo("e2e77user\n");
        }

        @Test
        void refusesUnknownNodes() {
            Program.Ended run = machine.refuses("run %s --nodes e2e77n[1-3] -- true", CLUSTER.name());
            assertThat(run.stderr()).contains("has no e2e77n3; it has e2e77n[1-2]");
        }

        @Test
        void needsACommand() {
            Program.Ended run = machine.refuses("run %s", CLUSTER.name());
            assertThat(run.stderr()).contains("COMMAND");
        }
    }

    @Nested
    class Mpi {
        @Test
        void streamsTheOutputOfTheJob() {
            Program.Ended job = machine.succeeds("mpi %s -n 4 --ppn 2 -- hostname", CLUSTER.name());
            assertThat(job.stdout().lines()).containsExactlyInAnyOrder("e2e77n1", "e2e77n1", "e2e77n2", "e2e77n2");
        }

        @Test
        void printsOneJsonDocument() throws JsonProcessingException {
            JsonNode json = machine.json("mpi %s --json -- hostname", CLUSTER.name());
            assertThat(AnalyzeTest.keys(json)).contains("exit", "ranks", "millis", "command", "findings");
            assertThat(json.path("exit").asInt()).isZero();
            assertThat(json.path("ranks").asInt()).isEqualTo(2);
            assertThat(json.path("millis").asLong()).isPositive();
            assertThat(json.path("command").get(0).asText()).contains("mpirun");
            assertThat(json.path("findings").isArray()).isTrue();
        }

        @Test
        void failsWhenTheJobFails() throws JsonProcessingException {
            Program.Ended job = machine.fails("mpi %s --json -- sh -c %s", CLUSTER.name(), "exit 7");
            JsonNode json = AnalyzeTest.json(job.stdout());
            assertThat(json.path("exit").asInt()).isEqualTo(7);
            assertThat(json.at("/firstFailure/exit").asInt()).isEqualTo(7);
            assertThat(json.at("/firstFailure/node").asText()).startsWith(CLUSTER.prefix());
        }
    }

    @Nested
    class Verify {
        @Test
        void reportsChecksAndPlotsThePingPong() throws JsonProcessingException {
            Path plot = machine.folder().resolve("verify.svg");

            JsonNode json = machine.json("verify %s --json --plot %s", CLUSTER.name(), plot);
            assertThat(json.path("checks"))
                    .extracting(check -> check.path("check").asText())
                    .containsExactly("hostname", "memlock");
            assertThat(json.path("checks"))
                    .extracting(check -> check.path("status").asText())
                    .containsOnly("passed");
            assertThat(json.path("pair")).extracting(JsonNode::asText).containsExactly("e2e77n1", "e2e77n2");
            assertThat(json.at("/pingPong/series")).hasSizeGreaterThan(20);
            assertThat(json.at("/pairs/0/latencyMicros").asDouble()).isPositive();
            assertThat(json.at("/transport/kind").asText()).isEqualTo("tcp");
            assertThat(json.at("/verdict/status").asText()).isEqualTo("not-judged");
            assertThat(json.at("/verdict/reasons/0").asText()).isEqualTo("TCP: no RDMA device on these nodes");
            assertThat(new Picture(plot).texts()).contains("Latency, one way", "Bandwidth");
        }

        @Test
        void measuresRequestedPairsAndWritesReports() throws IOException {
            Path heatMap = machine.folder().resolve("pairs.svg");
            Path junit = machine.folder().resolve("pairs.xml");

            Program.Ended verify =
                    machine.succeeds("verify %s --pairs ring --heatmap %s --junit %s", CLUSTER.name(), heatMap, junit);
            assertThat(verify.stdout())
                    .contains("bytes   repetitions", "transport: TCP (btl tcp)", "verdict: not-judged: TCP");
            assertThat(new Picture(heatMap).texts()).contains("1 pair of 2 nodes (ring)", "e2e77n1", "e2e77n2");
            assertThat(Files.readString(junit)).contains("name=\"e2e77n1 - e2e77n2\"", "failures=\"0\"");
        }

        @Test
        void skipsMeasurementsForPairsNone() throws JsonProcessingException {
            JsonNode json = machine.json("verify %s --pairs none --json", CLUSTER.name());
            assertThat(json.path("checks")).hasSize(2);
            assertThat(json.has("pairs")).isFalse();
        }

        @Test
        void refusesUnknownKindOfPairs() {
            Program.Ended verify = machine.refuses("verify %s --pairs some", CLUSTER.name());
            assertThat(verify.stderr()).contains("invalid --pairs \"some\": use none, pair, ring or all-pairs");
        }
    }

    @Nested
    class Images {
        @Test
        void areListedNewestFirst() throws JsonProcessingException {
            Program.Ended images = machine.succeeds("images --captured --json");
            JsonNode json = AnalyzeTest.json(images.stdout());
            assertThat(json).isNotEmpty();
            List<String> times = new ArrayList<>();
            json.forEach(image -> {
                assertThat(AnalyzeTest.keys(image)).contains("name", "created", "bytes");
                times.add(image.path("created").asText());
            });
            assertThat(times).isSortedAccordingTo((a, b) -> Instant.parse(b).compareTo(Instant.parse(a)));
            assertThat(machine.clusterwright("images").stdout())
                    .contains(json.get(json.size() - 1).path("name").asText());
        }
    }

    @Nested
    class AnInterrupt {
        @Test
        void ofACommandEndsItOnEveryNode() {
            Program run = machine.startClusterwright("run %s -- sleep 4711", CLUSTER.name());
            MachineWatch.awaitProcesses("sleep 4711", 2);

            run.signal("INT");

            assertThat(run.end().status()).isEqualTo(130);
            MachineWatch.awaitProcesses("sleep 4711", 0);
            Program.Ended again = machine.clusterwright("run %s -- uname -n", CLUSTER.name());
            assertThat(again.stdout()).isEqualTo("--- e2e77n1\ne2e77n1\n--- e2e77n2\ne2e77n2\n");
        }

        @Test
        void ofAnMpiJobLeavesNoProcessOnAnyNode() {
            Program job = machine.startClusterwright("mpi %s -- sleep 4712", CLUSTER.name());
            MachineWatch.awaitProcesses("sleep 4712", 2);

            job.signalGroup("INT");

            Program.Ended ended = job.end();
            assertThat(ended.status()).isEqualTo(130);
            assertThat(ended.stderr())
                    .isEqualTo("\ninterrupted: cleaning up; interrupt again to end at once and leave the rest\n");
            MachineWatch.awaitProcesses("sleep 4712", 0);
            assertThat(machine.clusterwright("run %s -- pgrep -l hydra|mpirun|mpiexec", CLUSTER.name())
                            .stdout())
                    .contains("exit status 1")
                    .doesNotContain("hydra", "mpirun", "mpiexec");
        }
    }

    @Nested
    class AKill {
        /** Nothing is there any more to end what it started; the ranks ignore every polite signal and leave their session. */
        @ParameterizedTest
        @ValueSource(strings = {"sessions mpich/tcp", "ssh mpich/tcp", "ssh open-mpi/tcp"})
        void leavesNoProcessOfItsMpiJobOnAnyNode(String way) {
            String[] words = way.split(" ");
            Program job = machine.startClusterwright(
                    "mpi %s --ppn 1 --launch-over %s --preset %s -- /bin/sh -c %s",
                    CLUSTER.name(),
                    words[0],
                    words[1],
                    "trap '' TERM HUP INT; setsid sleep 4714 & sleep 4713; sleep 4713");
            MachineWatch.awaitProcesses("sleep 4713", 2);
            MachineWatch.awaitProcesses("sleep 4714", 2);

            job.signalGroup("KILL");

            MachineWatch.awaitProcesses("sleep 4713", 0);
            MachineWatch.awaitProcesses("sleep 4714", 0);
            MachineWatch.until(
                    "nothing of the job on any node",
                    () -> !machine.clusterwright("run %s -- pgrep -l hydra|mpirun|mpiexec|orted", CLUSTER.name())
                            .stdout()
                            .matches("(?s).*(hydra|mpirun|mpiexec|orted).*"));
        }
    }

    private JsonNode show() throws JsonProcessingException {
        return machine.json("show %s --json", CLUSTER.name()).path("nodes");
    }

    private static void expectCluster(JsonNode cluster) {
        assertThat(AnalyzeTest.keys(cluster)).contains("name", "provider", "phase", "created", "nodes");
        assertThat(cluster.path("name").asText()).isEqualTo(CLUSTER.name());
        assertThat(cluster.path("provider").asText()).isEqualTo("local");
        assertThat(cluster.path("phase").asText()).isEqualTo("ready");
        assertThat(cluster.path("nodes")).hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonNode node = cluster.path("nodes").get(i);
            assertThat(node.path("name").asText()).isEqualTo(CLUSTER.node(i + 1));
            assertThat(node.path("address").asText()).isEqualTo(CLUSTER.address(i + 1));
            assertThat(node.path("interconnect").asText()).isEqualTo("none");
            assertThat(node.path("hostKey").asText()).startsWith("SHA256:");
        }
    }
}
