package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricReport.Measurement;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** A fabric that does not exist: tables in OSU's form of 1.7 us and 24 GB/s with noise of 3 %, made slower or broken. */
public final class Fabric {
    static final Transport VERBS =
            new Transport(Transport.Kind.RDMA, List.of("rc_mlx5/mlx5_0:1"), "tag(rc_mlx5/mlx5_0:1)");
    static final Transport TCP = new Transport(Transport.Kind.TCP, List.of("tcp/eth0"), "tag(tcp/eth0)");

    private final List<NodeName> nodes;
    private PairSchedule schedule;
    private Interconnect interconnect = Interconnect.SRIOV_INFINIBAND;
    private FabricEnvelope envelope = FabricEnvelope.article();
    private Transport transport = VERBS;
    private String transportProblem = "";
    private ToDoubleFunction<NodePair> factor = pair -> 1;
    private FabricRails rails = FabricRails.NONE;
    private ToDoubleFunction<Rail> railFactor = end -> 1;
    private Predicate<Rail> brokenRail = end -> false;
    private final Set<NodePair> broken = new LinkedHashSet<>();

    Fabric(int count) {
        nodes = Nodes.first(count);
        schedule = PairSchedule.allPairs(nodes);
    }

    Fabric ring() {
        schedule = PairSchedule.ring(nodes);
        return this;
    }

    Fabric interconnect(Interconnect kind) {
        interconnect = kind;
        return this;
    }

    Fabric transport(Transport told) {
        transport = told;
        return this;
    }

    /** The run that asks MPI for its transport fails for this reason, after it has named it. */
    Fabric transportProblem(String reason) {
        transportProblem = reason;
        return this;
    }

    Fabric envelope(FabricEnvelope limits) {
        envelope = limits;
        return this;
    }

    Fabric slower(ToDoubleFunction<NodePair> times) {
        factor = times;
        return this;
    }

    /** Nodes with this number of ports, whose devices have other names on every second node. */
    Fabric rails(int count) {
        Map<NodeName, String> listed = new LinkedHashMap<>();
        nodes.forEach(node -> listed.put(node, listing(listed.size() % 2 == 0 ? "mlx5_" : "mlx5_ib", count, 0)));
        rails = FabricRails.parse(listed);
        return this;
    }

    /** As sysfs shows ports to a node, the state of one of which is down; 0 for none. */
    static String listing(String prefix, int count, int down) {
        StringBuilder text = new StringBuilder();
        for (int number = 1; number <= count; number++) {
            text.append(String.format(
                    "010%d:00:00.0 %s%d:1 %s%n", number, prefix, number - 1, number == down ? "DOWN" : "ACTIVE"));
        }
        return text.toString();
    }

    Fabric rails(FabricRails some) {
        rails = some;
        return this;
    }

    Fabric slowerRail(ToDoubleFunction<Rail> times) {
        railFactor = times;
        return this;
    }

    Fabric brokenRail(Predicate<Rail> ends) {
        brokenRail = ends;
        return this;
    }

    Fabric broken(NodePair pair) {
        broken.add(pair);
        return this;
    }

    Fabric without(NodeName node) {
        schedule.pairs().stream().filter(pair -> pair.has(node)).forEach(broken::add);
        return this;
    }

    FabricReport report() {
        Random random = new Random(7);
        List<PairResult> results = new ArrayList<>();
        for (int rail : rails.numbers()) {
            for (int round = 0; round < schedule.rounds().size(); round++) {
                for (NodePair pair : schedule.rounds().get(round)) {
                    List<Rail> ends = rails.ends(pair, rail);
                    double slower = ends.stream().mapToDouble(railFactor).max().orElse(1);
                    double times = slower * factor.applyAsDouble(pair) * (1 + 0.03 * random.nextDouble());
                    results.add(result(pair, round + 1, ends, times));
                }
            }
        }
        return FabricJudge.report(new Measurement(
                new Measurement.Nodes(nodes, interconnect, !interconnect.isRdma(), Set.of()),
                "all-pairs",
                schedule.rounds(),
                1,
                envelope,
                OutlierRule.RDMA,
                Instant.parse("2026-01-02T03:04:05.678Z"),
                Duration.ofMillis(12_345),
                Optional.empty(),
                rails.dead(),
                results));
    }

    private PairResult result(NodePair pair, int round, List<Rail> ends, double times) {
        Duration time = Duration.ofMillis(1234);
        boolean dead = ends.stream()
                .anyMatch(end -> brokenRail.test(end) || rails.dead().containsKey(end));
        if (broken.contains(pair) || dead) {
            return MeasuredPair.failed(pair, round, time, "no route to host", List.of())
                    .over(ends);
        }
        BenchmarkReport table = table(1.7 * times, 24e9 / times);
        Verdict verdict = interconnect.isRdma() ? envelope.judge(table) : Verdict.notJudged(LatencyEnvelope.NO_RDMA);
        return MeasuredPair.measured(pair, round, time, table, verdict, List.of())
                .over(ends)
                .with(transport, transportProblem, List.of());
    }

    public static BenchmarkReport table(double micros, double bytesPerSecond) {
        StringBuilder text = new StringBuilder("# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n");
        for (long bytes = 1; bytes <= 4_194_304; bytes *= 2) {
            text.append(String.format(
                    Locale.ROOT, "%-10d %18.2f%n", bytes, Math.max(micros, bytes / bytesPerSecond * 1e6)));
        }
        return Benchmarks.parse(text.toString()).reports().get(0);
    }
}
