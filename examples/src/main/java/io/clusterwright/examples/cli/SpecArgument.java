package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.examples.console.Style;
import java.nio.file.Path;
import java.util.List;
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

    /** Prints findings: one line and its remedy each, or one JSON document. */
    void print(CommonOptions common, List<Finding> findings) {
        if (common.json) {
            common.print(ResultJson.validation(findings));
        } else {
            findings.forEach(finding -> print(common, finding));
        }
    }

    private void print(CommonOptions common, Finding finding) {
        String severity = finding.severity().name();
        String painted = switch (finding.severity()) {
            case ERROR -> Style.bad(severity);
            case WARNING -> Style.warn(severity);
            case INFO -> Style.dim(severity);
        };
        String place = finding.line().isPresent()
                ? name() + ":" + finding.line().getAsInt() + ":"
                        + finding.column().orElse(1) + ": "
                : finding.code().startsWith("CW-READ-") ? name() + ": " : "";
        String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
        common.out.println(painted + " " + finding.code() + " " + place + path + finding.message());
        common.out.println("    -> " + finding.remedy());
    }

    private boolean isStandardInput() {
        return file.toString().equals("-");
    }
}
