package io.clusterwright.mpi.preset;

import java.util.List;

/**
 * How an MPI is put on the search paths of a shell: the first script that is there is sourced; where there is none, the first module
 * that can be loaded is loaded; and where the launcher is then not found by its own name, the first folder that holds one goes onto the
 * path.
 *
 * @param versions the versions of the MPI it is for
 * @param unless the variable that is set where nothing is left to do; empty for none
 * @param scripts the absolute paths of scripts, best first; may hold {@code *}
 * @param arguments what the script is given
 * @param call the command that the script defines and that must be called; empty for none
 * @param modules environment modules, best first
 * @param launcher the launcher's own name, such as {@code mpirun.openmpi}; empty where scripts do everything
 * @param folders where launchers lie that are not on the path, best first; may hold {@code *}
 * @param source where that is known from
 */
public record PresetSetup(
        VersionRange versions,
        String unless,
        List<String> scripts,
        List<String> arguments,
        String call,
        List<String> modules,
        String launcher,
        List<String> folders,
        String source) {
    /** Copies the lists. */
    public PresetSetup {
        scripts = List.copyOf(scripts);
        arguments = List.copyOf(arguments);
        modules = List.copyOf(modules);
        folders = List.copyOf(folders);
    }
}
