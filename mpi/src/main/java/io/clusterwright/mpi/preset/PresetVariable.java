package io.clusterwright.mpi.preset;

import io.clusterwright.core.type.Interconnect;
import java.util.Set;

/**
 * An environment variable that a preset sets.
 *
 * @param name its name
 * @param value its value
 * @param versions the versions of the MPI it is for
 * @param interconnects the networks it is for
 * @param reason why it is set, for people
 * @param source where that is known from
 */
public record PresetVariable(
        String name,
        String value,
        VersionRange versions,
        Set<Interconnect> interconnects,
        String reason,
        String source) {
    /** Copies the networks. */
    public PresetVariable {
        interconnects = Set.copyOf(interconnects);
    }

    boolean appliesTo(String version, Interconnect interconnect) {
        return versions.contains(version) && interconnects.contains(interconnect);
    }
}
