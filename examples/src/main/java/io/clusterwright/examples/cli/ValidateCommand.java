package io.clusterwright.examples.cli;

import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.text.EncodedText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.classic.InvalidIaasConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "validate",
        description = {
            "Validates a spec offline.",
            "A name that ends with .xml is a configuration file of HPC Pack's deployment script."
        })
final class ValidateCommand extends SpecCommand {
    @Mixin
    private Shown shown = new Shown();

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description =
                    "Apply the offline rules of this provider: ${COMPLETION-CANDIDATES}. Default: the rules of a cloud.")
    private @Nullable Provider on;

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
            if (isConfigurationFile()) {
                return configurationFile();
            }
            return on == null ? Planner.check(spec()) : Planner.check(spec(), on.toString());
        } catch (InvalidSpecException e) {
            return Planner.findings(e);
        }
    }

    private boolean isConfigurationFile() {
        return specName().toLowerCase(Locale.ROOT).endsWith(".xml") && Files.isRegularFile(Path.of(specName()));
    }

    private List<Finding> configurationFile() {
        try {
            return IaasConfiguration.of(EncodedText.decode(Files.readAllBytes(Path.of(specName()))))
                    .lint();
        } catch (InvalidIaasConfigurationException e) {
            String remedy = e.repaired().isPresent()
                    ? "correct what the message names; the rest of the file is well-formed"
                    : "give a file for New-HPCIaaSCluster.ps1";
            String message = String.valueOf(e.getMessage()).replaceFirst("^line [0-9]+, column [0-9]+: ", "");
            return List.of(new Finding(SpecProblem.TEXT, Severity.ERROR, "", message, remedy).at(e.line(), e.column()));
        } catch (IOException e) {
            return List.of(new Finding(
                    SpecProblem.TEXT,
                    Severity.ERROR,
                    "",
                    "the file cannot be read: " + Reason.of(e),
                    "save the file in UTF-8, or in UTF-16 with a byte order mark"));
        }
    }
}
