package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ends of a heat equation of 4 ranks on 4 nodes that share this machine, under each MPI and each way to start ranks.
 *
 * <p>With {@code -Dclusterwright.soak=true} each case runs often ({@code clusterwright.soak.heat}, {@code clusterwright.soak.failures})
 * and a table of times and ends is printed.
 */
@LocalCluster(nodes = 4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobEndsNodesTest {
    private static final boolean SOAK = Boolean.getBoolean("clusterwright.soak");
    private static final int HEAT = Integer.getInteger("clusterwright.soak.heat", SOAK ? 100 : 1);
    private static final int FAILURES = Integer.getInteger("clusterwright.soak.failures", SOAK ? 20 : 1);
    private static final String WAYS = System.getProperty("clusterwright.soak.ways", "");
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("clusterwright.soak.limit", 60));

    private final List<String> table = Collections.synchronizedList(new ArrayList<>());
    private Cluster cluster;

    enum Way { SSH, SESSIONS, SLURM }

    @BeforeAll
    void build(Cluster nodes, @TempDir Path folder) throws Exception {
        cluster = nodes;
        for (String name : List.of("heat.c", "mpi.h")) {
            try (InputStream in = getClass().getResourceAsStream("programs/" + name)) {
                Files.copy(in, folder.resolve(name));
            }
        }
        compile(folder, "heat-mpich", "-l:libmpich.so.12");
        compile(folder, "heat-open-mpi", "-DOPEN_MPI", "-l:libmpi.so.40");
        SlurmOnNodes.start(cluster);
    }

    private void compile(Path folder, String name, String... words) throws Exception {
        List<String> argv = new ArrayList<>(List.of("gcc", "-O1", "-o", name, "heat.c"));
        argv.addAll(Arrays.asList(words));
        Process gcc = new ProcessBuilder(argv).directory(folder.toFile()).inheritIO().start();
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).isTrue();
        for (Node node : cluster.nodes()) {
            cluster.session(node.name(), cluster.mpiUser()).upload(folder.resolve(name), "/tmp/" + name, 0755);
        }
    }

    private MpiJob job(MpiFlavour flavour, Way way, String... words) {
        MpiJob job = MpiJob.of(Stream.concat(
                                Stream.of(flavour == MpiFlavour.MPICH ? "/tmp/heat-mpich" : "/tmp/heat-open-mpi"),
                                Arrays.stream(words))
                        .toList())
                .flavour(flavour)
                .ranksPerNode(1);
        return way == Way.SSH ? job.launchOverSsh() : job;
    }

    private JobResult run(MpiFlavour flavour, Way way, String... words) {
        JobTarget target = way == Way.SLURM ? SlurmTarget.of(cluster).partition("debug") : JobTarget.of(cluster);
        return job(flavour, way, words).on(target).run(LIMIT);
    }

    @Test
    void measure() {
        for (MpiFlavour flavour : List.of(MpiFlavour.OPEN_MPI, MpiFlavour.MPICH)) {
            for (Way way : Way.values()) {
                if (way == Way.SESSIONS && flavour != MpiFlavour.MPICH || !WAYS.isEmpty() && !WAYS.contains(flavour + "/" + way)) {
                    continue;
                }
                rows(flavour, way, HEAT);
                for (String mode : List.of("exit", "crash", "abort")) {
                    rows(flavour, way, FAILURES, mode, "2");
                }
            }
        }
    }

    private void rows(MpiFlavour flavour, Way way, int times, String... words) {
        List<Double> seconds = new ArrayList<>();
        Map<String, Integer> ends = new TreeMap<>();
        for (int i = 0; i < times; i++) {
            JobResult result = run(flavour, way, words);
            seconds.add(result.duration().toMillis() / 1000.0);
            String end = result.outcome() + " " + (result.exitStatus().isPresent() ? result.exitStatus().getAsInt() : "-")
                    + result.firstFailure().map(f -> " (" + f + ")").orElse("")
                    + " " + result.findings().stream().map(Finding::code).filter(c -> !c.equals("CW-MPI-002")).toList()
                    + (result.clean() ? "" : " " + result.leftovers());
            ends.merge(end, 1, Integer::sum);
            if (Boolean.getBoolean("clusterwright.soak.tail")) {
                result.outputTail().forEach(l -> System.out.println("      | " + l));
            }
        }
        Collections.sort(seconds);
        System.out.printf("%-9s %-8s %-8s %3d runs  %.2f / %.2f / %.2f s  %s%n", flavour, way, words.length == 0 ? "heat" : words[0],
                times, seconds.get(0), seconds.get(seconds.size() / 2), seconds.get(seconds.size() - 1), ends);
    }
}
