package io.clusterwright.mpi.internal.render;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The environment of a preset as a file that a shell sources. */
final class EnvironmentFile {
    private EnvironmentFile() {}

    /**
     * The file.
     *
     * @param own variables of the description, which win over the preset's
     */
    static String text(PresetChoice preset, Map<String, String> own) {
        StringBuilder text = new StringBuilder(
                        "# The environment of " + preset.name() + ". Use it in bash: . ./mpi.env\n")
                .append(setup(preset));
        for (PresetTable.Variable variable : PresetTable.of(preset)) {
            if (!own.containsKey(variable.name())) {
                text.append("\n# ")
                        .append(variable.reason())
                        .append('\n')
                        .append(export(variable.name(), variable.value()));
            }
        }
        if (!own.isEmpty()) {
            text.append("\n# From mpi.env of the description\n");
            own.forEach((name, value) -> text.append(export(name, value)));
        }
        return text.toString();
    }

    /** The variables that the file sets. */
    static Set<String> names(PresetChoice preset, Map<String, String> own) {
        Set<String> names = new LinkedHashSet<>();
        PresetTable.of(preset).forEach(variable -> names.add(variable.name()));
        names.addAll(own.keySet());
        return names;
    }

    private static String export(String name, String value) {
        String word = value.matches("[A-Za-z0-9_.,:/@%+=-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
        return "export " + name + "=" + word + "\n";
    }

    /** Brings the MPI onto the path where its installer does not do so by itself. */
    private static String setup(PresetChoice preset) {
        return switch (preset.flavour()) {
            case INTEL_MPI -> source("I_MPI_ROOT", intel(IntelVersion.of(preset.version())), "");
            case HPC_X -> source("HPCX_DIR", List.of("/opt/hpcx*/hpcx-init.sh"), "hpcx_load\n            ");
            case OPEN_MPI ->
                path(
                        "mpirun.openmpi",
                        "/usr/lib64/openmpi/bin",
                        "/usr/lib64/mpi/gcc/openmpi*/bin",
                        "/opt/openmpi*/bin");
            case MPICH ->
                path("mpirun.mpich", "/usr/lib64/mpich/bin", "/usr/lib64/mpi/gcc/mpich/bin", "/opt/mpich*/bin");
            case MVAPICH2 ->
                path("mpirun_rsh", "/usr/lib64/mvapich2/bin", "/usr/lib64/mpi/gcc/mvapich2/bin", "/opt/mvapich2*/bin");
            case MS_MPI -> "";
        };
    }

    private static List<String> intel(IntelVersion version) {
        List<String> files = new ArrayList<>();
        if (version.atLeast(2021, 0) || !version.isKnown()) {
            files.add("/opt/intel/oneapi/mpi/latest/env/vars.sh");
            files.add("/opt/intel/oneapi/setvars.sh");
        }
        if (version.before(2017) || !version.isKnown()) {
            files.add("/opt/intel/impi/*/bin64/mpivars.sh");
            files.add("/opt/intel/impi_latest/bin64/mpivars.sh");
        }
        if (!version.before(2017) && !version.atLeast(2021, 0)) {
            files.add("/opt/intel/compilers_and_libraries*/linux/mpi/intel64/bin/mpivars.sh");
        }
        return files;
    }

    private static String source(String done, List<String> files, String then) {
        return """
                if [ -z "${%s:-}" ]; then
                    for file in %s; do
                        if [ -r "$file" ]; then
                            . "$file"
                            %sbreak
                        fi
                    done
                fi
                """.formatted(done, String.join(" \\\n        ", files), then);
    }

    private static String path(String launcher, String... folders) {
        return """
                if ! command -v %s >/dev/null; then
                    for folder in %s; do
                        if [ -x "$folder/%s" ]; then
                            export PATH=$folder:$PATH
                            break
                        fi
                    done
                fi
                """.formatted(launcher, String.join(" ", folders), launcher.replaceAll("\\..*", ""));
    }
}
