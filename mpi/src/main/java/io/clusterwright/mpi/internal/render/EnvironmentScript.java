package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.command.Arguments;
import io.clusterwright.mpi.internal.command.MpiSetups;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import java.util.Optional;

/**
 * Writes the file that a shell sources before it starts MPI: it puts the MPI on the search paths and sets the variables of a preset.
 * Pure: the same arguments always give the same text.
 */
final class EnvironmentScript {
    private EnvironmentScript() {}

    /**
     * The file for a POSIX shell: the preset's variables, each under its reason, and the variables of the spec, which win over
     * the preset's. A variable that the caller has set keeps its value.
     *
     * @return text whose lines end with LF
     * @throws InvalidValueException when a variable's name is none, or a value holds a NUL character
     */
    static String text(JobEnvironment job) {
        Arguments.check(job.more());
        StringBuilder text = new StringBuilder("# MPI with preset ")
                .append(job.preset())
                .append(", to be sourced by a shell.\n# A variable that is set already keeps its value.\n");
        setUp(job).ifPresent(row -> text.append(MpiSetups.text(row)));
        job.preset().variables(job.version(), job.network()).stream()
                .filter(variable -> !job.more().containsKey(variable.words().get(0)))
                .forEach(variable -> text.append("# ")
                        .append(capital(variable.reason()))
                        .append(" (")
                        .append(variable.source())
                        .append(").\n")
                        .append(export(variable.words().get(0), variable.words().get(1))));
        if (!job.more().isEmpty()) {
            text.append("# From the spec.\n");
            job.more().forEach((name, value) -> text.append(export(name, value)));
        }
        return text.toString();
    }

    /**
     * The way to put the MPI on the search paths: the way of its version in the preset, or, where it uses the preset of
     * its kin, in the first for this MPI itself.
     */
    private static Optional<DataRow> setUp(JobEnvironment job) {
        String preset = job.preset().flavour() == job.installed() ? job.preset().name() : job.installed() + "/";
        return MpiSetups.of(preset, job.version());
    }

    private static String export(String name, String value) {
        return "[ -n \"${" + name + "+set}\" ] ||\nexport " + name + "=" + PosixShell.quote(value) + "\n";
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
