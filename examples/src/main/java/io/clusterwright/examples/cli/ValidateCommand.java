package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
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

    @Parameters(paramLabel = "SPEC", description = SpecInput.HELP)
    private Path spec = Path.of("");

    @Option(
            names = "--severity",
            paramLabel = "LEVEL",
            description = "Shows findings of this level and worse: error, warning or info. Default: info.")
    private Severity severity = Severity.INFO;

    @Override
    public Integer call() {
        SpecCheck.Result result = check().atLeast(severity);
        String name = SpecInput.name(spec);
        if (common.json) {
            common.print(Descriptions.validation(result));
        } else {
            result.reading().forEach(problem -> FindingLines.print(common, name, problem));
            result.findings().forEach(finding -> FindingLines.print(common, "", finding));
            common.out.println(result.valid() ? name + " is valid" : name + " is refused: correct the errors");
        }
        return result.valid() ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private SpecCheck.Result check() {
        try {
            return SpecInput.check(SpecInput.read(spec));
        } catch (InvalidSpecException e) {
            return SpecCheck.refused(e);
        }
    }
}
