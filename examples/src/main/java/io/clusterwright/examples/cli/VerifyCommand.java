package io.clusterwright.examples.cli;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.fabric.PairResult;
import io.clusterwright.mpi.job.JobTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "verify",
        description = "Checks a cluster: host names, locked memory, then ping-pongs between nodes; prints a table and a"
                + " verdict.")
final class VerifyCommand extends ClusterCommand.OnNodes {
    @Option(
            names = "--pairs",
            paramLabel = "KIND",
            converter = FabricConverter.class,
            description = "Pairs to measure: none, pair, ring or all-pairs; default: verify.fabric of the spec.")
    private Verification.@Nullable Fabric pairs;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            description =
                    "Highest number of pairs at once; default: all of a round, or half the cores if nodes share a machine.")
    private @Nullable Integer parallel;

    @Option(names = "--minutes", paramLabel = "N", description = "Time limit for all pairs, in minutes; default: 30.")
    private int minutes = 30;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the ping-pong of the first pair.")
    private @Nullable Path plot;

    @Option(names = "--heatmap", paramLabel = "FILE.svg", description = "Draw the pairs as a heat map.")
    private @Nullable Path heatMap;

    @Option(names = "--junit", paramLabel = "FILE.xml", description = "Write the result as JUnit XML.")
    private @Nullable Path junit;

    @Override
    int run(ClusterManager manager, Cluster open) {
        requireSvg("--plot", plot);
        requireSvg("--heatmap", heatMap);
        if (open.spec().scheduler() == Scheduler.HPC_PACK) {
            requireNoSessions(open);
            return new PairVerification(this, FabricEnvelope.of(open.spec())::judge, Duration.ofMinutes(minutes))
                    .run(JobTarget.scheduled(open), plot);
        }
        List<CheckReport> checks = manager.verifyQuickly(open, new ProgressPrinter());
        Verification.Fabric kind = pairs != null ? pairs : open.spec().verify().fabric();
        boolean measured = kind != Verification.Fabric.NONE && open.nodes().size() > 1;
        Optional<FabricReport> fabric = measured ? Optional.of(measure(open, kind)) : Optional.empty();
        fabric.ifPresent(this::write);
        boolean good = checks.stream().noneMatch(check -> check.status() == CheckReport.Status.FAILED)
                && fabric.map(FabricReport::succeeded).orElse(true);
        if (json) {
            print(MethodNames.removed(json(open, checks, fabric, good)));
        }
        return ExitCodes.ofVerdict(good);
    }

    private void requireNoSessions(Cluster open) {
        if (pairs != null || parallel != null || heatMap != null || junit != null) {
            throw new RefusedException(
                    "--pairs, --parallel, --heatmap and --junit need sessions to nodes; HPC Pack measures all"
                            + " pairs of " + open.name() + " one after the other, and --plot draws them");
        }
    }

    private FabricReport measure(Cluster open, Verification.Fabric kind) {
        ProgressPrinter progress = new ProgressPrinter();
        FabricCheck check = FabricCheck.on(open)
                .pairs(kind)
                .withoutHostnames()
                .onFirstTable(row -> text(row.toPingPongLine()))
                .onPair(pair -> progress.status(pair.toRow()));
        check = parallel == null ? check : check.parallel(parallel);
        text(BenchmarkRow.pingPongHeader());
        FabricReport report = check.run(Duration.ofMinutes(minutes));
        if (!json) {
            out.print(report.pairs().size() > 1 ? "\n" + report.toTable() : "");
            printVerdict(this, report);
        }
        report.findings().forEach(progress::finding);
        return report;
    }

    private void text(String line) {
        if (!json) {
            out.println(line);
        }
    }

    /** Prints the verdict about pairs. */
    static void printVerdict(ProgramCommand command, FabricReport report) {
        command.out.println("transport: " + report.transport());
        command.out.println("verdict: " + report.verdict().status().key() + ": "
                + String.join("; ", report.verdict().reasons()));
    }

    private void write(FabricReport report) {
        if (plot != null) {
            Path picture = plot;
            first(report)
                    .flatMap(pair -> pair.table()
                            .map(table -> table.toSvg(
                                    "Ping-pong between " + pair.pair().first() + " and "
                                            + pair.pair().second(),
                                    report.transport() + ", measured with " + table.tool())))
                    .ifPresent(drawn -> write(picture, drawn));
        }
        if (heatMap != null) {
            write(heatMap, report.toSvg());
        }
        if (junit != null) {
            write(junit, report.toJunitXml());
        }
    }

    private static Optional<PairResult> first(FabricReport report) {
        return report.pairs().stream().findFirst();
    }

    private static JsonFields json(
            Cluster open, List<CheckReport> checks, Optional<FabricReport> fabric, boolean good) {
        JsonFields json = JsonFields.of("cluster", open.name())
                .and("interconnect", open.interconnect())
                .and("passed", good)
                .and("checks", checks);
        fabric.ifPresent(report -> {
            Optional<PairResult> first = first(report);
            json.and("pair", first.map(pair -> pair.pair().nodes()).orElse(List.of()));
            first.flatMap(pair -> pair.table().map(table -> table.toMap(pair.verdict())))
                    .ifPresent(table -> json.put("pingPong", table));
            json.with(report);
        });
        return json;
    }

    /** The values of {@code verify.fabric} in a spec. */
    static final class FabricConverter implements ITypeConverter<Verification.Fabric> {
        @Override
        public Verification.Fabric convert(String text) {
            for (Verification.Fabric kind : Verification.Fabric.values()) {
                if (kind.toString().equals(text)) {
                    return kind;
                }
            }
            throw new TypeConversionException("invalid --pairs \"" + text + "\": use none, pair, ring or all-pairs");
        }
    }
}
