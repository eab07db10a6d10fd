package io.clusterwright.examples.cli;

import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about a spec: a file, or standard input for {@code -}. */
abstract class SpecCommand extends ProgramCommand {
    private static final String STANDARD_INPUT = "<stdin>";

    @Parameters(paramLabel = "SPEC", description = "The cluster spec, as YAML or JSON; - reads standard input.")
    private Path file = Path.of("");

    /**
     * Reads the spec; relative paths in a spec from standard input start in the current folder.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException with every mistake in it
     */
    final ClusterSpec spec() {
        return isStandardInput() ? SpecReader.read(System.in, STANDARD_INPUT) : SpecReader.read(file);
    }

    /** The name of the spec in messages. */
    final String specName() {
        return isStandardInput() ? STANDARD_INPUT : file.toString();
    }

    /** Prints findings: one line and its remedy each, or one JSON document. */
    final void print(List<Finding> all) {
        List<Finding> findings = all.stream().map(MethodNames::removed).toList();
        if (json) {
            print(JsonFields.of("valid", findings.stream().noneMatch(Finding::isError))
                    .and("findings", findings));
        } else {
            findings.forEach(this::print);
        }
    }

    /** Prints findings, and that the spec is refused; returns the exit status. */
    final int refused(List<Finding> findings, String consequence) {
        print(findings);
        if (!json) {
            out.println(specName() + " is refused, and " + consequence + ": correct the errors");
        }
        return ExitCodes.REFUSED;
    }

    private void print(Finding finding) {
        String severity = finding.severity().name();
        String painted = switch (finding.severity()) {
            case ERROR -> Style.bad(severity);
            case WARNING -> Style.warn(severity);
            case INFO -> Style.dim(severity);
        };
        String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
        out.println(painted + " " + finding.code() + " " + place(finding) + path + finding.message());
        out.println("    -> " + finding.remedy());
    }

    private String place(Finding finding) {
        if (finding.line().isPresent()) {
            return specName() + ":" + finding.line().getAsInt() + ":"
                    + finding.column().orElse(1) + ": ";
        }
        return finding.code().startsWith("CW-READ-") ? specName() + ": " : "";
    }

    /** The option for the prices of machines. */
    static final class Prices {
        @Option(
                names = "--prices",
                paramLabel = "FILE",
                description =
                        "Prices of machines: {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}, as YAML or JSON.")
        private @Nullable Path file;

        /** The prices of a file; a problem in it is refused under its own name, not under the spec's. */
        static PriceTable read(Path file) {
            try {
                return Planner.readPrices(file);
            } catch (InvalidSpecException e) {
                throw new RefusedException("--prices: " + e.getMessage());
            }
        }

        Optional<PriceTable> table() {
            return Optional.ofNullable(file).map(Prices::read);
        }
    }

    /** The findings that are shown. */
    static final class Shown {
        @Option(
                names = "--severity",
                paramLabel = "LEVEL",
                description = "Least severity to show: error, warning or info. Default: info.")
        Severity severity = Severity.INFO;
    }

    private boolean isStandardInput() {
        return file.toString().equals("-");
    }
}
