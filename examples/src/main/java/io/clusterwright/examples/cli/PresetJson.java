package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.PresetArgument;
import io.clusterwright.mpi.preset.PresetChoice;
import io.clusterwright.mpi.preset.PresetVariable;
import java.util.Collection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The JSON form of presets. */
final class PresetJson {
    private PresetJson() {}

    /** A preset: all its variables, or those for one version and size where they are given. */
    static ObjectNode of(MpiPreset preset, String version, @Nullable VmSizeFacts size, @Nullable PresetChoice choice) {
        ObjectNode json = Common.JSON
                .createObjectNode()
                .put("name", preset.name())
                .put("mpi", preset.flavour().toString())
                .put("title", preset.title());
        interconnects(json, preset.interconnects());
        json.put("versions", preset.versions().toString());
        ArrayNode variables = json.putArray("variables");
        preset.variables().stream()
                .filter(variable -> version.isEmpty() || variable.versions().contains(version))
                .filter(variable -> size == null || variable.interconnects().contains(size.interconnect()))
                .forEach(variable -> variables.add(variable(variable)));
        ArrayNode arguments = json.putArray("arguments");
        preset.arguments().stream()
                .filter(argument -> version.isEmpty() || argument.versions().contains(version))
                .forEach(argument -> arguments.add(argument(argument)));
        if (!preset.notes().isEmpty()) {
            ArrayNode notes = json.putArray("notes");
            preset.notes().forEach(notes::add);
        }
        json.put("source", preset.source());
        if (choice != null) {
            boolean chosen = choice.preset().equals(preset);
            json.put("chosen", chosen);
            if (chosen) {
                json.put("reason", choice.reason());
                ArrayNode cautions = json.putArray("cautions");
                choice.cautions().forEach(cautions::add);
            }
        }
        return json;
    }

    private static ObjectNode variable(PresetVariable variable) {
        ObjectNode json =
                Common.JSON.createObjectNode().put("name", variable.name()).put("value", variable.value());
        json.put("versions", variable.versions().toString());
        interconnects(json, variable.interconnects());
        return json.put("reason", variable.reason()).put("source", variable.source());
    }

    private static ObjectNode argument(PresetArgument argument) {
        ObjectNode json = Common.JSON.createObjectNode();
        ArrayNode words = json.putArray("words");
        argument.words().forEach(words::add);
        return json.put("versions", argument.versions().toString())
                .put("reason", argument.reason())
                .put("source", argument.source());
    }

    private static void interconnects(ObjectNode json, Collection<Interconnect> interconnects) {
        ArrayNode array = json.putArray("interconnects");
        new TreeSet<>(interconnects).forEach(interconnect -> array.add(interconnect.toString()));
    }
}
