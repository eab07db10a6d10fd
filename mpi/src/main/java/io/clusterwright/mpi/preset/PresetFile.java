package io.clusterwright.mpi.preset;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.preset.MpiPreset.Flavours;
import io.clusterwright.mpi.preset.MpiPreset.PresetArgument;
import io.clusterwright.mpi.preset.MpiPreset.PresetSetup;
import io.clusterwright.mpi.preset.MpiPreset.PresetVariable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads {@code presets.yaml}. */
final class PresetFile {
    private static final String ANY = "any";

    private PresetFile() {}

    static List<MpiPreset> read() {
        return DataFile.read(PresetFile.class, "presets.yaml").stream()
                .map(PresetFile::preset)
                .toList();
    }

    private static MpiPreset preset(DataRow row) {
        String name = row.text("name");
        Set<Interconnect> interconnects = interconnects(row, Set.of());
        return new MpiPreset(
                name,
                Flavours.find(name.substring(0, name.indexOf('/'))).orElseThrow(),
                new MpiPreset.Details(
                        row.text("title"),
                        interconnects,
                        VersionRange.parse(row.text("versions")),
                        row.text("assumed"),
                        row.text("source"),
                        row.rows("variables").stream()
                                .map(variable -> variable(variable, interconnects))
                                .toList(),
                        row.rows("arguments").stream().map(PresetFile::argument).toList(),
                        row.rows("setup").stream().map(PresetFile::setup).toList(),
                        row.texts("notes")));
    }

    private static PresetVariable variable(DataRow row, Set<Interconnect> all) {
        return new PresetVariable(
                row.text("name"),
                row.text("value"),
                versions(row),
                interconnects(row, all),
                row.text("reason"),
                row.text("source"));
    }

    private static PresetArgument argument(DataRow row) {
        return new PresetArgument(row.texts("words"), versions(row), row.text("reason"), row.text("source"));
    }

    private static PresetSetup setup(DataRow row) {
        return new PresetSetup(
                versions(row),
                row.text("unless", ""),
                row.texts("scripts"),
                row.texts("arguments"),
                row.text("call", ""),
                row.texts("modules"),
                row.text("launcher", ""),
                row.texts("folders"),
                row.text("source"));
    }

    private static VersionRange versions(DataRow row) {
        return VersionRange.parse(row.text("versions", ANY));
    }

    private static Set<Interconnect> interconnects(DataRow row, Set<Interconnect> otherwise) {
        Set<Interconnect> found = EnumSet.noneOf(Interconnect.class);
        row.texts("interconnects").forEach(name -> found.add(Interconnect.parse(name)));
        return found.isEmpty() ? otherwise : found;
    }
}
