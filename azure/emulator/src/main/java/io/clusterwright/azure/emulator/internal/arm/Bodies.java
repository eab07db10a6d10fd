package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Reads and changes the JSON bodies of resources. */
public final class Bodies {
    private Bodies() {}

    /** The text at this path of names, or an empty one. */
    public static String text(JsonNode node, String... path) {
        return at(node, path).asText("");
    }

    public static JsonNode at(JsonNode node, String... path) {
        JsonNode here = node;
        for (String name : path) {
            here = here.path(name);
        }
        return here;
    }

    /** The object at this path of names, made where it is absent. */
    public static ObjectNode make(ObjectNode node, String... path) {
        ObjectNode here = node;
        for (String name : path) {
            here = here.get(name) instanceof ObjectNode there ? there : here.putObject(name);
        }
        return here;
    }

    public static ObjectNode properties(ObjectNode body) {
        return make(body, "properties");
    }

    /** The objects of an array; none when it is absent. */
    public static List<ObjectNode> objects(JsonNode array) {
        List<ObjectNode> objects = new ArrayList<>();
        array.forEach(each -> {
            if (each instanceof ObjectNode object) {
                objects.add(object);
            }
        });
        return objects;
    }

    public static ObjectNode reference(Object id) {
        return Json.object().put("id", id.toString());
    }

    public static void putDefault(ObjectNode node, String name, String value) {
        if (!node.hasNonNull(name)) {
            node.put(name, value);
        }
    }

    public static void putDefault(ObjectNode node, String name, boolean value) {
        if (!node.hasNonNull(name)) {
            node.put(name, value);
        }
    }

    public static void putDefault(ObjectNode node, String name, int value) {
        if (!node.hasNonNull(name)) {
            node.put(name, value);
        }
    }

    /** Lays one tree over another: objects are merged, everything else is replaced. */
    public static void merge(ObjectNode target, ObjectNode over) {
        over.properties().forEach(entry -> {
            if (entry.getValue() instanceof ObjectNode child
                    && target.get(entry.getKey()) instanceof ObjectNode there) {
                merge(there, child);
            } else {
                target.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
    }
}
