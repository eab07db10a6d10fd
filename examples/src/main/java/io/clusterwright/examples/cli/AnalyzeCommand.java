package io.clusterwright.examples.cli;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.EncodedText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.mpi.job.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "analyze", description = "Parses the output of a benchmark, and judges it with --size.")
final class AnalyzeCommand extends ProgramCommand {
    private static final int LONGEST = 64 * 1024 * 1024;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "The output of IMB, OSU, NetPIPE, mpipingpong, perftest, ucx_perftest or nccl-tests; - is standard"
                            + " input.")
    private String file = "-";

    @Option(names = "--size", paramLabel = "VMSIZE", description = "The size of the machines, such as Standard_A9.")
    private @Nullable String size;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the first table as SVG.")
    private @Nullable Path plot;

    @Override
    public Integer call() {
        requireSvg("--plot", plot);
        requireOtherThanInput();
        Benchmarks parsed = Benchmarks.parse(read(file, this::text));
        if (parsed.reports().stream().allMatch(report -> report.rows().isEmpty())) {
            throw new RefusedException(
                    (parsed.reports().isEmpty() ? "no benchmark table" : "no complete row of a benchmark table")
                            + " was found in " + (file.equals("-") ? "standard input" : file)
                            + ": use the complete output of IMB, OSU, NetPIPE, mpipingpong, perftest, ucx_perftest or nccl-tests"
                            + parsed.findings().stream()
                                    .map(finding -> "; " + finding.message())
                                    .findFirst()
                                    .orElse(""));
        }
        if (plot != null) {
            write(plot, parsed.reports().get(0).toSvg());
        }
        ProgressPrinter notes = new ProgressPrinter();
        print(() -> MethodNames.removed(parsed.toPlain(this::judge)), () -> {
            parsed.findings().forEach(notes::finding);
            parsed.reports().forEach(report -> print(report.title(), report, judge(report)));
        });
        boolean bad = parsed.reports().stream().anyMatch(report -> judge(report).status() == Verdict.Status.FAILED);
        return ExitCodes.ofVerdict(!bad);
    }

    private void requireOtherThanInput() {
        try {
            if (plot != null && !file.equals("-") && Files.exists(plot) && Files.isSameFile(plot, Path.of(file))) {
                throw new RefusedException("--plot " + plot + " is the file to read: write the name of another file");
            }
        } catch (NoSuchFileException e) {
            // Reading names the file that is missing.
        } catch (IOException e) {
            throw new RefusedException("cannot read " + plot + ": " + Reason.of(e) + "; write another name for --plot");
        }
    }

    /** The text of a stream; bytes that are neither UTF-8 nor marked as UTF-16 are replaced. */
    private String text(InputStream in) throws IOException {
        byte[] bytes = EncodedText.inUtf8(in).readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
            throw new RefusedException(file + " is larger than 64 MiB; use only the output of the benchmark");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private Verdict judge(BenchmarkReport report) {
        Optional<Finding> wrong = report.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .findFirst();
        if (wrong.isPresent()) {
            return new Verdict(Verdict.Status.FAILED, List.of(wrong.get().message()));
        }
        if (size == null) {
            return Verdict.notJudged("no size was given; give --size VMSIZE to have it judged");
        }
        Optional<VmSizeFacts> facts = VmSizes.standard().find(VmSize.of(size));
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

    @Command(name = "diagnose", description = "Finds known failures in the output of a job, and explains them.")
    static final class Diagnose extends ProgramCommand {
        @Parameters(paramLabel = "FILE", description = "The output of a job, of any length; - is standard input.")
        private String file = "-";

        @Override
        public Integer call() {
            return print(
                    read(file, Diagnosis::of),
                    found -> JsonFields.of("code", found.code())
                            .and("line", found.line())
                            .and("cause", found.cause())
                            .and("remedy", MethodNames.removed(found.remedy())),
                    "no known failure was found",
                    found -> out.printf(
                            "%s line %d: %s%n    %s%n",
                            found.code(), found.line(), found.cause(), MethodNames.removed(found.remedy())));
        }
    }
}
