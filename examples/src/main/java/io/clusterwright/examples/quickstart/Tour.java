package io.clusterwright.examples.quickstart;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.cli.ProgressPrinter;
import io.clusterwright.examples.cli.Style;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.MemlockCheck;
import io.clusterwright.mpi.check.PingPongCheck;
import io.clusterwright.mpi.job.JobTarget;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The checks of a running cluster: locked memory, host names, ping-pong. */
final class Tour {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Cluster cluster;
    private final ProgressPrinter progress;
    private final Path plot;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    Tour(Cluster cluster, ProgressPrinter progress, Path plot) {
        this.cluster = cluster;
        this.progress = progress;
        this.plot = plot;
    }

    boolean run() {
        boolean memlock = timed("memlock", this::memlock);
        boolean hostnames = timed("mpirun", this::hostnames);
        boolean pingPong = cluster.nodes().size() < 2 || timed("ping-pong", this::pingPong);
        return memlock && hostnames && pingPong;
    }

    private boolean timed(String title, Supplier<Boolean> part) {
        Instant start = Instant.now();
        boolean good = part.get();
        String mark = good ? Style.good("+ ") : Style.bad("! ");
        progress.line(mark + String.format("%-14s", title) + Style.seconds(Duration.between(start, Instant.now())));
        return good;
    }

    private boolean memlock() {
        MemlockCheck.Report report = MemlockCheck.on(cluster).run(LIMIT);
        Map<String, List<NodeName>> groups = new LinkedHashMap<>();
        for (MemlockCheck.Row row : report.rows()) {
            String where = row.insideMpi() ? "inside mpirun" : "in an SSH session";
            String value = row.inForce().isEmpty() ? "not known" : row.inForce();
            String wrong = row.holds() ? "" : "  expected " + row.expected();
            groups.computeIfAbsent(
                            String.format("%-10s %-18s %s%s", row.user(), where, value, wrong),
                            key -> new ArrayList<>())
                    .add(row.node());
        }
        groups.forEach((text, nodes) -> detail(text + "  on " + NodeSet.fold(nodes)));
        if (report.lowered()) {
            detail(Style.warn("this machine cannot raise the limit (no CAP_SYS_RESOURCE); checked: the highest"
                    + " possible limit, "
                    + report.highest()));
        }
        return report.succeeded();
    }

    private boolean hostnames() {
        HostnameCheck.Report report =
                HostnameCheck.on(JobTarget.of(cluster)).onHostname(out::println).run(LIMIT);
        detail(report.result().mpi() + ": " + String.join(" ", report.result().command()));
        detail(report.answered().size() + " of " + cluster.nodes().size() + " nodes answered, world of "
                + report.result().ranks());
        report.result().findings().forEach(progress::finding);
        return report.succeeded();
    }

    private boolean pingPong() {
        out.println();
        out.println(BenchmarkRow.pingPongHeader());
        PingPongCheck.Report report = PingPongCheck.on(JobTarget.of(cluster))
                .onRow(row -> out.println(row.toPingPongLine()))
                .run(LIMIT);
        Verdict verdict = report.verdict();
        out.println("verdict: " + verdict.status().key() + ": " + String.join("; ", verdict.reasons()));
        report.toSvg().ifPresent(picture -> {
            write(picture);
            detail("plotted in " + plot);
        });
        report.result().findings().forEach(progress::finding);
        return report.measured() && verdict.status() != Verdict.Status.FAILED;
    }

    private void write(String svg) {
        try {
            Files.writeString(plot, svg);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot write " + plot + ": " + e + "; name another file with --plot", e);
        }
    }

    private void detail(String text) {
        progress.line(" ".repeat(16) + text);
    }
}
