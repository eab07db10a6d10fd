package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The template of what is in a resource group. */
public final class TemplateExport {
    /** What the service knows of a resource, and no request writes. */
    private static final Set<String> OF_THE_SERVICE =
            Set.of(("etag provisioningState resourceGuid vmId uniqueId timeCreated diskState managedBy instanceView"
                            + " macAddress hostedWorkloads defaultSecurityRules appliedDnsServers resources")
                    .split(" "));

    private static final Set<String> OPTIONS =
            Set.of(("includeparameterdefaultvalue includecomments skipresourcenameparameterization"
                            + " skipallparameterization")
                    .split(" "));

    private final Set<String> options;
    private final List<Resource> exported;
    private final Map<String, String> parameters = new TreeMap<>();

    private TemplateExport(Set<String> options, List<Resource> exported) {
        this.options = options;
        this.exported = exported;
    }

    /** Accepts a request to export a group; the template is the result of the operation. */
    public static Reply answer(Call call, Cloud cloud, ResourcePath group) {
        ArmException.refuse(!call.method().equals("POST"), "MethodNotAllowed", call.method(), call.path());
        cloud.store().require(group);
        Set<String> options = new LinkedHashSet<>();
        for (String option :
                call.object().path("options").asText().toLowerCase(Locale.ROOT).split(",")) {
            ArmException.refuse(
                    !option.isBlank() && !OPTIONS.contains(option.trim()),
                    "InvalidRequestContent",
                    "The export option '" + option.trim() + "' is not known");
            options.add(option.trim());
        }
        JsonNode wanted = call.object().path("resources");
        ArmException.refuse(
                !wanted.isArray() || wanted.isEmpty(),
                "InvalidRequestContent",
                "Required property 'resources' not found in JSON");
        List<Resource> resources = new ArrayList<>();
        if (wanted.path(0).asText().equals("*")) {
            cloud.store()
                    .all()
                    .filter(each -> each.id().isInside(group) && !each.id().isChild())
                    .forEach(resources::add);
        } else {
            for (JsonNode id : wanted) {
                ArmException.refuse(
                        !ResourcePath.isResource(id.asText())
                                || !ResourcePath.of(id.asText()).isInside(group),
                        "InvalidRequestContent",
                        "The resource '" + id.asText() + "' is not in the group");
                resources.add(cloud.store().require(ResourcePath.of(id.asText())));
            }
        }
        ObjectNode result = Json.object();
        result.set("template", new TemplateExport(options, resources).template());
        LongOperation operation = cloud.start(Work.DEPLOYMENT, null, ResourceType.NO_MACHINES, failure -> result);
        return cloud.linked(Reply.empty(202), call, group, operation);
    }

    private ObjectNode template() {
        ObjectNode template = Json.object()
                .put("$schema", "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#")
                .put("contentVersion", "1.0.0.0");
        ObjectNode declared = template.putObject("parameters");
        template.putObject("variables");
        ArrayNode resources = template.putArray("resources");
        exported.forEach(each -> resources.add(resource(each)));
        parameters.forEach((name, value) -> {
            ObjectNode parameter = declared.putObject(name).put("type", "String");
            if (options.contains("includeparameterdefaultvalue")) {
                parameter.put("defaultValue", value);
            }
        });
        return template;
    }

    private ObjectNode resource(Resource resource) {
        List<String> versions = Versions.of(resource.id().type()).stream()
                .filter(version -> !version.contains("preview"))
                .toList();
        ObjectNode entry = Json.object()
                .put("type", resource.id().type())
                .put("apiVersion", versions.get(versions.size() - 1))
                .put("name", "[" + name(resource.id()) + "]");
        Set<String> needed = new LinkedHashSet<>();
        resource.body().properties().forEach(part -> {
            if (!Set.of("id", "name", "type").contains(part.getKey()) && !OF_THE_SERVICE.contains(part.getKey())) {
                entry.set(part.getKey(), value(resource.id(), part.getValue(), needed));
            }
        });
        if (!needed.isEmpty()) {
            ArrayNode before = entry.putArray("dependsOn");
            needed.forEach(before::add);
        }
        return entry;
    }

    /** The expression of a resource's name. */
    private String name(ResourcePath id) {
        if (options.contains("skipresourcenameparameterization") || options.contains("skipallparameterization")) {
            return "'" + id.name() + "'";
        }
        return parameter(id, "_name", id.name());
    }

    private String parameter(ResourcePath id, String end, String value) {
        String name = id.type().replaceFirst(".*/", "") + "_" + id.name().replaceAll("\\W", "_") + end;
        parameters.put(name, value);
        return "parameters('" + name + "')";
    }

    private JsonNode value(ResourcePath holder, JsonNode value, Set<String> needed) {
        if (value.isObject()) {
            ObjectNode copy = Json.object();
            value.properties().forEach(part -> {
                boolean own = part.getKey().equals("id") || part.getKey().equals("type");
                if (!OF_THE_SERVICE.contains(part.getKey()) && !(own && value.has("name"))) {
                    copy.set(part.getKey(), value(holder, part.getValue(), needed));
                }
            });
            return copy;
        }
        if (value.isArray()) {
            ArrayNode copy = Json.array();
            value.forEach(each -> copy.add(value(holder, each, needed)));
            return copy;
        }
        return value.isTextual() ? TextNode.valueOf(text(holder, value.asText(), needed)) : value;
    }

    private String text(ResourcePath holder, String text, Set<String> needed) {
        if (!text.toLowerCase(Locale.ROOT).startsWith("/subscriptions/") || !ResourcePath.isResource(text)) {
            return text.startsWith("[") && text.endsWith("]") ? "[" + text : text;
        }
        ResourcePath id = ResourcePath.of(text);
        Resource found = exported.stream()
                .filter(each -> id.key().equals(each.id().key()) || id.isInside(each.id()))
                .findFirst()
                .orElse(null);
        if (id.isGroup() || found == null) {
            return options.contains("skipallparameterization") || id.isGroup()
                    ? text
                    : "[" + parameter(id, "_externalid", text) + "]";
        }
        String first = "resourceId('" + found.id().type() + "', " + name(found.id()) + ")";
        if (!found.id().key().equals(holder.key())) {
            needed.add("[" + first + "]");
        }
        List<String> rest = id.segments()
                .subList(found.id().segments().size(), id.segments().size());
        if (rest.isEmpty()) {
            return "[" + first + "]";
        }
        String names = IntStream.range(0, rest.size())
                .filter(i -> i % 2 == 1)
                .mapToObj(i -> "'" + rest.get(i) + "'")
                .collect(Collectors.joining(", "));
        return "[resourceId('" + id.type() + "', " + name(found.id()) + ", " + names + ")]";
    }
}
