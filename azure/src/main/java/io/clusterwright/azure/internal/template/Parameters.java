package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a deployer can change or must give: the definitions in the template, and the values in the file beside it. */
public final class Parameters {
    private final ObjectNode definitions = JsonNodeFactory.instance.objectNode();
    private final ObjectNode values = JsonNodeFactory.instance.objectNode();

    public ObjectNode definitions() {
        return definitions;
    }

    public ObjectNode values() {
        return values;
    }

    /** Adds one whose value the description says. */
    void known(String name, String type, String description, JsonNode value) {
        asked(name, type, description);
        values.putObject(name).set("value", value);
    }

    /** Adds one that the deployer gives; its value is in no file. */
    void asked(String name, String type, String description) {
        definitions.putObject(name).put("type", type).putObject("metadata").put("description", description);
    }

    /** What stands instead where neither a file nor the deployer gives a value. */
    void standard(String name, String value) {
        ((ObjectNode) definitions.path(name)).put("defaultValue", value);
    }

    static String use(String name) {
        return "[" + bare(name) + "]";
    }

    static String bare(String name) {
        return "parameters('" + name + "')";
    }
}
