package io.clusterwright.mpi.preset;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.preset.MpiPreset.PresetSetup;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the file that a shell sources before it starts MPI: it puts the MPI on the search paths and sets the variables of a preset.
 * Pure: the same arguments always give the same text.
 */
public final class EnvironmentScript {
    private EnvironmentScript() {}

    /**
     * The file for a POSIX shell.
     *
     * @param preset whose variables are set, each under its reason
     * @param version of the MPI, such as {@code 2021.9}
     * @param interconnect the network of the nodes
     * @param more variables that are set after those of the preset, and win over them
     * @return text whose lines end with LF
     * @throws InvalidValueException when the preset is for Windows, a variable's name is none, or a value holds a NUL character
     */
    public static String posix(MpiPreset preset, String version, Interconnect interconnect, Map<String, String> more) {
        return posix(preset, preset.flavour(), version, interconnect, more);
    }

    /**
     * The file for a POSIX shell, where the installed MPI takes the preset of its kin: HPC-X with {@code open-mpi/tcp}.
     *
     * @param installed the MPI that is put on the search paths
     * @throws InvalidValueException when the preset is not for that MPI, and as in the other form
     */
    public static String posix(
            MpiPreset preset,
            MpiFlavour installed,
            String version,
            Interconnect interconnect,
            Map<String, String> more) {
        if (!preset.isFor(installed)) {
            throw new InvalidValueException(
                    "preset for " + installed, preset.toString(), "a preset of this MPI", "auto");
        }
        if (preset.flavour() == MpiFlavour.MS_MPI) {
            throw new InvalidValueException(
                    "preset for a POSIX shell",
                    preset.toString(),
                    "a preset for Linux; on Windows, give its variables to mpiexec with -env",
                    "open-mpi/tcp");
        }
        StringBuilder text =
                new StringBuilder("# MPI with preset ").append(preset).append(", to be sourced by a shell.\n");
        (preset.flavour() == installed ? preset : kin(installed))
                .setup(version)
                .ifPresent(setup -> text.append(setUp(setup)));
        preset.variables(version, interconnect).stream()
                .filter(variable -> !more.containsKey(variable.name()))
                .forEach(variable -> text.append("# ")
                        .append(capital(variable.reason()))
                        .append(" (")
                        .append(variable.source())
                        .append(").\n")
                        .append(export(variable.name(), variable.value())));
        if (!more.isEmpty()) {
            text.append("# From the description.\n");
            more.forEach((name, value) -> text.append(export(name, value)));
        }
        return text.toString();
    }

    private static MpiPreset kin(MpiFlavour installed) {
        return MpiPresets.all().stream()
                .filter(preset -> preset.flavour() == installed)
                .findFirst()
                .orElseThrow();
    }

    private static String export(String name, String value) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new InvalidValueException(
                    "name of an environment variable",
                    name,
                    "letters, digits and '_', not starting with a digit",
                    "OMP_NUM_THREADS");
        }
        return "export " + name + "=" + PosixShell.quote(value) + "\n";
    }

    /** A function has its own arguments, so that those of the caller do not reach the script. */
    static String setUp(PresetSetup setup) {
        StringBuilder text = new StringBuilder("cw_set_up_mpi() {\n");
        if (!setup.unless().isEmpty()) {
            text.append("    if [ -n \"${" + setup.unless() + ":-}\" ]; then\n        return 0\n    fi\n");
        }
        if (!setup.scripts().isEmpty()) {
            text.append("    for cw_script in ")
                    .append(patterns(setup.scripts()))
                    .append("; do\n        if [ -r \"$cw_script\" ]; then\n")
                    .append(
                            setup.arguments().isEmpty()
                                    ? ""
                                    : "            set -- " + PosixShell.quote(setup.arguments()) + "\n")
                    .append("            . \"$cw_script\"\n")
                    .append(setup.call().isEmpty() ? "" : "            " + PosixShell.quote(setup.call()) + "\n")
                    .append("            return 0\n        fi\n    done\n");
        }
        if (!setup.modules().isEmpty()) {
            text.append("    if command -v module > /dev/null 2>&1; then\n        ")
                    .append(setup.modules().stream()
                            .map(module -> "module load " + PosixShell.quote(module) + " 2> /dev/null")
                            .collect(Collectors.joining(" || ")))
                    .append(" || true\n    fi\n");
        }
        if (!setup.launcher().isEmpty()) {
            text.append("    if ! command -v ")
                    .append(PosixShell.quote(setup.launcher()))
                    .append(" > /dev/null 2>&1; then\n        for cw_folder in ")
                    .append(patterns(setup.folders()))
                    .append(
                            "; do\n            if [ -x \"$cw_folder/mpirun\" ] || [ -x \"$cw_folder/mpirun_rsh\" ]; then\n")
                    .append("                export PATH=\"$cw_folder:$PATH\"\n                return 0\n")
                    .append("            fi\n        done\n    fi\n");
        }
        return text.append("}\ncw_set_up_mpi\nunset -f cw_set_up_mpi\nunset cw_script cw_folder\n")
                .toString();
    }

    private static String patterns(List<String> paths) {
        return paths.stream().map(EnvironmentScript::pattern).collect(Collectors.joining(" "));
    }

    /** A path in which {@code *} stands for anything and everything else for itself. */
    private static String pattern(String path) {
        return List.of(path.split("(?<=\\*)|(?=\\*)")).stream()
                .map(part -> part.equals("*") ? part : PosixShell.quote(part))
                .collect(Collectors.joining());
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
