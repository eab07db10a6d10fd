package io.clusterwright.mpi.preset;

import java.util.List;

/**
 * An option that a preset gives the launcher.
 *
 * @param words the option and its values, each an argument of its own
 * @param versions the versions of the MPI it is for
 * @param reason why it is given, for people
 * @param source where that is known from
 */
public record PresetArgument(List<String> words, VersionRange versions, String reason, String source) {
    /** Copies the words. */
    public PresetArgument {
        words = List.copyOf(words);
    }
}
