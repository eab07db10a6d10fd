package io.clusterwright.examples.cli;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "validate", description = "Validates a spec offline.")
final class ValidateCommand extends SpecCommand {
    @Mixin
    private Shown shown = new Shown();

    @Override
    public Integer call() {
        List<Finding> findings = check();
        boolean valid = findings.stream().noneMatch(Finding::isError);
        print(findings.stream()
                .filter(finding -> finding.severity().compareTo(shown.severity) <= 0)
                .toList());
        if (!json) {
            out.println(specName() + (valid ? " is valid" : " is refused: correct the errors"));
        }
        return ExitCodes.ofSpec(valid);
    }

    private List<Finding> check() {
        try {
            return Planner.check(spec());
        } catch (InvalidSpecException e) {
            return Planner.findings(e);
        }
    }
}
