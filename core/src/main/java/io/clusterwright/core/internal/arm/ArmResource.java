package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One resource: its type, name, properties and references to others. The same object becomes a request or a part of a template. */
public final class ArmResource {
    private final ArmScope scope;
    private final String type;
    private final List<ArmText> names;
    private final ObjectNode top = Json.object();
    private final ObjectNode properties = Json.object();
    private final List<Reference> references = new ArrayList<>();
    private JsonNode tags = Json.object();

    /**
     * A resource that another one refers to.
     *
     * @param type of the resource itself, where the reference is to a part of it
     */
    record Reference(String type, ArmText id) {}

    /** A resource without properties. */
    public ArmResource(ArmScope scope, String type, ArmText... names) {
        this.scope = scope;
        this.type = type;
        this.names = List.of(names);
    }

    /** The type, such as {@code Microsoft.Network/virtualNetworks}. */
    public String type() {
        return type;
    }

    /** The name; the name of a part has the names of its parents before it. */
    public ArmText name() {
        ArmText name = names.get(0);
        for (ArmText next : names.subList(1, names.size())) {
            name = next.isExpression() ? ArmText.join(name.then("/"), next) : name.then("/" + next);
        }
        return name;
    }

    /** The id. */
    public ArmText id() {
        return scope.id(type, names.toArray(ArmText[]::new));
    }

    /** Fields beside the properties, such as {@code sku} and {@code plan}. */
    public ObjectNode top() {
        return top;
    }

    /** The properties. */
    public ObjectNode properties() {
        return properties;
    }

    /** Replaces the tags; in a template they may be an expression. */
    public ArmResource tags(JsonNode value) {
        this.tags = value;
        return this;
    }

    /** A reference to another resource or a part of one, as {@code {"id": ...}}; a template deploys that one first. */
    public ObjectNode reference(String otherType, ArmText... otherNames) {
        String[] words = otherType.split("/");
        String parent = words[0] + "/" + words[1];
        references.add(new Reference(parent, scope.id(parent, otherNames[0])));
        return Json.object().set("id", scope.id(otherType, otherNames).json());
    }

    /** The body of the request that creates it. */
    public ObjectNode request() {
        ObjectNode body = Json.object();
        body.set("location", scope.location().json());
        body.set("tags", tags);
        body.setAll(top);
        body.set("properties", properties);
        return body;
    }

    JsonNode tags() {
        return tags;
    }

    ArmText location() {
        return scope.location();
    }

    List<Reference> references() {
        return references;
    }

    /** The last word of the type and, for a part, its name: {@code extensions-CustomScript}. */
    String kind() {
        return Stream.concat(
                        Stream.of(type.substring(type.lastIndexOf('/') + 1)),
                        names.subList(1, names.size()).stream().map(ArmText::text))
                .collect(Collectors.joining("-"));
    }
}
