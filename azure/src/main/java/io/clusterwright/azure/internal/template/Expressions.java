package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns the texts of a request body into those of a template: ids and stand-ins become expressions, the rest is taken literally. */
public final class Expressions {
    private static final int FIRST_TYPE = 1;

    private final String here;
    private final Map<String, String> standIns;
    private final Set<Reference> references = new LinkedHashSet<>();

    /**
     * A resource that a body refers to.
     *
     * @param type of the resource itself, not of a part of it
     * @param expression its id, with brackets
     */
    record Reference(String type, String expression) {}

    /**
     * Starts.
     *
     * @param group the id of the group that is deployed to, as the bodies have it
     * @param standIns texts that stand for what an expression (without brackets) gives
     */
    Expressions(String group, Map<String, String> standIns) {
        this.here = group + "/providers/";
        this.standIns = standIns;
    }

    /** What the bodies so far refer to, in order. */
    Set<Reference> references() {
        return references;
    }

    ObjectNode of(ObjectNode body) {
        ObjectNode turned = JsonNodeFactory.instance.objectNode();
        if (body.has("name")) {
            turned.set("name", turn(body.get("name")));
        }
        body.properties().forEach(entry -> turned.set(entry.getKey(), turn(entry.getValue())));
        return turned;
    }

    private JsonNode turn(JsonNode value) {
        if (value instanceof ObjectNode object) {
            return of(object);
        }
        if (value instanceof ArrayNode array) {
            ArrayNode turned = JsonNodeFactory.instance.arrayNode();
            array.forEach(each -> turned.add(turn(each)));
            return turned;
        }
        return value.isTextual() ? TextNode.valueOf(text(value.textValue())) : value;
    }

    String text(String text) {
        if (text.startsWith(here)) {
            return id(text.substring(here.length()));
        }
        String expression = expression(text);
        return expression.startsWith("'") ? literal(text) : "[" + expression + "]";
    }

    private String id(String path) {
        String[] words = path.split("/");
        List<String> type = new ArrayList<>(List.of(words[0]));
        List<String> names = new ArrayList<>();
        for (int i = FIRST_TYPE; i + 1 < words.length; i += 2) {
            type.add(words[i]);
            names.add(expression(words[i + 1]));
        }
        references.add(new Reference(words[0] + "/" + words[1], resourceId(words[0] + "/" + words[1], names.get(0))));
        return resourceId(String.join("/", type), String.join(", ", names));
    }

    /** @param names expressions, with commas between them */
    static String resourceId(String type, String names) {
        return "[resourceId('" + type + "', " + names + ")]";
    }

    /** The text as an expression without brackets. */
    String expression(String text) {
        List<String> parts = new ArrayList<>(List.of(text));
        standIns.forEach((standIn, expression) -> {
            for (int i = parts.size() - 1; i >= 0; i -= 2) {
                String part = parts.remove(i);
                String[] around = part.split(java.util.regex.Pattern.quote(standIn), -1);
                for (int j = around.length - 1; j >= 0; j--) {
                    parts.add(i, around[j]);
                    if (j > 0) {
                        parts.add(i, expression);
                    }
                }
            }
        });
        List<String> words = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean plain = i % 2 == 0;
            if (!plain) {
                words.add(parts.get(i));
            } else if (!parts.get(i).isEmpty()) {
                words.add(quoted(parts.get(i)));
            }
        }
        return switch (words.size()) {
            case 0 -> "''";
            case 1 -> words.get(0);
            default -> words.stream().collect(Collectors.joining(", ", "concat(", ")"));
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A text that Resource Manager must not take for an expression. */
    static String literal(String text) {
        return text.startsWith("[") ? "[" + text : text;
    }
}
