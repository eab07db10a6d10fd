package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Set;

/** A row of {@code presets.yaml}; its components are those of {@link MpiPreset}. */
record PresetRow(
        String name,
        MpiFlavour flavour,
        String title,
        Set<Interconnect> interconnects,
        VersionRange versions,
        String assumedVersion,
        String source,
        List<Setting> variables,
        List<Setting> arguments,
        List<String> notes)
        implements MpiPreset {

    @Override
    public String toString() {
        return name;
    }
}
