package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.job.SlurmTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The ends of a heat equation of 4 ranks on 4 nodes that share this machine, under each MPI and each way to start ranks.
 *
 * <p>With {@code -Dclusterwright.soak=true} the equation runs 100 times in each way and each failure 20 times; {@code
 * clusterwright.soak.heat} and {@code clusterwright.soak.failures} give other numbers. Each test prints its lines of a table: the shortest,
 * middle and longest time, and the ends.
 */
@Tag("breadth")
@LocalCluster(nodes = 4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobEndsNodesTest {
    private static final boolean SOAK = Boolean.getBoolean("clusterwright.soak");
    private static final int HEAT = Integer.getInteger("clusterwright.soak.heat", SOAK ? 100 : 0);
    private static final int FAILURES = Integer.getInteger("clusterwright.soak.failures", SOAK ? 20 : 1);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Cluster cluster;

    enum Way {
        SSH,
        SESSIONS,
        SLURM
    }

    @BeforeAll
    void build(Cluster nodes, @TempDir Path folder) throws Exception {
        cluster = nodes;
        for (MpiFlavour flavour : List.of(MpiFlavour.OPEN_MPI, MpiFlavour.MPICH)) {
            Path program = Heat.build(flavour, folder);
            for (Node node : cluster.nodes()) {
                cluster.session(node.name(), cluster.mpiUser()).upload(program, "/tmp/heat-" + flavour, 0755);
            }
        }
        SlurmOnNodes.start(cluster);
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, SSH", "OPEN_MPI, SLURM", "MPICH, SESSIONS", "MPICH, SSH", "MPICH, SLURM"})
    void ranksThatFailAreNamedWithTheirStatus(MpiFlavour flavour, Way way) {
        RankFailure exit = new RankFailure(OptionalInt.of(2), "node3", OptionalInt.of(3), OptionalInt.empty(), true);
        RankFailure crash = new RankFailure(OptionalInt.of(2), "node3", OptionalInt.empty(), OptionalInt.of(11), true);
        RankFailure abort = new RankFailure(OptionalInt.of(2), "node3", OptionalInt.of(5), OptionalInt.empty(), true);
        List<JobResult> wrong = new ArrayList<>();
        // One failure for each way, and all of them over ssh, are enough but for the soak.
        Map.of("exit", exit, "crash", crash, "abort", abort).forEach((mode, failure) -> {
            if (FAILURES > 1 || failure == exit || way == Way.SSH) {
                runs(FAILURES, flavour, way, mode, "2", "200").stream()
                        .filter(result -> !result.firstFailure().equals(Optional.of(failure))
                                || result.exitStatus().orElse(0)
                                        != failure.exitStatus().orElse(128 + 11)
                                || !result.isClean())
                        .forEach(wrong::add);
            }
        });

        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, SSH", "OPEN_MPI, SLURM", "MPICH, SESSIONS", "MPICH, SSH", "MPICH, SLURM"})
    void theHeatEquationEndsOrIsEndedWithAFinding(MpiFlavour flavour, Way way) {
        int times = HEAT > 0 ? HEAT : flavour == MpiFlavour.OPEN_MPI ? 1 : 0;

        assertThat(runs(times, flavour, way))
                .allMatch(result -> result.succeeded() || result.outcome() == JobResult.Outcome.HUNG)
                .allMatch(result -> result.succeeded() || flavour == MpiFlavour.MPICH)
                .allMatch(JobResult::isClean);
    }

    private List<JobResult> runs(int times, MpiFlavour flavour, Way way, String... words) {
        JobTarget target = way == Way.SLURM ? SlurmTarget.of(cluster).partition("debug") : JobTarget.of(cluster);
        MpiJob job = MpiJob.of("/tmp/heat-" + flavour, words).flavour(flavour).ranksPerNode(1);
        MpiJob launched = way == Way.SSH ? job.launchOverSsh() : job;
        List<JobResult> results = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            results.add(launched.on(target).run(LIMIT));
        }
        if (times > 0) {
            print(flavour + " " + way + " " + (words.length == 0 ? "heat" : words[0]), results);
        }
        return results;
    }

    private static void print(String what, List<JobResult> results) {
        List<Double> seconds = new ArrayList<>();
        Map<String, Integer> ends = new TreeMap<>();
        for (JobResult result : results) {
            seconds.add(result.duration().toMillis() / 1000.0);
            List<String> codes =
                    result.findings().stream().map(Finding::code).distinct().toList();
            String status =
                    result.exitStatus().isPresent() ? " " + result.exitStatus().getAsInt() : "";
            String first = result.firstFailure().map(failure -> ", " + failure).orElse("");
            ends.merge(result.outcome() + status + first + " " + codes, 1, Integer::sum);
        }
        Collections.sort(seconds);
        System.out.printf(
                Locale.ROOT,
                "%-24s %3d runs  %.2f / %.2f / %.2f s  %s%n",
                what,
                results.size(),
                seconds.get(0),
                seconds.get(seconds.size() / 2),
                seconds.get(seconds.size() - 1),
                ends);
    }
}
