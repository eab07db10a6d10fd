package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.bench.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "diagnose", description = "Finds known failures in the output of a job, and explains them.")
final class DiagnoseCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "FILE", description = "The output of a job, of any length; - is standard input.")
    private String file = "-";

    @Override
    public Integer call() {
        List<Diagnosis> found = diagnose();
        if (common.json) {
            ArrayNode array = Json.array();
            found.forEach(diagnosis -> array.addObject()
                    .put("code", diagnosis.code())
                    .put("line", diagnosis.line())
                    .put("cause", diagnosis.cause())
                    .put("remedy", diagnosis.remedy()));
            common.print(array);
        } else if (found.isEmpty()) {
            common.out.println("no known failure was found");
        } else {
            found.forEach(diagnosis -> common.out.printf(
                    "%s line %d: %s%n    %s%n",
                    diagnosis.code(), diagnosis.line(), diagnosis.cause(), diagnosis.remedy()));
        }
        return ExitCodes.OK;
    }

    private List<Diagnosis> diagnose() {
        if (file.equals("-")) {
            return read(System.in);
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return read(in);
        } catch (NoSuchFileException e) {
            throw new RefusedException("there is no file " + file + "; - reads standard input");
        } catch (IOException e) {
            throw new RefusedException("cannot read " + file + ": " + e);
        }
    }

    private List<Diagnosis> read(InputStream in) {
        try {
            return Diagnosis.of(in);
        } catch (IOException e) {
            throw new RefusedException("cannot read " + (file.equals("-") ? "standard input" : file) + ": " + e);
        }
    }
}
