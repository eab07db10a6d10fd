package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.Node;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.cluster.NodeUnreachableException;
import io.clusterwright.core.cluster.RunningCommand;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs that a real Slurm starts on real nodes. */
@LocalCluster(nodes = 3)
@Timeout(120)
class SlurmNodesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<MpiFlavour> FLAVOURS = List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI);
    private static final long SEED = 20260421;

    private static SlurmOnNodes slurm;
    private static SlurmTarget target;

    private final Cluster cluster;
    private final List<MpiLine> lines = Collections.synchronizedList(new ArrayList<>());

    SlurmNodesTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    static void startSlurm(Cluster cluster) {
        slurm = SlurmOnNodes.start(cluster);
        target = SlurmTarget.of(cluster).partition("debug");
    }

    @AfterEach
    void nothingIsLeft() {
        lines.clear();
        slurm.assertNothingIsLeft();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void formOneWorld(MpiFlavour flavour) {
        PingPongReport report =
                PingPongCheck.on(target).installation(installed(flavour)).run(MINUTE);

        assertThat(report.measured()).as("%s", report.result()).isTrue();
        assertThat(report.result().command()).contains("--mpi=" + (flavour == MpiFlavour.MPICH ? "pmi2" : "pmix"));
        assertThat(report.table().orElseThrow().rows()).hasSize(44);
        assertThat(report.result().clean())
                .as("%s", report.result().leftovers())
                .isTrue();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void allAnswerWithTheirNames(MpiFlavour flavour) {
        HostnameCheck.Report report =
                HostnameCheck.on(target).installation(installed(flavour)).run(MINUTE);

        assertThat(report.passed()).as("%s", report.result()).isTrue();
        assertThat(report.answered()).containsExactlyInAnyOrderElementsOf(names());
    }

    @Test
    void areToldApartFromSingleRanksThatEndWell() {
        MpiInstallation mpich = installed(MpiFlavour.MPICH);

        HostnameCheck.Report names =
                HostnameCheck.on(target.pmi("none")).installation(mpich).run(MINUTE);
        PingPongReport pingPong =
                PingPongCheck.on(target.pmi("none")).installation(mpich).run(MINUTE);

        assertThat(names.result().exitStatus()).hasValue(0);
        assertThat(names.passed()).isFalse();
        assertThat(names.result().findings()).extracting(Finding::code).contains("CW-MPI-006");
        assertThat(pingPong.result().succeeded()).isFalse();
    }

    @Test
    void nameTheRankThatLeftWithAStatus() {
        MpiResult result = run(shell("test $SLURM_PROCID = 1 && exit 3; sleep 300"));

        assertThat(result.outcome()).isEqualTo(MpiResult.Outcome.ENDED);
        assertThat(result.exitStatus().orElseThrow()).isPositive();
        assertThat(message(result, "CW-MPI-040"))
                .isEqualTo("rank 1 on " + names().get(1) + " was the first to fail: Exited with exit code 3");
        assertThat(result.clean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void nameTheRankThatASignalEnded() {
        MpiResult result = run(shell("test $SLURM_PROCID = 2 && kill -KILL $$; sleep 300"));

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-MPI-040"))
                .isEqualTo("rank 2 on " + names().get(2) + " was the first to fail: Killed");
        assertThat(result.clean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void keepNothingOfAJobThatTookTooLong() {
        MpiResult result = shell("trap '' TERM HUP INT; setsid sleep 300 & while :; do sleep 1; done")
                .flavour(MpiFlavour.MPICH)
                .ranksPerNode(1)
                .on(target)
                .run(Duration.ofSeconds(2));

        assertThat(result.outcome()).isEqualTo(MpiResult.Outcome.TIMED_OUT);
        assertThat(result.leftovers()).containsOnlyKeys(names());
        assertThat(result.clean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void endWhenTheyAreCancelled() throws InterruptedException {
        CountDownLatch up = new CountDownLatch(3);
        RunningMpiJob running = shell("echo up; sleep 300")
                .flavour(MpiFlavour.OPEN_MPI)
                .ranksPerNode(1)
                .on(target)
                .onOutput(line -> up.countDown())
                .start(MINUTE);
        assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
        running.cancel();

        MpiResult result = running.await(Duration.ofSeconds(30)).orElseThrow();

        assertThat(result.outcome()).isEqualTo(MpiResult.Outcome.CANCELLED);
        assertThat(result.clean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void tellWhereSlurmLetsThemLockLessThanASession() {
        assertThat(SlurmLimits.check(target, MINUTE)).isEmpty();
        slurm.root(1, "/bin/sh", "-c", "prlimit --memlock=65536:65536 --pid $(cat /run/slurmd.pid)");
        try {
            assertThat(SlurmLimits.check(target, MINUTE)).singleElement().satisfies(finding -> {
                assertThat(finding.code()).isEqualTo("CW-MPI-041");
                assertThat(finding.message())
                        .startsWith("a rank that Slurm starts on " + names().get(1)
                                + " may lock 64 KiB, and an SSH session");
            });
        } finally {
            slurm.root(1, "/bin/sh", "-c", "kill $(cat /run/slurmd.pid)");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> slurm.root(1, "/bin/sh", "-c", "pgrep -x slurmd || true")
                            .stdout()
                            .isBlank());
            slurm.startSlurmd(1);
        }
    }

    @Test
    void nameTheNodeThatIsDownWithItsReason() {
        NodeName last = names().get(2);
        slurm.root(0, "scontrol", "update", "nodename=" + last, "state=down", "reason=fan is broken");
        try {
            MpiResult result = run(MpiJob.of("hostname"));

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures())
                    .containsExactly(new LaunchFailure(
                            last.value(),
                            LaunchFailure.REFUSED_BY_SCHEDULER,
                            false,
                            "Slurm says down (fan is broken)"));
            assertThat(message(result, "CW-MPI-001"))
                    .isEqualTo("Slurm could not use " + last + ": Slurm says down (fan is broken)");
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(10));
        } finally {
            slurm.root(0, "scontrol", "update", "nodename=" + last, "state=resume");
        }
    }

    @Test
    void nameTheNodeWhoseSlurmdDied() {
        NodeName last = names().get(2);
        slurm.killSlurmd(2);
        try {
            MpiResult result = run(MpiJob.of("hostname"));

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures()).extracting(LaunchFailure::host).contains(last.value());
            assertThat(message(result, "CW-MPI-001")).startsWith("Slurm could not use " + last);
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(20));
        } finally {
            slurm.startSlurmd(2);
        }
    }

    @Test
    void areEndedByTheirNodeWhenNobodyIsThereToEndThem() {
        JobStart start =
                JobStart.of(shell("trap '' TERM; echo up; sleep 300").ranksPerNode(1), target, line -> {}, null);
        LaunchCommand command = new SlurmLauncher(target.settings()).command(start.request());
        JobFolder folder = start.request().folder();
        NodeSession session = target.session(names().get(0));
        session.run(Command.of("mkdir", "-m", "0700", folder.path())).orThrow();
        command.files().forEach(file -> session.write(bytes(file.content()), folder.path(file.name()), file.mode()));
        Command launch = Command.of(command.arguments());
        for (var variable : command.environment().entrySet()) {
            launch = launch.environment(variable.getKey(), variable.getValue());
        }
        CountDownLatch up = new CountDownLatch(1);
        try (RunningCommand running = session.start(launch, (stream, bytes, length) -> up.countDown())) {
            await().atMost(Duration.ofSeconds(20)).until(() -> slurm.queue().contains(" R ") && up.getCount() == 0);
            slurm.breakConnections();
            assertThatThrownBy(() -> running.await(MINUTE)).isInstanceOf(NodeUnreachableException.class);
        }

        await().atMost(Duration.ofSeconds(30)).untilAsserted(slurm::assertNothingRuns);
        assertThat(new LeftoverSweep(target, folder).count().values()).allMatch(Leftovers::clean);
    }

    @Test
    void areOverWhenTheSessionThatWatchesThemBreaks() throws InterruptedException {
        CountDownLatch up = new CountDownLatch(3);
        RunningMpiJob running = shell("echo up; sleep 300")
                .flavour(MpiFlavour.MPICH)
                .ranksPerNode(1)
                .on(target)
                .onOutput(line -> up.countDown())
                .start(MINUTE);
        assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
        slurm.breakConnections();

        MpiResult result = running.await(Duration.ofSeconds(40)).orElseThrow();

        assertThat(result.outcome()).isEqualTo(MpiResult.Outcome.LOST);
        assertThat(result.clean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void passArgumentsOnUnchanged() {
        Random random = new Random(SEED);
        String alphabet = "ab \t\n'\"\\$`*?;&|<>(){}[]#!~=:%^-,äµ漢";
        List<String> words = new ArrayList<>(
                List.of("", " ", "-n", "--", "::", "a:b", "\\", "'", "\"", "$HOME", "a\nb", "%t", "a,b", "{%}"));
        for (int i = 0; i < 60; i++) {
            StringBuilder word = new StringBuilder();
            random.ints(random.nextInt(12), 0, alphabet.length()).forEach(c -> word.append(alphabet.charAt(c)));
            if (!word.toString().equals(":")) {
                words.add(word.toString());
            }
        }
        List<String> argv = new ArrayList<>(List.of(
                "/bin/sh", "-c", "for a; do printf %s \"$a\" | od -An -v -tx1 | tr -d ' \\n'; echo; done", "sh"));
        argv.addAll(words);

        run(MpiJob.of(argv).ranks(3)).orThrow();

        for (int rank = 0; rank < 3; rank++) {
            int wanted = rank;
            assertThat(lines.stream().filter(line -> line.rankOrNone() == wanted))
                    .as("seed %d, rank %d", SEED, rank)
                    .extracting(MpiLine::text)
                    .containsExactlyElementsOf(
                            words.stream().map(SlurmNodesTest::hex).toList());
        }
    }

    @Test
    void passVariablesAndTheFolderOn() {
        String value = "a;b,c=d \"e\" 'f' $G\nsecond line: µ";

        run(shell("printf %s \"$V\" | od -An -v -tx1 | tr -d ' \\n'; echo; echo \"<${EMPTY-unset}>\"; pwd")
                        .environment("V", value)
                        .environment("EMPTY", "")
                        .workingDirectory("/usr")
                        .ranks(1))
                .orThrow();

        assertThat(lines).extracting(MpiLine::text).containsExactly(hex(value), "<>", "/usr");
    }

    @Test
    void cannotPretendToBeAnotherRank() {
        run(shell("printf '1: no\\n'; printf a; printf 'b\\n2: no\\n' >&2").ranks(1))
                .orThrow();

        assertThat(lines).extracting(MpiLine::rankOrNone).containsOnly(0);
        assertThat(lines).extracting(MpiLine::text).containsExactlyInAnyOrder("1: no", "a", "b", "2: no");
    }

    @Test
    void areNotStartedInAnotherFolderThanTheOneAskedFor() {
        MpiResult result =
                run(MpiJob.of("pwd").workingDirectory("/no such folder").ranks(1));

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-DIAG-610")).contains("Slurm ran the program in /tmp");
        assertThat(result.outputTail()).extracting(MpiLine::text).anyMatch(line -> line.contains("/no such folder"));
    }

    private MpiResult run(MpiJob job) {
        MpiJob spread = job.ranks().isPresent() ? job : job.ranksPerNode(1);
        return spread.flavour(MpiFlavour.MPICH).on(target).onOutput(lines::add).run(MINUTE);
    }

    static MpiJob shell(String script) {
        return MpiJob.of("/bin/sh", "-c", script);
    }

    private static String message(MpiResult result, String code) {
        return result.findings().stream()
                .filter(finding -> finding.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElseThrow(() -> new AssertionError(code + " is none of " + result.findings()));
    }

    private MpiInstallation installed(MpiFlavour flavour) {
        return MpiDetector.detect(target.session(names().get(0))).stream()
                .filter(mpi -> mpi.flavour() == flavour)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }

    private static String hex(String text) {
        StringBuilder hex = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }
}
