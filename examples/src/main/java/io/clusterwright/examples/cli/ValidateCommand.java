package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "validate", description = "Validates a spec offline.")
final class ValidateCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private SpecArgument spec = new SpecArgument();

    @Option(
            names = "--severity",
            paramLabel = "LEVEL",
            description = "Least severity to show: error, warning or info. Default: info.")
    private Severity severity = Severity.INFO;

    @Override
    public Integer call() {
        SpecCheck.Result result = check().atLeast(severity);
        spec.print(common, result);
        if (!common.json) {
            common.out.println(spec.name() + (result.valid() ? " is valid" : " is refused: correct the errors"));
        }
        return ExitCodes.ofSpec(result.valid());
    }

    private SpecCheck.Result check() {
        try {
            return SpecArgument.check(spec.read());
        } catch (InvalidSpecException e) {
            return SpecCheck.refused(e);
        }
    }
}
