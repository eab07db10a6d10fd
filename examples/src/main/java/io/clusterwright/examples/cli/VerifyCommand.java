package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.spi.CheckReport;
import io.clusterwright.examples.console.Explanation;
import io.clusterwright.mpi.LaunchTarget;
import io.clusterwright.mpi.PingPongCheck;
import io.clusterwright.mpi.PingPongReport;
import io.clusterwright.mpi.bench.BenchmarkJson;
import io.clusterwright.mpi.bench.PingPongTable;
import io.clusterwright.mpi.bench.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = "Proves a cluster: hostname on every node, limits, then a ping-pong; table and verdict.")
final class VerifyCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Mixin
    private Common common = new Common();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the ping-pong.")
    private @Nullable Path plot;

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common);
                Cluster open = manager.open(cluster.name())) {
            List<CheckReport> checks = manager.prove(open, common.progress());
            Optional<PingPongReport> pingPong = open.nodes().size() < 2 ? Optional.empty() : Optional.of(measure(open));
            Path picture = plot;
            if (picture != null) {
                pingPong.flatMap(PingPongReport::plot).ifPresent(drawn -> Inputs.write(picture, drawn.toSvg()));
            }
            boolean good = checks.stream().noneMatch(check -> check.status() == CheckReport.Status.FAILED)
                    && pingPong.map(VerifyCommand::acceptable).orElse(true);
            if (common.json) {
                common.print(json(open, checks, pingPong, good));
            }
            return good ? Explanation.OK : Explanation.BAD_VERDICT;
        }
    }

    private PingPongReport measure(Cluster open) {
        if (!common.json) {
            common.out.println(PingPongTable.header());
        }
        PingPongReport report = PingPongCheck.on(LaunchTarget.of(open))
                .onRow(row -> {
                    if (!common.json) {
                        common.out.println(PingPongTable.format(row));
                    }
                })
                .run(LIMIT);
        if (!common.json) {
            common.out.println("verdict: " + report.verdict().status().key() + ": "
                    + String.join("; ", report.verdict().reasons()));
        }
        return report;
    }

    private static boolean acceptable(PingPongReport report) {
        return report.measured() && report.verdict().status() != Verdict.Status.FAILED;
    }

    private static ObjectNode json(
            Cluster open, List<CheckReport> checks, Optional<PingPongReport> pingPong, boolean good) {
        ObjectNode json =
                Common.JSON.createObjectNode().put("cluster", open.name().value());
        json.put("interconnect", open.interconnect().toString());
        json.put("passed", good);
        ArrayNode array = json.putArray("checks");
        for (CheckReport check : checks) {
            ObjectNode one = array.addObject()
                    .put("check", check.check())
                    .put(
                            "status",
                            check.status().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .put("summary", check.summary());
            one.set("findings", Descriptions.findings(check.findings()));
        }
        pingPong.ifPresent(report -> {
            ArrayNode nodes = json.putArray("pair");
            report.nodes().forEach(node -> nodes.add(node.value()));
            report.table().ifPresent(table -> json.putPOJO("pingPong", BenchmarkJson.of(table, report.verdict())));
        });
        pingPong.map(PingPongReport::verdict).ifPresent(verdict -> json.putPOJO("verdict", BenchmarkJson.of(verdict)));
        return json;
    }
}
