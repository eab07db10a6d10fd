package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.mpi.job.Diagnosis;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "diagnose", description = "Finds known failures in the output of a job, and explains them.")
final class DiagnoseCommand extends ProgramCommand {
    @Parameters(paramLabel = "FILE", description = "The output of a job, of any length; - is standard input.")
    private String file = "-";

    @Override
    public Integer call() {
        List<Diagnosis> found = read(file, Diagnosis::of);
        if (found.isEmpty() && !json) {
            out.println("no known failure was found");
        }
        print(found, DiagnoseCommand::json, this::print);
        return ExitCodes.OK;
    }

    private static ObjectNode json(Diagnosis diagnosis) {
        return Json.object()
                .put("code", diagnosis.code())
                .put("line", diagnosis.line())
                .put("cause", diagnosis.cause())
                .put("remedy", diagnosis.remedy());
    }

    private void print(Diagnosis diagnosis) {
        out.printf(
                "%s line %d: %s%n    %s%n", diagnosis.code(), diagnosis.line(), diagnosis.cause(), diagnosis.remedy());
    }
}
