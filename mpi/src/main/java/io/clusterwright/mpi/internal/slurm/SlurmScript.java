package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is handed to {@code sbatch}: a script on its standard input, and options as words of its command line, where nothing
 * has to be quoted for {@code #SBATCH} lines. The variables stand in the script, not on a command line that others can read.
 *
 * @param options the words after {@code sbatch}
 * @param text the script
 */
record SlurmScript(List<String> options, String text) {

    static SlurmScript of(LaunchRequest request, SlurmSettings settings) {
        JobFolder folder = request.folder();
        Map<String, String> environment = new LinkedHashMap<>(request.environment());
        environment.put(JobFolder.VARIABLE, folder.token());
        List<String> step = new ArrayList<>(List.of("srun"));
        step.addAll(new SlurmLauncher(settings).step(request, environment));
        step.addAll(request.program());
        StringBuilder text = new StringBuilder("#!/bin/sh\n");
        environment.forEach((name, value) -> text.append("export ")
                .append(name)
                .append('=')
                .append(PosixShell.quote(value))
                .append('\n'));
        text.append(step.stream().map(PosixShell::quote).collect(Collectors.joining(" ", "exec ", "\n")));

        List<String> options = new ArrayList<>(List.of("--parsable", "--job-name=" + folder.token()));
        options.addAll(settings.words());
        options.addAll(SlurmLauncher.placement(request));
        if (!settings.outputFile().isEmpty()) {
            options.add("--output=" + settings.outputFile());
        }
        return new SlurmScript(List.copyOf(options), text.toString());
    }
}
