package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.examples.cli.ClusterwrightMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** A cluster with Slurm and a separate head node: created, used from the head, resized, destroyed. */
@Tag("breadth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class SlurmClusterTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-slurm", 69, 2);
    private static final String RANK =
            "echo ${PMI_RANK:-no} of ${PMI_SIZE:-none} on $(hostname), job ${SLURM_JOB_ID:-none}";

    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    private Program.Ended created;

    @BeforeAll
    void create() {
        machine.open();
        String spec = CLUSTER.spec()
                        .replace("fabric: pair", "fabric: none")
                        .replace("    mpi: {flavour", "    packages: [environment-modules]\n    mpi: {flavour")
                + "scheduler: slurm\nheadNode: {size: Standard_D2s_v5}\n";
        created = machine.clusterwright(
                "create %s --on local", machine.write("slurm.yaml", spec).toString());
    }

    @AfterAll
    void close() {
        machine.close();
    }

    @Test
    @Order(1)
    void createStartsSlurm() {
        assertThat(created.status()).as(created.toString()).isZero();
        assertThat(created.stderr()).contains("+ scheduler", "+ slurm").doesNotContain("not supported yet");
    }

    @Test
    @Order(2)
    void srunReachesEveryNodeFromTheHeadWhichRunsNoJobs() {
        expectSrunOnEveryNode(2);
        Program.Ended processes =
                onHead("sh", "-c", "for file in /proc/[0-9]*/comm; do cat $file; done 2>&1 | sort -u");
        assertThat(processes.stdout().lines()).contains("slurmctld").doesNotContain("slurmd");
        Program.Ended shown = machine.clusterwright("list");
        assertThat(shown.stdout()).contains("e2e69n[1-2], head e2e69n0\n");
    }

    @Test
    @Order(2)
    void srunBindsEachRankToItsCore() {
        int cores = Runtime.getRuntime().availableProcessors();
        Program.Ended bound = onHead(
                "srun",
                "--nodes=1",
                "--ntasks=" + cores,
                "sed",
                "-n",
                "s/^Cpus_allowed_list:[[:space:]]*//p",
                "/proc/self/status");
        assertThat(bound.status()).as(bound.toString()).isZero();
        assertThat(bound.stdout().lines())
                .hasSize(cores)
                .doesNotHaveDuplicates()
                .allMatch(core -> core.matches("\\d+"));
    }

    @Test
    @Order(2)
    void sbatchFromTheHeadRunsOnTheNodes() {
        Program.Ended batch = onHead(
                "sh",
                "-c",
                "cd /tmp && printf '#!/bin/sh\\nsrun hostname >/tmp/ran\\n' >job.sh"
                        + " && sbatch --wait --nodelist=e2e69n2 --output=/dev/null job.sh");
        assertThat(batch.status()).as(batch.toString()).isZero();
        Program.Ended ran = machine.clusterwright("run %s --nodes %s -- cat /tmp/ran", CLUSTER.name(), CLUSTER.node(2));
        assertThat(ran.stdout()).isEqualTo("e2e69n2\n");
    }

    @Test
    @Order(2)
    void bashScriptsOfJobsKnowModules() {
        Program.Ended batch = onHead(
                "sh",
                "-c",
                "cd /tmp && printf '#!/bin/bash\\nmodule avail >/dev/null 2>&1 && type -t module\\n' >modules.sh"
                        + " && sbatch --parsable --wait --output=/tmp/modules.out modules.sh");
        assertThat(batch.status()).as(batch.toString()).isZero();
        String id = batch.stdout().lines().findFirst().orElseThrow();
        assertThat(machine.succeeds("output %s %s", CLUSTER.name(), id).stdout())
                .isEqualTo("function\n");
    }

    @Test
    @Order(2)
    void jobsShareTheMemoryOfANode() {
        String held = "sbatch --parsable --nodelist=e2e69n1 --mem=60% --output=/dev/null --wrap='sleep 300'";
        String memory = "$(($(sinfo --noheader --nodes=e2e69n1 --format=%m) * 6 / 10))";
        Program.Ended two = onHead("sh", "-c", (held + ";" + held).replace("60%", memory));
        List<String> ids = two.stdout().lines().toList();
        assertThat(ids).as(two.toString()).hasSize(2);
        Program.Ended states = onHead(
                "sh",
                "-c",
                "for n in $(seq 100); do squeue --noheader --states=RUNNING --format=%i | grep -qx " + ids.get(0)
                        + " && break; sleep 0.1; done; sleep 1; squeue --noheader --sort=i --format='%i %T %r'; scancel "
                        + String.join(" ", ids));
        assertThat(states.stdout()).isEqualTo(ids.get(0) + " RUNNING None\n" + ids.get(1) + " PENDING Resources\n");
    }

    @Test
    @Order(2)
    void jobsAreQueuedListedCancelledAndRead() throws JsonProcessingException {
        Program.Ended submitted = machine.succeeds(
                "submit %s -n 2 --env WORD=hello -- sh -c %s",
                CLUSTER.name(), "echo $WORD $PMI_RANK; [ $PMI_RANK = 1 ] || hostname > ~/first.txt");
        String id = submitted.stdout().strip();
        Path results = machine.folder().resolve("results of " + id);

        Program.Ended output =
                machine.succeeds("output %s %s --follow --stage-out %s", CLUSTER.name(), id, "first.txt:" + results);
        assertThat(output.stdout().lines()).containsExactlyInAnyOrder("hello 0", "hello 1");
        assertThat(results.resolve("first.txt")).content().matches(CLUSTER.prefix() + "\\d+\n");
        assertThat(machine.fails("output %s %s --stage-out absent.txt", CLUSTER.name(), id)
                        .stderr())
                .contains("there is no such file or folder");

        String longer = machine.clusterwright("submit %s -n 1 -- sh -c %s", CLUSTER.name(), "echo up; exec sleep 4719")
                .stdout()
                .strip();
        expectAttachingAndDetaching(longer);
        JsonNode listed = machine.json("jobs %s --json", CLUSTER.name());
        assertThat(listed.findValuesAsText("id")).contains(id, longer);
        assertThat(listed.get(0).path("state").asText()).isEqualTo("succeeded");
        assertThat(machine.clusterwright("jobs %s", CLUSTER.name()).stdout())
                .contains(id + " ", "succeeded", longer + " ");

        Program.Ended cancelled = machine.succeeds("cancel %s %s --json", CLUSTER.name(), longer);
        assertThat(AnalyzeTest.json(cancelled.stdout()).path("state").asText()).isEqualTo("cancelled");
        Program.Ended attached = machine.fails("mpi %s --attach %s --json", CLUSTER.name(), longer);
        JsonNode end = AnalyzeTest.json(attached.stdout());
        assertThat(end.path("outcome").asText()).isEqualTo("cancelled");
        assertThat(end.path("ranks").asInt()).isEqualTo(1);
        assertThat(end.path("output").get(0).asText()).isEqualTo("up");
        assertThat(end.path("state").asText()).isEqualTo("cancelled");

        Program.Ended unknown = machine.fails("output %s 99999", CLUSTER.name());
        assertThat(unknown.stderr()).contains("the scheduler has no Slurm job 99999; clusterwright jobs lists");
    }

    /** All byte values, more than is kept in memory, without a line feed at the end, through each way that output takes. */
    @Test
    @Order(2)
    void binaryOutputIsEqualToTheByte() throws IOException {
        String node = CLUSTER.node(1);
        String made =
                "head -c 20000000 /dev/urandom >/tmp/bytes; printf '\\0\\r\\n\\377end' >>/tmp/bytes; sha256sum </tmp/bytes";
        String sum = machine.succeeds(
                        "run %s --nodes %s --user %s -- sh -c %s", CLUSTER.name(), node, CLUSTER.user(), made)
                .stdout();
        List<String> cat = List.of("--", "cat", "/tmp/bytes");

        expectBytes(sum, List.of("run", CLUSTER.name(), "--nodes", node), cat);
        List<String> mpi = List.of("mpi", CLUSTER.name(), "--nodes", node, "-n");
        expectBytes(sum, mpi, List.of("1"), cat);
        expectBytes(sum, mpi, List.of("1", "--mpi", "mpich", "--launch-over", "sessions"), cat);
        expectBytes(sum, mpi, List.of("1", "--mpi", "open-mpi", "--launch-over", "ssh"), cat);
        Path ranks = machine.folder().resolve("ranks");
        machine.succeeds(
                "mpi %s --nodes %s -n 2 --mpi mpich --launch-over sessions --output %s -- cat /tmp/bytes",
                CLUSTER.name(), node, ranks);
        for (String file : List.of("rank-0.out", "rank-1.out")) {
            Program.Ended summed = machine.run(List.of(
                    "sh",
                    "-c",
                    "sha256sum <" + PosixShell.quote(ranks.resolve(file).toString())));
            assertThat(summed.stdout()).as(file).isEqualTo(sum);
            Files.delete(ranks.resolve(file));
        }
        String id = machine.succeeds("submit %s --nodes %s -n 1 -- cat /tmp/bytes", CLUSTER.name(), node)
                .stdout()
                .strip();
        machine.succeeds("mpi %s --attach %s --json", CLUSTER.name(), id);
        expectBytes(sum, List.of("output", CLUSTER.name(), id));
    }

    @SafeVarargs
    private void expectBytes(String sum, List<String>... arguments) {
        List<String> words = Stream.of(arguments).flatMap(List::stream).toList();
        List<String> command = Machine.java(ClusterwrightMain.class, words.toArray(String[]::new));
        Program.Ended ended = machine.run(List.of("sh", "-c", PosixShell.quote(command) + " | sha256sum"));
        assertThat(ended.stdout()).as(words + ended.stderr()).isEqualTo(sum);
    }

    @Test
    @Order(2)
    void exportPrintsTheConfigurationOfSlurm() {
        Program.Ended export = machine.clusterwright("export %s --slurm", CLUSTER.name());
        assertThat(export.stdout()).contains("ClusterName=e2e-slurm", "SlurmctldHost=e2e69n0(");
    }

    @Test
    @Order(3)
    void nodesShareASecretThatOnlyRootReads() {
        expectTheSameSecretForRootOnly(2);
    }

    @Test
    @Order(4)
    void addedNodesTakeJobs() throws JsonProcessingException {
        Program.Ended larger = machine.succeeds("resize %s 3", CLUSTER.name());
        expectSrunOnEveryNode(3);
        expectAnMpiJobOnEveryNode(3);
        if (Boolean.getBoolean("clusterwright.soak")) {
            expectAJobToSurviveTheLossOfAnotherNode();
            expectSlurmToComeBackWithTheNodes();
        }
    }

    @Test
    @Order(5)
    void destroyLeavesNothing() {
        Program.Ended destroyed = machine.succeeds("destroy %s", CLUSTER.name());
        assertThat(MachineSnapshot.of(CLUSTER, machine.state()).facts()).isEmpty();
    }

    /** The only job that has not ended is found without its id. */
    private void expectAttachingAndDetaching(String id) throws JsonProcessingException {
        Program attached = machine.startClusterwright("mpi %s --attach", CLUSTER.name());
        attached.awaitText("up\n");
        attached.signal("INT");
        Program.Ended left = attached.end();
        assertThat(left.status()).as(left.toString()).isEqualTo(130);
        assertThat(left.stderr())
                .contains("detached: Slurm job " + id + " goes on; come back with clusterwright mpi e2e-slurm --attach "
                        + id + ", or end it with clusterwright cancel e2e-slurm " + id)
                .doesNotContain("cleaning up");
        JsonNode jobs = machine.json("jobs %s --json", CLUSTER.name());
        assertThat(jobs.get(jobs.findValuesAsText("id").indexOf(id))
                        .path("state")
                        .asText())
                .isEqualTo("running");
    }

    private void expectAJobToSurviveTheLossOfAnotherNode() {
        String job = "#!/bin/sh\nwhile [ ! -e /tmp/go ]; do sleep 0.1; done\nhostname >/tmp/survived\n";
        Program.Ended submitted = onHead(
                "sh",
                "-c",
                "cd /tmp && printf '" + job.replace("\n", "\\n")
                        + "' >job.sh && sbatch --parsable --nodelist=e2e69n2 job.sh");
        assertThat(submitted.status()).as(submitted.toString()).isZero();
        String id = submitted.stdout().lines().findFirst().orElseThrow();

        Program.Ended smaller = machine.succeeds("resize %s 2", CLUSTER.name());
        assertThat(onHead("squeue", "--noheader", "--format=%i %T %N").stdout()).contains(id + " RUNNING e2e69n2");
        machine.clusterwright("run %s --nodes %s -- touch /tmp/go", CLUSTER.name(), CLUSTER.node(2));
        Program.Ended ended = onHead(
                "sh",
                "-c",
                "n=0; while [ -n \"$(squeue --noheader)\" ] && [ $n -lt 200 ]; do n=$((n + 1)); sleep 0.1; done;"
                        + " scontrol show job " + id);
        assertThat(ended.stdout()).contains("JobState=COMPLETED");
        assertThat(machine.clusterwright("run %s --nodes %s -- cat /tmp/survived", CLUSTER.name(), CLUSTER.node(2))
                        .stdout())
                .endsWith("e2e69n2\n");
    }

    private void expectSlurmToComeBackWithTheNodes() throws JsonProcessingException {
        assertThat(machine.clusterwright("stop %s", CLUSTER.name()).status()).isZero();
        Program.Ended started = machine.succeeds("start %s", CLUSTER.name());
        expectSrunOnEveryNode(2);
        expectAnMpiJobOnEveryNode(2);
    }

    private void expectSrunOnEveryNode(int count) {
        Program.Ended srun = onHead("srun", "--nodes=" + count, "--ntasks-per-node=1", "hostname");
        assertThat(srun.status()).as(srun.toString()).isZero();
        assertThat(srun.stdout().lines()).containsExactlyInAnyOrderElementsOf(nodes(count));
    }

    private void expectAnMpiJobOnEveryNode(int count) throws JsonProcessingException {
        Program.Ended job = machine.succeeds("mpi %s --ppn 2 --json -- /bin/sh -c %s", CLUSTER.name(), RANK);
        JsonNode json = AnalyzeTest.json(job.stdout());
        List<String> lines = new ArrayList<>();
        json.path("output").forEach(line -> lines.add(line.asText()));
        assertThat(lines)
                .hasSize(2 * count)
                .allMatch(line -> line.matches("\\d of " + 2 * count + " on e2e69n\\d, job \\d+"));
        for (String node : nodes(count)) {
            assertThat(lines)
                    .filteredOn(line -> line.contains(" on " + node + ","))
                    .hasSize(2);
        }
        assertThat(json.path("ranks").asInt()).isEqualTo(2 * count);
    }

    private void expectTheSameSecretForRootOnly(int count) {
        Program.Ended keys = machine.succeeds(
                "run %s -- sh -c %s",
                CLUSTER.name(),
                "sudo sha256sum /etc/munge/munge.key; cat /etc/munge/munge.key 2>/dev/null || echo refused");
        assertThat(keys.stdout())
                .matches("--- e2e69n\\[0-" + count + "]\n[0-9a-f]{64} +/etc/munge/munge\\.key\nrefused\n");
    }

    private Program.Ended onHead(String... command) {
        List<String> all =
                new ArrayList<>(List.of("run", CLUSTER.name(), "--nodes", "head", "--user", CLUSTER.user(), "--"));
        all.addAll(List.of(command));
        return machine.clusterwright(all.toArray(String[]::new));
    }

    private static List<String> nodes(int count) {
        List<String> names = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            names.add(CLUSTER.node(number));
        }
        return names;
    }
}
