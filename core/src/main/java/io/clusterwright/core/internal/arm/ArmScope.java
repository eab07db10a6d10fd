package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resource group of resources: one by its id, or the one that a template is deployed to. Decides how ids and values are written. */
public final class ArmScope {
    private final Optional<ArmId> group;
    private final ArmText location;

    private ArmScope(Optional<ArmId> group, ArmText location) {
        this.group = group;
        this.location = location;
    }

    /** A group, for requests. */
    public static ArmScope group(String subscription, String group, String region) {
        return new ArmScope(Optional.of(ArmId.group(subscription, group)), ArmText.plain(region));
    }

    /** The group of a deployment, for templates; the region is the parameter {@code location}. */
    public static ArmScope template() {
        return new ArmScope(Optional.empty(), ArmText.parameter("location"));
    }

    /** The region of resources. */
    public ArmText location() {
        return location;
    }

    /**
     * The id of a resource in the group, or of a part of one.
     *
     * @param type such as {@code Microsoft.Network/virtualNetworks/subnets}
     * @param names one for each word of the type after the first
     */
    public ArmText id(String type, ArmText... names) {
        if (group.isEmpty()) {
            return ArmText.expression("resourceId('" + type + "', "
                    + Stream.of(names).map(ArmText::operand).collect(Collectors.joining(", ")) + ")");
        }
        String[] words = type.split("/");
        StringBuilder id = new StringBuilder(group.get() + "/providers/" + words[0]);
        for (int i = 0; i < names.length; i++) {
            id.append('/').append(words[i + 1]).append('/').append(names[i]);
        }
        return ArmText.plain(id.toString());
    }

    /** A number; templates have no fractions, so that one is read from a text there. */
    public JsonNode number(double value) {
        if (group.isPresent()) {
            return DoubleNode.valueOf(value);
        }
        return value == Math.rint(value)
                ? IntNode.valueOf((int) value)
                : TextNode.valueOf("[json('" + DecimalNode.valueOf(java.math.BigDecimal.valueOf(value)) + "')]");
    }

    /**
     * Values that Resource Manager must not take for expressions. It takes a text that starts and ends with a bracket for one; a text
     * that only starts with a bracket is taken as it is. Source: Microsoft, "Syntax and expressions in ARM templates".
     */
    public JsonNode literal(JsonNode value) {
        if (group.isPresent()) {
            return value;
        }
        if (value instanceof ObjectNode object) {
            ObjectNode copy = Json.object();
            object.properties().forEach(entry -> copy.set(entry.getKey(), literal(entry.getValue())));
            return copy;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode copy = Json.array();
            array.forEach(each -> copy.add(literal(each)));
            return copy;
        }
        String text = value.isTextual() ? value.textValue() : "";
        return text.startsWith("[") && text.endsWith("]") ? TextNode.valueOf("[" + text) : value;
    }
}
