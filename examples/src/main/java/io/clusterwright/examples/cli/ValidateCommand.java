package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.examples.console.Explanation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "validate", description = "Reads a spec and applies every rule that needs nobody to be asked.")
final class ValidateCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Parameters(paramLabel = "SPEC", description = "The description, as YAML or JSON.")
    private Path spec = Path.of("");

    @Option(
            names = "--severity",
            paramLabel = "LEVEL",
            description = "Shows findings of this level and worse: error, warning or info. Default: info.")
    private Severity severity = Severity.INFO;

    @Override
    public Integer call() {
        SpecCheck.Result result = SpecCheck.offline(spec).atLeast(severity);
        if (common.json) {
            common.print(Descriptions.validation(result));
        } else {
            result.reading().forEach(problem -> FindingLines.print(common, spec, problem));
            result.findings().forEach(finding -> FindingLines.print(common, "", finding));
            common.out.println(result.valid() ? spec + " is valid" : spec + " is refused: correct the errors");
        }
        return result.valid() ? Explanation.OK : Explanation.REFUSED;
    }
}
