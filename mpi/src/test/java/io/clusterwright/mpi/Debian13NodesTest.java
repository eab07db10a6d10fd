package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.node.Debian13;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.job.SlurmTarget;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of Open MPI 5, MPICH 4.2 and Slurm 24.11 on two nodes of Debian 13, in each way to start ranks. */
@Tag("breadth")
@LocalCluster(nodes = 2, description = Debian13NodesTest.OnDebian13.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class Debian13NodesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String RANK = "r=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}}; ";
    private static final Pattern MAPPED =
            Pattern.compile("App rank: (\\d+)\\s+.*?Binding: package\\[\\d+]\\[core:(\\d+(?:-\\d+)?)]", Pattern.DOTALL);

    private static final Pattern BOUND =
            Pattern.compile("cpu-bind=\\S+ - \\S+, task +(\\d+) +\\d+ \\[\\d+]: mask 0x([0-9a-f]+) set\\b");
    private static final String SYNTHETIC = "/tmp/synthetic";

    private Cluster cluster;

    enum Way {
        SSH,
        SESSIONS,
        SLURM
    }

    /** Made by the extension. */
    static final class OnDebian13 implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            spec.image(image -> image.base("file:" + Debian13.root()).capture(false))
                    .scheduler(Scheduler.SLURM);
        }
    }

    @BeforeAll
    void build(Cluster nodes, @TempDir Path folder) throws Exception {
        cluster = nodes;
        for (MpiFlavour flavour : List.of(MpiFlavour.OPEN_MPI, MpiFlavour.MPICH)) {
            for (String name : List.of("heat", "hybrid")) {
                Path program = Heat.build(name, flavour, folder);
                for (Node node : cluster.nodes()) {
                    session(node).upload(program, "/tmp/" + name + "-" + flavour, 0755);
                }
            }
        }
    }

    @Test
    void theNodesHaveTheLaterMpis() {
        List<MpiInstallation> found = MpiInstallation.on(session(cluster.nodes().get(0)));

        assertThat(found)
                .extracting(mpi -> mpi.flavour() + " " + mpi.version().replaceAll("\\.\\d+$", ""))
                .containsExactlyInAnyOrder("open-mpi 5.0", "mpich 4.2");
    }

    @EachMpiInEachWay
    void resultsAreAsOfPlainMpirun(MpiFlavour flavour, Way way) {
        String program = "/tmp/heat-" + flavour;
        String mpirun = plainMpirun(flavour);
        List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());

        JobResult result = run(MpiJob.of(program, "all", "-1", "50").flavour(flavour), way, lines);

        assertThat(result.succeeded()).as("%s", result).isTrue();
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        assertThat(lines.stream().map(OutputLine::text).toList())
                .isNotEmpty()
                .isEqualTo(plain(mpirun + " -n 4 " + program + " all -1 50")
                        .stdout()
                        .lines()
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"SSH", "SESSIONS", "SLURM"})
    void mpi4pyComputesAsUnderPlainMpirun(Way way) {
        String program = "from mpi4py import MPI; c = MPI.COMM_WORLD; print(c.rank, c.size, c.allreduce(c.rank ** 2))";
        List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());

        JobResult result = run(MpiJob.of("python3", "-c", program).flavour(MpiFlavour.OPEN_MPI), way, lines);

        assertThat(result.succeeded()).as("%s", result).isTrue();
        assertThat(lines)
                .extracting(OutputLine::text)
                .containsExactlyInAnyOrderElementsOf(
                        plain("mpirun.openmpi --oversubscribe -n 4 python3 -c '" + program + "'")
                                .stdout()
                                .lines()
                                .toList());
    }

    @ParameterizedTest
    @CsvSource({"SESSIONS", "SLURM"})
    void hpccComputesAsUnderPlainMpirun(Way way, @TempDir Path folder) throws Exception {
        Path input = copy("programs/hpccinf.txt", folder);
        plain("rm -rf hpcc plain; mkdir hpcc plain");
        session(cluster.nodes().get(1)).run(Command.of("mkdir", "-p", "hpcc")).orThrow();

        JobResult result = run(
                MpiJob.of("hpcc")
                        .flavour(MpiFlavour.OPEN_MPI)
                        .workingDirectory("~/hpcc")
                        .stageIn(input, "hpccinf.txt")
                        .stageOut("hpccoutf.txt", folder),
                way,
                new ArrayList<>());

        assertThat(result.succeeded()).as("%s", result).isTrue();
        assertThat(result.firstFailure()).isEmpty();
        List<String> numbers = numbersOfHpcc(Files.readString(folder.resolve("hpccoutf.txt")));
        assertThat(numbers)
                .hasSize(11)
                .contains("Success=1", "CommWorldProcs=4", "PTRANS_residual=0", "MPIRandomAccess_Errors=0")
                .isEqualTo(numbersOfHpcc(plain("cd plain; cp ../hpcc/hpccinf.txt .;"
                                + " mpirun.openmpi --oversubscribe -n 4 hpcc; cat hpccoutf.txt")
                        .stdout()));
    }

    /** What does not depend on the time: the sizes, the solution and the residuals. */
    private static List<String> numbersOfHpcc(String output) {
        return output.lines()
                .filter(line -> line.matches("Success=.*|CommWorldProcs=.*|HPL_(N|Anorm1|Xnorm1|XnormI|RnormI)=.*"
                        + "|PTRANS_(n|residual)=.*|MPIFFT_maxErr=.*|MPIRandomAccess_Errors=.*"))
                .toList();
    }

    /** Each of two ranks has two cores, and each of its threads one of them, under a launcher as under plain mpirun. */
    @EachMpiInEachWay
    void threadsOfARankHaveACoreEach(MpiFlavour flavour, Way way) {
        String program = "/tmp/hybrid-" + flavour;
        String mpirun = plainMpirun(flavour);
        List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());

        JobResult result = run(
                MpiJob.of(program).flavour(flavour).ranks(2).threadsPerRank(2).binding(Binding.CORE), way, lines);

        assertThat(result.succeeded()).as("%s", result).isTrue();
        List<String> texts = lines.stream().map(OutputLine::text).sorted().toList();
        assertThat(texts).as("%s", result).hasSize(3);
        assertThat(texts.get(0))
                .startsWith("pi 3.14159265")
                .isEqualTo(plain("OMP_NUM_THREADS=2 " + mpirun + " -n 2 " + program + " | grep pi")
                        .stdout()
                        .strip());
        for (int rank = 0; rank < 2; rank++) {
            Matcher line = Pattern.compile("rank " + rank + " of 2, 2 threads on (\\S+) (\\S+)")
                    .matcher(texts.get(rank + 1));
            assertThat(line.matches()).as("%s", texts).isTrue();
            assertThat(line.group(1)).as("%s", texts).matches("\\d+").isNotEqualTo(line.group(2));
        }
    }

    @EachMpiInEachWay
    void namesTheRankThatFailsWithItsStatus(MpiFlavour flavour, Way way) {
        // In Open MPI 5, a rank that loses its partner may end the job before that partner has ended with its status.
        String mode = flavour == MpiFlavour.OPEN_MPI ? "late" : "exit";
        JobResult result =
                run(MpiJob.of("/tmp/heat-" + flavour, mode, "3", "200").flavour(flavour), way, new ArrayList<>());

        assertThat(result.exitStatus()).as("%s", result).hasValue(3);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(3), "node2", OptionalInt.of(3), OptionalInt.empty(), true));
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"SSH", "SESSIONS"})
    void namesTheRankThatCrashes(Way way) {
        JobResult result = run(
                MpiJob.of("/tmp/heat-open-mpi", "crash", "3", "200").flavour(MpiFlavour.OPEN_MPI),
                way,
                new ArrayList<>());

        assertThat(result.exitStatus()).as("%s", result).hasValue(128 + 11);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(3), "node2", OptionalInt.empty(), OptionalInt.of(11), true));
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, SSH", "OPEN_MPI, SESSIONS", "OPEN_MPI, SLURM", "MPICH, SESSIONS"})
    void namesTheProgramThatIsMissing(MpiFlavour flavour, Way way) {
        JobResult result = run(MpiJob.of("no-such-program").flavour(flavour), way, new ArrayList<>());

        assertThat(result.exitStatus()).as("%s", result).hasValue(127);
        assertThat(result.findings())
                .as("%s", result)
                .anyMatch(finding -> finding.code().equals("CW-DIAG-218")
                        && finding.message().startsWith("the program no-such-program is not on node"));
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, SSH", "OPEN_MPI, SESSIONS", "OPEN_MPI, SLURM", "MPICH, SESSIONS"})
    void aCancelledJobLeavesNothing(MpiFlavour flavour, Way way) throws InterruptedException {
        CountDownLatch up = new CountDownLatch(4);
        RunningJob running = placed(
                        MpiJob.of("/bin/sh", "-c", "echo up; sleep 300").flavour(flavour), way)
                .onOutput(line -> up.countDown())
                .start(MINUTE);
        assertThat(up.await(40, TimeUnit.SECONDS)).isTrue();

        running.cancel();

        JobResult result = running.await(MINUTE).orElseThrow();
        assertThat(result.outcome()).as("%s", result).isEqualTo(JobResult.Outcome.CANCELLED);
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        assertThat(cluster.run(Command.shell("ps -eo args | grep -E '[s]leep 300|[p]rted|[h]ydra_pmi' || true"))
                        .orThrow()
                        .groupedByOutput()
                        .keySet())
                .containsExactly("");
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, SSH", "OPEN_MPI, SESSIONS", "OPEN_MPI, SLURM", "MPICH, SESSIONS"})
    void outputBelongsToItsRank(MpiFlavour flavour, Way way) {
        List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());
        // PRRTE puts a line that has not ended on standard output before what comes on standard error then.
        String script = RANK + "echo err $r >&2; sleep 0.2; echo out $r; printf 'a b'; echo";

        JobResult result = run(MpiJob.of("/bin/sh", "-c", script).flavour(flavour), way, lines);

        assertThat(result.succeeded()).as("%s", result).isTrue();
        Map<Integer, List<String>> byRank = new TreeMap<>();
        lines.forEach(line -> byRank.computeIfAbsent(line.rank().orElse(-1), rank -> new ArrayList<>())
                .add(line.text()));
        assertThat(byRank.keySet()).containsExactly(0, 1, 2, 3);
        byRank.forEach(
                (rank, texts) -> assertThat(texts).containsExactlyInAnyOrder("out " + rank, "a b", "err " + rank));
    }

    /** The daemon of Open MPI 5 ends without a word. */
    @ParameterizedTest
    @CsvSource({"SSH", "SESSIONS"})
    void aDaemonThatCannotStartEndsTheJobWithItsReason(Way way) {
        JobResult result = withOtherNodes(way, "chmod 0755 /tmp", "chmod 1777 /tmp");

        assertThat(result.findings() + " " + result.outputTail())
                .contains("/tmp/cwjob-")
                .contains("ermission denied");
    }

    /** Over ssh, whose status is then the one of a broken connection, it looks like a lost node. */
    @Test
    void aDaemonThatCrashesEndsTheJobWithItsWords() {
        JobResult result = withOtherNodes(
                Way.SESSIONS,
                "mv /usr/bin/prted /usr/bin/prted.real;"
                        + " printf '#!/bin/sh\\necho no interface found >&2\\nkill -SEGV $$\\n' > /usr/bin/prted;"
                        + " chmod 755 /usr/bin/prted",
                "mv /usr/bin/prted.real /usr/bin/prted");

        assertThat(result.findings() + " " + result.outputTail()).contains("no interface found");
    }

    /** Runs a job that the harm on all but the launch node ends before it begins. */
    private JobResult withOtherNodes(Way way, String harm, String repair) {
        String launchNode = cluster.nodes().get(0).name().value();
        onOtherNodes(launchNode, harm);
        JobResult result;
        try {
            result = run(MpiJob.of("hostname").flavour(MpiFlavour.OPEN_MPI), way, new ArrayList<>());
        } finally {
            onOtherNodes(launchNode, repair);
        }
        assertThat(result.outcome()).as("%s", result).isEqualTo(JobResult.Outcome.LAUNCH_FAILED);
        assertThat(result.duration()).as("%s", result).isLessThan(Duration.ofSeconds(30));
        assertThat(result.findings())
                .extracting(Finding::code)
                .contains("CW-MPI-001")
                .doesNotContain("CW-DIAG-508");
        return result;
    }

    private void onOtherNodes(String node, String script) {
        cluster.run(Command.shell("test $(hostname) = " + node + " || { " + script + "; }")
                        .elevate())
                .orThrow();
    }

    @Test
    void slurmRunsASubmittedJob() {
        QueuedJobStatus end = MpiJob.of("/bin/sh", "-c", "exit 3")
                .flavour(MpiFlavour.OPEN_MPI)
                .ranksPerNode(2)
                .on(SlurmTarget.of(cluster))
                .submit()
                .await(MINUTE)
                .orElseThrow();

        assertThat(end.exitStatus()).as("%s", end).hasValue(3);
    }

    /** On two nodes of 2 sockets x 2 NUMA domains x 4 cores, as for Open MPI 4 in PlacedRanksTest. */
    @ParameterizedTest
    @CsvSource({
        "NUMA, 2, CORE, 2, 0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15",
        "NUMA, 1, CORE, 2, 0-1 4-5 8-9 12-13",
        "SOCKET, 2, CORE, 2, 0-1 2-3 8-9 10-11",
        "L3, 1, CORE, 4, 0-3 4-7 8-11 12-15",
        "DEFAULT, 1, CORE, 4, 0-3 4-7 8-11 12-15",
        "NUMA, 2, NUMA, 0, 0-3 0-3 4-7 4-7 8-11 8-11 12-15 12-15",
    })
    void openMpi5FillsOneDomainAfterTheOther(Binding domain, int ranks, Binding binding, int threads, String cores) {
        MpiInstallation mpi = new MpiInstallation(MpiFlavour.OPEN_MPI, "5.0.7", "/usr/bin/mpirun.openmpi");
        LaunchCommand command =
                new OpenMpiLauncher().command(PlacementTest.request(mpi, domain, ranks, binding, threads));
        NodeSession session = session(cluster.nodes().get(0));
        String folder = "/tmp/cwjob-0123456789abcdef";
        session.run(Command.of("mkdir", "-p", folder)).orThrow();
        session.write(command.files().get("hostfile").getBytes(), folder + "/hostfile", 0644);
        List<String> argv = new ArrayList<>(command.arguments());
        argv.addAll(1, List.of("--do-not-launch", "--display", "map-devel"));

        CommandResult shown = session.run(Command.of(argv)
                .environment("HWLOC_SYNTHETIC", "pack:2 numa:2 l3:1 core:4 pu:1")
                .timeout(MINUTE));

        Map<Integer, String> places = new TreeMap<>();
        Matcher rank = MAPPED.matcher(shown.stdout() + shown.stderr());
        while (rank.find()) {
            places.put(Integer.parseInt(rank.group(1)), rank.group(2));
        }
        assertThat(places.values()).as("%s", shown).containsExactly((cores + " " + cores).split(" "));
    }

    /**
     * As PlacedRanksTest, for nodes that Slurm takes for machines of 2 sockets x 2 NUMA domains x 4 cores. A rank of a NUMA domain has its share
     * of the cores of the domain, since Slurm cannot leave cores of a domain out.
     */
    @Test
    void slurmBindsRanksInTheirDomains(@TempDir Path folder) throws Exception {
        Map<LaunchRequest, String> cases = new LinkedHashMap<>();
        MpiInstallation mpi = new MpiInstallation(MpiFlavour.MPICH, "4.2.1", "/usr/bin/mpirun.mpich");
        cases.put(
                PlacementTest.request(mpi, Binding.NUMA, 2, Binding.CORE, 2), "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
        cases.put(PlacementTest.request(mpi, Binding.NUMA, 1, Binding.CORE, 2), "0-3 4-7 8-11 12-15");
        cases.put(PlacementTest.request(mpi, Binding.SOCKET, 2, Binding.CORE, 2), "0-1 8-9 2-3 10-11");
        cases.put(PlacementTest.request(mpi, Binding.SOCKET, 2, Binding.SOCKET, 0), "0-7 8-15 0-7 8-15");
        cases.put(PlacementTest.request(mpi, Binding.L3, 1, Binding.CORE, 4), "0-3 4-7 8-11 12-15");
        cases.put(PlacementTest.request(mpi, Binding.DEFAULT, 1, Binding.CORE, 4), "0-3 8-11 4-7 12-15");
        cases.put(
                PlacementTest.request(mpi, Binding.NUMA, 2, Binding.NUMA, 0), "0-3 0-3 4-7 4-7 8-11 8-11 12-15 12-15");
        Launcher launcher = NodeTarget.of(SlurmTarget.of(cluster)).launcher().orElseThrow();
        startSyntheticSlurm(folder);
        try {
            for (Map.Entry<LaunchRequest, String> each : cases.entrySet()) {
                List<String> argv = new ArrayList<>(List.of("srun", "--mpi=none"));
                launcher.command(each.getKey()).arguments().stream()
                        .filter(word -> word.matches("--(nodes|ntasks.*|distribution|cpus-per-task|cpu-bind)=.*"))
                        .map(word -> word.replace("--cpu-bind=", "--cpu-bind=verbose,"))
                        .forEach(argv::add);
                argv.add("true");
                CommandResult shown = session(cluster.nodes().get(0))
                        .run(Command.of(argv)
                                .environment("SLURM_CONF", SYNTHETIC + "/slurm.conf")
                                .timeout(MINUTE));
                assertThat(placesOfSrun(shown.stderr()))
                        .as("%s %s", argv, shown)
                        .containsExactly((each.getValue() + " " + each.getValue()).split(" "));
            }
        } finally {
            cluster.run(Command.shell("kill $(cat " + SYNTHETIC + "/*.pid)").elevate());
        }
    }

    private void startSyntheticSlurm(Path folder) throws Exception {
        Path source = copy("programs/kernel.c", folder);
        Path kernel = folder.resolve("kernel.so");
        Tool gcc = Tool.run(List.of("gcc", "-shared", "-fPIC", "-o", kernel.toString(), source.toString()));
        assertThat(gcc.status()).as(gcc.output()).isZero();
        String script = Files.readString(copy("synthetic-slurm.sh", folder));
        for (Node node : cluster.nodes()) {
            cluster.session(node.name())
                    .run(Command.of("mkdir", "-p", SYNTHETIC))
                    .orThrow();
            cluster.session(node.name()).upload(kernel, SYNTHETIC + "/kernel.so", 0755);
        }
        cluster.run(Command.shell(script)
                        .environment("CONTROLLER", cluster.nodes().get(0).name().value())
                        .environment(
                                "NODES",
                                cluster.nodes().stream()
                                        .map(node -> node.name() + "=" + node.address())
                                        .collect(Collectors.joining(" ")))
                        .elevate())
                .orThrow();
        await().atMost(MINUTE)
                .untilAsserted(() -> assertThat(session(cluster.nodes().get(0))
                                .run(Command.of("sinfo", "--noheader", "--Node", "--format=%T")
                                        .environment("SLURM_CONF", SYNTHETIC + "/slurm.conf"))
                                .stdout()
                                .lines())
                        .containsExactly("idle", "idle"));
    }

    private static Path copy(String resource, Path folder) throws IOException {
        Path copy = folder.resolve(Path.of(resource).getFileName());
        try (InputStream in = Debian13NodesTest.class.getResourceAsStream(resource)) {
            Files.write(copy, in.readAllBytes());
        }
        return copy;
    }

    /** The cores of each rank, such as {@code 4-7}. */
    private static List<String> placesOfSrun(String output) {
        Map<Integer, String> places = new TreeMap<>();
        Matcher rank = BOUND.matcher(output);
        while (rank.find()) {
            long mask = Long.parseLong(rank.group(2), 16);
            int first = Long.numberOfTrailingZeros(mask);
            int cores = Long.bitCount(mask);
            boolean inOrder = mask >>> first == (1L << cores) - 1;
            places.put(Integer.parseInt(rank.group(1)), inOrder ? first + "-" + (first + cores - 1) : rank.group(2));
        }
        return List.copyOf(places.values());
    }

    /** The lines are of ranks: on busy cores PRRTE 3 warns that it came too late to change the process group of ssh. */
    private JobResult run(MpiJob job, Way way, List<OutputLine> lines) {
        JobResult result = placed(job, way).onOutput(lines::add).run(MINUTE);
        lines.removeIf(line -> line.text().contains("plm:ssh: Warning: setpgid("));
        return result;
    }

    private PlacedMpiJob placed(MpiJob job, Way way) {
        MpiJob two = job.ranks().isPresent() ? job : job.ranksPerNode(2);
        return switch (way) {
            case SSH -> two.launchOverSsh().on(JobTarget.of(cluster));
            case SESSIONS -> two.launchOverSessions().on(JobTarget.of(cluster));
            case SLURM -> two.on(SlurmTarget.of(cluster));
        };
    }

    /** A command by hand on the first node. */
    private CommandResult plain(String command) {
        return session(cluster.nodes().get(0))
                .run(Command.shell(command).timeout(MINUTE))
                .orThrow();
    }

    private NodeSession session(Node node) {
        return cluster.session(node.name(), cluster.mpiUser());
    }

    private static String plainMpirun(MpiFlavour flavour) {
        return flavour == MpiFlavour.MPICH ? "mpirun.mpich" : "mpirun.openmpi --oversubscribe";
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @CsvSource({
        "OPEN_MPI, SSH",
        "OPEN_MPI, SESSIONS",
        "OPEN_MPI, SLURM",
        "MPICH, SSH",
        "MPICH, SESSIONS",
        "MPICH, SLURM"
    })
    private @interface EachMpiInEachWay {}
}
