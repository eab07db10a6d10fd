package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.internal.explain.RankFailures.RankPlacement;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankBinding;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.job.StagingFailedException;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks get and how they fail, over two real nodes with two ranks each. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(180)
class RealRanksTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<MpiFlavour> FLAVOURS = List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI);
    private static final String RANK = "r=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; ";
    private static final OptionalInt NONE = OptionalInt.empty();

    private final Cluster cluster;
    private final List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());
    private NodeTarget target;

    @TempDir
    private Path folder;

    RealRanksTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void look() {
        target = NodeTarget.of(JobTarget.of(cluster));
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void ranksFillOneNodeAfterTheOther(MpiFlavour flavour) {
        run(flavour, shell("hostname").ranks(3)).orThrow();

        TreeMap<Integer, String> hosts = new TreeMap<>();
        lines.forEach(line -> hosts.put(line.rank().orElse(-1), line.text()));
        RankPlacement placement = new RankPlacement(
                target.nodes().stream().map(node -> node.withSlots(2)).toList());
        assertThat(hosts).hasSize(3);
        hosts.forEach((rank, host) -> assertThat(host).isEqualTo(placement.nodeOf(rank)));
        assertThat(hosts.get(2)).isEqualTo("node2");
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void namesTheRankThatExitsWith3(MpiFlavour flavour) {
        JobResult result = run(flavour, shell(RANK + "if [ $r = 3 ]; then exit 3; fi"));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(3), "node2", OptionalInt.of(3), NONE, true));
        assertThatThrownBy(result::orThrow).hasMessageContaining("first, rank 3 on node2 ended with status 3");
        assertThat(result.isClean()).isTrue();
        // mpirun of Open MPI 4 crashes when it is ended while it ends the job.
        assertThat(result.outputTail())
                .extracting(OutputLine::text)
                .noneMatch(line -> line.contains("*** Process received signal ***"));
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void namesTheRankThatIsKilled(MpiFlavour flavour) {
        String script = RANK + "if [ $r = 1 ]; then kill -SEGV $$; fi; sleep 300";
        JobResult result = run(flavour, shell(script).ranksPerNode(1));

        assertThat(result.exitStatus()).hasValue(128 + 11);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(1), "node2", NONE, OptionalInt.of(11), true));
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    /** For sh, dash, ksh and fish Open MPI puts the command of a daemon between parentheses, which fish does not read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyLoginShellWillDo(boolean overSsh) {
        String likeFish =
                "#!/bin/sh\ncase $2 in '('*) echo \"fish: unexpected (\" >&2; exit 127 ;; esac\nexec /bin/sh \"$@\"\n";
        asRoot("printf '" + likeFish.replace("'", "'\\''").replace("\n", "\\n") + "' > /bin/likefish"
                + "; chmod 755 /bin/likefish; usermod -s /bin/likefish " + cluster.mpiUser());
        try {
            MpiJob job = shell("echo well").ranksPerNode(1);
            run(MpiFlavour.OPEN_MPI, overSsh ? job.launchOverSsh() : job.launchOverSessions())
                    .orThrow();
        } finally {
            asRoot("usermod -s /bin/bash " + cluster.mpiUser());
        }
        assertThat(lines).extracting(OutputLine::text).containsExactly("well", "well");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDaemonThatCannotStartEndsTheJobWithItsReason(boolean overSsh) {
        asRoot("test $(hostname) = node1 || chmod 0755 /tmp");
        JobResult result;
        try {
            MpiJob job = shell("echo well").ranksPerNode(1);
            result = run(MpiFlavour.OPEN_MPI, overSsh ? job.launchOverSsh() : job.launchOverSessions());
        } finally {
            asRoot("chmod 1777 /tmp");
        }
        assertThat(result.succeeded()).isFalse();
        assertThat(result.duration()).as("%s", result).isLessThan(Duration.ofSeconds(30));
        assertThat(result.findings() + " " + result.outputTail())
                .contains("/tmp/cwjob-")
                .contains("ermission denied");
    }

    private void asRoot(String script) {
        cluster.run(Command.shell(script).elevate()).orThrow();
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void namesNoRankOfASuccessfulJob(MpiFlavour flavour) {
        JobResult result = run(flavour, shell("echo well"));

        assertThat(result.orThrow().rankFailures()).isEmpty();
        assertThat(lines).extracting(OutputLine::text).containsExactly("well", "well", "well", "well");
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void ranksGetArgumentsAndVariablesUnchanged(MpiFlavour flavour) {
        long seed = System.nanoTime();
        List<String> words = Words.awkward(seed);
        List<String> argv = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "for a; do printf %s \"$a\" | od -An -v -tx1 | tr -d ' \\n'; echo; done;"
                        + " printf %s \"$V\" | od -An -v -tx1 | tr -d ' \\n'; echo",
                "sh"));
        argv.addAll(words);
        String value = "a b;'c' \"d\" $E\nµ漢 \\";

        JobResult result = run(flavour, MpiJob.of(argv).environment("V", value));

        assertThat(result.succeeded()).as("seed %d: %s", seed, result).isTrue();
        List<String> expected = new ArrayList<>(words.stream().map(Words::hex).toList());
        expected.add(Words.hex(value));
        for (int rank = 0; rank < 4; rank++) {
            int number = rank;
            assertThat(lines.stream()
                            .filter(line -> line.rank().orElse(-1) == number)
                            .map(OutputLine::text))
                    .as("rank %d, seed %d", rank, seed)
                    .containsExactlyElementsOf(expected);
        }
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void onlyRank0ReadsStandardInput(MpiFlavour flavour) throws IOException {
        byte[] input = new byte[300_000];
        new Random(7).nextBytes(input);

        run(flavour, shell(RANK + "echo $r $(wc -c)").stdin(input)).orThrow();

        assertThat(lines).extracting(OutputLine::text).containsExactlyInAnyOrder("0 300000", "1 0", "2 0", "3 0");

        lines.clear();
        run(flavour, shell(RANK + "echo $r $(wc -c)").stdin(Files.write(folder.resolve("input"), input)))
                .orThrow();

        assertThat(lines).extracting(OutputLine::text).containsExactlyInAnyOrder("0 300000", "1 0", "2 0", "3 0");
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void ranksAreBoundAsRequested(MpiFlavour flavour) {
        String allowed = "grep Cpus_allowed_list /proc/self/status | cut -f 2";
        JobResult bound = run(
                        flavour,
                        shell(allowed).ranksPerNode(1).binding(Binding.CORE).reportBinding())
                .orThrow();
        assertThat(lines).extracting(OutputLine::text).hasSize(2).allMatch(list -> list.matches("\\d+"));
        assertThat(bound.bindings())
                .extracting(RankBinding::rank, rank -> rank.node().value(), RankBinding::cpus)
                .containsExactlyElementsOf(lines.stream()
                        .sorted(Comparator.comparing(line -> line.rank().orElseThrow()))
                        .map(line -> tuple(
                                line.rank().orElseThrow(), "node" + (line.rank().orElseThrow() + 1), line.text()))
                        .toList());

        lines.clear();
        assertThat(run(flavour, shell(allowed).ranksPerNode(1).binding(Binding.NONE))
                        .orThrow()
                        .bindings())
                .isEmpty();
        assertThat(lines).extracting(OutputLine::text).hasSize(2).noneMatch(list -> list.matches("\\d+"));
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void ranksHaveSeparateFiles(MpiFlavour flavour) throws Exception {
        MpiJob job = shell(RANK + "echo out $r; echo err $r >&2").ranksPerNode(2);
        Path output = folder.resolve("out");

        job.flavour(flavour)
                .on(target)
                .onOutput(lines::add)
                .outputTo(output)
                .run(MINUTE)
                .orThrow();

        for (int rank = 0; rank < 4; rank++) {
            assertThat(Files.readString(output.resolve("rank-" + rank + ".out")))
                    .isEqualTo("out " + rank + "\n");
            assertThat(Files.readString(output.resolve("rank-" + rank + ".err")))
                    .isEqualTo("err " + rank + "\n");
        }
        assertThat(lines).hasSize(8);
    }

    @ParameterizedTest
    @FieldSource("FLAVOURS")
    void severalProgramsFormOneJob(MpiFlavour flavour) {
        String script = RANK + "echo $0 $r $*; pwd";
        MpiJob job = MpiJob.of("/bin/sh", "-c", script, "ocean", "it's", ":")
                .ranks(1)
                .and(2, "/bin/sh", "-c", script, "air", "case.xml")
                .workingDirectory("/usr");

        JobResult result = run(flavour, job).orThrow();

        assertThat(result.ranks()).isEqualTo(3);
        assertThat(lines)
                .extracting(line -> line.rank().orElse(-1), OutputLine::text)
                .containsExactlyInAnyOrder(
                        tuple(0, "ocean 0 it's :"),
                        tuple(0, "/usr"),
                        tuple(1, "air 1 case.xml"),
                        tuple(1, "/usr"),
                        tuple(2, "air 2 case.xml"),
                        tuple(2, "/usr"));

        JobResult failed =
                run(flavour, MpiJob.of("sleep", "20").ranks(1).and(2, "/bin/sh", "-c", RANK + "[ $r = 1 ] || exit 3"));

        assertThat(failed.exitStatus()).hasValue(3);
        assertThat(failed.firstFailure().orElseThrow().rank()).hasValue(2);
        assertThat(failed.firstFailure().orElseThrow().host()).isEqualTo("node2");
    }

    @Test
    void severalProgramsNeedTheRanksOfTheFirst() {
        assertThatThrownBy(() -> MpiJob.of("ocean").and(2, "air").on(target).start())
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(
                        "a job of several programs needs the number of ranks of each: set it for ocean (example: -n 2"
                                + " before --, or ranks(2))");
    }

    @Test
    void refusesStagedFilesOutsideOfTheFolder() {
        assertThatThrownBy(() -> MpiJob.of("solver").stageOut("../case.h5", folder))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(
                        "invalid file on a node \"../case.h5\": use the path of a file: absolute, below ~/, or below"
                                + " the folder in which the ranks start (example: results/case.xml)");
        assertThatThrownBy(() -> MpiJob.of("solver").stageIn(folder.resolve("case"), "~/data/"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("invalid file on a node \"~/data/\"");
    }

    @Test
    void ranksFindStagedFilesAndLeaveOutput() throws Exception {
        Path tool = Files.writeString(folder.resolve("tool"), "#!/bin/sh\nhostname > /tmp/cw-result.txt\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-x---"));

        JobResult result = run(
                MpiFlavour.MPICH,
                MpiJob.of("/tmp/cw-tool")
                        .ranksPerNode(1)
                        .stageIn(tool, "/tmp/cw-tool")
                        .stageOutFromAll("/tmp/cw-result.txt", folder.resolve("all"))
                        .stageOut("/tmp/cw-result.txt", folder.resolve("first"))
                        .stageOut("/tmp/cw-none.txt", folder.resolve("first")));

        assertThat(result.exitStatus()).hasValue(0);
        assertThat(folder.resolve("all/node1/cw-result.txt")).hasContent("node1");
        assertThat(folder.resolve("all/node2/cw-result.txt")).hasContent("node2");
        assertThat(folder.resolve("first/cw-result.txt")).hasContent("node1");
        assertThat(result.findings()).extracting(Finding::code).contains("CW-MPI-051");
        assertThat(result.findings().toString()).contains("not fetched from node1", "/tmp/cw-none.txt");
        assertThat(result.succeeded()).isFalse();
        assertThat(cluster.session(target.nodes().get(1).name(), cluster.mpiUser())
                        .run(Command.of("stat", "-c", "%a", "/tmp/cw-tool"))
                        .stdout())
                .isEqualTo("750\n");
    }

    @Test
    void doesNotStartRanksWithoutTheirFiles() throws Exception {
        Path file = Files.writeString(folder.resolve("case.xml"), "<case/>");
        PlacedMpiJob job = MpiJob.of("touch", "/tmp/cw-started")
                .stageIn(file, "/no/such/folder/case.xml")
                .on(target);

        assertThatThrownBy(() -> job.run(MINUTE)).isInstanceOfSatisfying(StagingFailedException.class, e -> {
            assertThat(e.failures()).hasSize(2);
            assertThat(e).hasMessageContaining("/no/such/folder/case.xml").hasMessageContaining("node2");
        });
        assertThat(cluster.run(Command.of("test", "-e", "/tmp/cw-started")).failures())
                .hasSize(2);
    }

    @Test
    void namesTheLimitOfStagingThatPassed() throws Exception {
        Path file = Files.write(folder.resolve("large"), new byte[32 << 20]);
        PlacedMpiJob job = MpiJob.of("hostname")
                .stageIn(file, "/tmp/large")
                .stagingLimit(Duration.ofMillis(1))
                .on(target);

        assertThatThrownBy(() -> job.run(MINUTE))
                .isInstanceOf(StagingFailedException.class)
                .hasMessageContaining("not done within PT0.001S; raise stagingLimit");
    }

    private JobResult run(MpiFlavour flavour, MpiJob job) {
        MpiJob placed = job.ranksPerNode().isPresent() ? job : job.ranksPerNode(2);
        return placed.flavour(flavour).on(target).onOutput(lines::add).run(MINUTE);
    }

    private static MpiJob shell(String script) {
        return MpiJob.of("/bin/sh", "-c", script);
    }
}
