package io.clusterwright.mpi.preset;

import java.util.List;

/**
 * A preset that was picked, and why.
 *
 * @param preset what was picked
 * @param version the version of the MPI it was picked for; the preset's assumed one when nobody said
 * @param reason why, for people
 * @param cautions what stands in the way of what was picked, for people; may be empty
 */
public record PresetChoice(MpiPreset preset, String version, String reason, List<String> cautions) {
    /** Copies the list. */
    public PresetChoice {
        cautions = List.copyOf(cautions);
    }
}
