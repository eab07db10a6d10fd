package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.internal.launch.Arguments;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes the file that a shell sources before it starts MPI: it puts the MPI on the search paths and sets the variables of a preset.
 * Pure: the same arguments always give the same text.
 */
final class EnvironmentScript {
    private EnvironmentScript() {}

    /**
     * The file for a POSIX shell: the preset's variables, each under its reason, and those of the description, which win over them.
     *
     * @return text whose lines end with LF
     * @throws InvalidValueException when a variable's name is none, or a value holds a NUL character
     */
    static String text(JobEnvironment job) {
        Arguments.check(job.more());
        StringBuilder text =
                new StringBuilder("# MPI with preset ").append(job.preset()).append(", to be sourced by a shell.\n");
        setUp(job).ifPresent(row -> text.append(setUp(row)));
        job.preset().variables(job.version(), job.network()).stream()
                .filter(variable -> !job.more().containsKey(variable.words().get(0)))
                .forEach(variable -> text.append("# ")
                        .append(capital(variable.reason()))
                        .append(" (")
                        .append(variable.source())
                        .append(").\n")
                        .append(export(variable.words().get(0), variable.words().get(1))));
        if (!job.more().isEmpty()) {
            text.append("# From the description.\n");
            job.more().forEach((name, value) -> text.append(export(name, value)));
        }
        return text.toString();
    }

    /** The way to put the MPI on the search paths: that of its version in the preset, or, where it uses the preset of its kin, in the first for this MPI itself. */
    private static Optional<DataRow> setUp(JobEnvironment job) {
        String preset = job.preset().flavour() == job.installed() ? job.preset().name() : job.installed() + "/";
        return setUps(preset).stream()
                .filter(row -> VersionRange.parse(row.text("versions")).contains(job.version()))
                .findFirst();
    }

    /** The ways to put the MPI of the first preset whose name begins so on the search paths. */
    static List<DataRow> setUps(String preset) {
        return DataFile.read(MpiPresets.class, "presets.yaml").stream()
                .filter(row -> row.text("name").startsWith(preset))
                .findFirst()
                .orElseThrow()
                .rows("setup");
    }

    private static String export(String name, String value) {
        return "export " + name + "=" + PosixShell.quote(value) + "\n";
    }

    /**
     * The first of {@code scripts} that is there is sourced with {@code arguments}, and the command {@code call} that it defines is called;
     * where there is none, the first of {@code modules} that can be loaded is loaded; and where {@code launcher} is then not found by its
     * name, the first of {@code folders} that holds one goes onto the path. Nothing is done where the variable {@code unless} is set.
     *
     * <p>A function has its own arguments, so that those of the caller do not reach the script.
     */
    static String setUp(DataRow row) {
        StringBuilder text = new StringBuilder("cw_set_up_mpi() {\n");
        String unless = row.text("unless", "");
        if (!unless.isEmpty()) {
            text.append("    if [ -n \"${" + unless + ":-}\" ]; then\n        return 0\n    fi\n");
        }
        List<String> scripts = row.texts("scripts");
        if (!scripts.isEmpty()) {
            List<String> arguments = row.texts("arguments");
            String call = row.text("call", "");
            text.append("    for cw_script in ")
                    .append(patterns(scripts))
                    .append("; do\n        if [ -r \"$cw_script\" ]; then\n")
                    .append(arguments.isEmpty() ? "" : "            set -- " + PosixShell.quote(arguments) + "\n")
                    .append("            . \"$cw_script\"\n")
                    .append(call.isEmpty() ? "" : "            " + PosixShell.quote(call) + "\n")
                    .append("            return 0\n        fi\n    done\n");
        }
        List<String> modules = row.texts("modules");
        if (!modules.isEmpty()) {
            text.append("    if command -v module > /dev/null 2>&1; then\n        ")
                    .append(modules.stream()
                            .map(module -> "module load " + PosixShell.quote(module) + " 2> /dev/null")
                            .collect(Collectors.joining(" || ")))
                    .append(" || true\n    fi\n");
        }
        String launcher = row.text("launcher", "");
        if (!launcher.isEmpty()) {
            text.append("    if ! command -v ")
                    .append(PosixShell.quote(launcher))
                    .append(" > /dev/null 2>&1; then\n        for cw_folder in ")
                    .append(patterns(row.texts("folders")))
                    .append(
                            "; do\n            if [ -x \"$cw_folder/mpirun\" ] || [ -x \"$cw_folder/mpirun_rsh\" ]; then\n")
                    .append("                export PATH=\"$cw_folder:$PATH\"\n                return 0\n")
                    .append("            fi\n        done\n    fi\n");
        }
        return text.append("}\ncw_set_up_mpi\nunset -f cw_set_up_mpi\nunset cw_script cw_folder\n")
                .toString();
    }

    private static String patterns(List<String> paths) {
        return paths.stream().map(PosixShell::pattern).collect(Collectors.joining(" "));
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
