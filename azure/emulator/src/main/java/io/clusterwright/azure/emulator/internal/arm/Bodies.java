package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads and changes the JSON bodies of resources. A path is names joined by dots, such as {@code properties.subnet.id}. */
public final class Bodies {
    private Bodies() {}

    /** The text at a path, or an empty one. */
    public static String text(JsonNode node, String path) {
        return at(node, path).asText("");
    }

    public static JsonNode at(JsonNode node, String path) {
        JsonNode here = node;
        for (String name : path.split("\\.")) {
            here = here.path(name);
        }
        return here;
    }

    /** Whether there is a value at a path which is no empty text. */
    public static boolean has(JsonNode node, String path) {
        JsonNode value = at(node, path);
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.textValue().isEmpty());
    }

    /** Whether the text at a path is this one, whatever its case. */
    public static boolean is(JsonNode node, String path, String text) {
        return text(node, path).equalsIgnoreCase(text);
    }

    public static boolean isTrue(JsonNode node, String path) {
        return at(node, path).asBoolean();
    }

    /** The object at a path, made where it is absent. */
    public static ObjectNode make(ObjectNode node, String path) {
        ObjectNode here = node;
        for (String name : path.split("\\.")) {
            here = here.get(name) instanceof ObjectNode there ? there : here.putObject(name);
        }
        return here;
    }

    public static ObjectNode properties(ObjectNode body) {
        return make(body, "properties");
    }

    /** The array at a path, made where it is absent. */
    public static ArrayNode array(ObjectNode node, String path) {
        ObjectNode holder = holder(node, path);
        String name = last(path);
        return holder.get(name) instanceof ArrayNode there ? there : holder.putArray(name);
    }

    /** The objects of the array at a path; empty when it is absent. */
    public static List<ObjectNode> objects(JsonNode node, String path) {
        List<ObjectNode> objects = new ArrayList<>();
        at(node, path).forEach(each -> {
            if (each instanceof ObjectNode object) {
                objects.add(object);
            }
        });
        return objects;
    }

    /** The object with this id in the array at a path. */
    public static Optional<ObjectNode> withId(JsonNode node, String path, String id) {
        return objects(node, path).stream()
                .filter(each -> text(each, "id").equalsIgnoreCase(id))
                .findFirst();
    }

    /** Refuses two objects of one key, whatever its case; objects with an empty key are not compared. */
    public static void requireUnique(
            Iterable<ObjectNode> objects,
            Function<ObjectNode, String> key,
            BiFunction<ObjectNode, ObjectNode, ArmException> refusal) {
        Map<String, ObjectNode> seen = new HashMap<>();
        for (ObjectNode each : objects) {
            String own = key.apply(each);
            ObjectNode other = own.isEmpty() ? null : seen.put(own.toLowerCase(Locale.ROOT), each);
            if (other != null) {
                throw refusal.apply(other, each);
            }
        }
    }

    public static ObjectNode reference(Object id) {
        return Json.object().put("id", id.toString());
    }

    /** Sets the value at a path where there is none. */
    public static void standard(ObjectNode node, String path, Object value) {
        ObjectNode holder = holder(node, path);
        if (!holder.hasNonNull(last(path))) {
            holder.set(last(path), Json.MAPPER.valueToTree(value));
        }
    }

    private static ObjectNode holder(ObjectNode node, String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? node : make(node, path.substring(0, dot));
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
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
