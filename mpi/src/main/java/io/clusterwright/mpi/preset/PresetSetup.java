package io.clusterwright.mpi.preset;

import java.util.List;

/**
 * How an MPI is put on the search paths of a shell: the first script that is there is sourced; where there is none, the first module
 * that can be loaded is loaded; where there is neither, the shell already has it.
 *
 * @param versions the versions of the MPI it is for
 * @param scripts the absolute paths of scripts, best first; may hold {@code *}
 * @param arguments what the script is given
 * @param call the command that the script defines and that must be called; empty for none
 * @param modules environment modules, best first
 * @param source where that is known from
 */
public record PresetSetup(
        VersionRange versions,
        List<String> scripts,
        List<String> arguments,
        String call,
        List<String> modules,
        String source) {
    /** Copies the lists. */
    public PresetSetup {
        scripts = List.copyOf(scripts);
        arguments = List.copyOf(arguments);
        modules = List.copyOf(modules);
    }
}
