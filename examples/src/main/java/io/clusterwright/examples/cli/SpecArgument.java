package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.ReadingFinding;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.examples.console.Style;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The SPEC of a command: a file, or standard input for {@code -}; and the findings about it. */
final class SpecArgument {
    private static final String STANDARD_INPUT = "<stdin>";

    @Parameters(paramLabel = "SPEC", description = "The cluster spec, as YAML or JSON; - reads standard input.")
    private Path file = Path.of("");

    /**
     * Reads the spec; relative paths in a spec from standard input start in the current folder.
     *
     * @throws InvalidSpecException with every mistake in it
     */
    ClusterSpec read() {
        return isStandardInput() ? SpecReader.read(System.in, STANDARD_INPUT) : SpecReader.read(file);
    }

    /** The name of the spec in messages. */
    String name() {
        return isStandardInput() ? STANDARD_INPUT : file.toString();
    }

    /** The findings of the rules that query no provider. */
    static SpecCheck.Result check(ClusterSpec spec) {
        return SpecCheck.of(spec);
    }

    /** Prints findings: one line and its remedy each, or one JSON document. */
    void print(CommonOptions common, SpecCheck.Result result) {
        if (common.json) {
            common.print(ResultJson.validation(result));
            return;
        }
        result.reading().forEach(problem -> print(common, place(problem), problem.finding()));
        result.findings().forEach(finding -> print(common, "", finding));
    }

    private String place(ReadingFinding problem) {
        return problem.line().isPresent()
                ? name() + ":" + problem.line().getAsInt() + ":"
                        + problem.column().orElse(1) + ": "
                : name() + ": ";
    }

    private static void print(CommonOptions common, String place, Finding finding) {
        String severity = finding.severity().name();
        String painted = switch (finding.severity()) {
            case ERROR -> Style.bad(severity);
            case WARNING -> Style.warn(severity);
            case INFO -> Style.dim(severity);
        };
        String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
        common.out.println(painted + " " + finding.code() + " " + place + path + finding.message());
        common.out.println("    -> " + finding.remedy());
    }

    private boolean isStandardInput() {
        return file.toString().equals("-");
    }
}
