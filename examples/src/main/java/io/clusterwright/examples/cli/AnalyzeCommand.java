package io.clusterwright.examples.cli;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.FabricEnvelope;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "analyze", description = "Parses the output of a benchmark, and judges it when a size is given.")
final class AnalyzeCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "FILE", description = "The output of IMB, OSU, NetPIPE or perftest; - is standard input.")
    private String file = "-";

    @Option(names = "--size", paramLabel = "VMSIZE", description = "The size of the machines, such as Standard_A9.")
    private @Nullable String size;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the first table as SVG.")
    private @Nullable Path plot;

    @Override
    public Integer call() {
        Benchmarks parsed = Benchmarks.parse(CommonOptions.read(file));
        if (parsed.reports().isEmpty()) {
            throw new RefusedException("no benchmark table was found in " + (file.equals("-") ? "standard input" : file)
                    + ": give the whole output of IMB, OSU, NetPIPE, perftest or ucx_perftest"
                    + parsed.findings().stream()
                            .map(finding -> "; " + finding.message())
                            .findFirst()
                            .orElse(""));
        }
        if (plot != null) {
            CommonOptions.write(plot, parsed.reports().get(0).toSvg());
        }
        if (common.json) {
            common.print(Json.MAPPER.valueToTree(parsed.toJson(this::judge)));
        } else {
            ProgressPrinter notes = new ProgressPrinter();
            parsed.findings().forEach(notes::finding);
            parsed.reports().forEach(this::print);
        }
        boolean bad = parsed.reports().stream().anyMatch(report -> judge(report).status() == Verdict.Status.FAILED);
        return ExitCodes.ofVerdict(!bad);
    }

    private void print(BenchmarkReport report) {
        Verdict verdict = judge(report);
        common.out.println(report.title());
        common.out.print(report.toTable());
        common.out.println("verdict: " + verdict.status().key());
        verdict.reasons().forEach(reason -> common.out.println("  " + reason));
    }

    private Verdict judge(BenchmarkReport report) {
        if (size == null) {
            return Verdict.notJudged("no size was given; give --size VMSIZE to have it judged");
        }
        Optional<VmSizeFacts> facts = VmSizes.standard().find(VmSize.parse(size));
        if (facts.isEmpty()) {
            String near = VmSizes.standard()
                    .nearest(size)
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            return Verdict.notJudged(
                    "the size " + size + " is not in the catalog, so there is no envelope to judge by" + near);
        }
        return FabricEnvelope.judge(facts.get(), report);
    }
}
