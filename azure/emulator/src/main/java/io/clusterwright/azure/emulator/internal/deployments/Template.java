package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A template with the values of its parameters: the resources it makes, each with those that come before it. */
final class Template {
    private static final Set<String> PARTS = Set.of(
            "$schema", "contentversion", "apiprofile", "metadata", "parameters", "variables", "resources", "outputs");
    private static final Set<String> NOT_SENT =
            Set.of("type", "apiVersion", "name", "dependsOn", "copy", "condition", "comments", "metadata");
    private static final Set<String> UNKNOWN = Set.of("scope", "resources", "existing", "import");
    /** The first version in which the mode Complete deletes resources whose condition is false. */
    private static final String CONDITIONS_FROM = "2019-05-10";

    private static final int MOST_RESOURCES = 800;
    private static final int MOST_PARAMETERS = 256;
    private static final int MOST_VARIABLES = 256;
    private static final int MOST_OUTPUTS = 64;
    private static final int FIRST_NAME = 7;
    private static final List<String> SCHEMAS =
            List.of("2014-04-01-preview", "2015-01-01", "2018-05-01", "2019-04-01", "2019-08-01");

    private final ObjectNode tree;
    private final Scope.Context context;
    private final List<Planned> resources = new ArrayList<>();
    private final List<ArmId> leftOut = new ArrayList<>();
    private final Map<String, List<Planned>> loops = new LinkedHashMap<>();

    /**
     * One resource.
     *
     * @param source its part of the template
     * @param scope knows the loop it is in
     * @param before the ids of what must be there first; filled after all are known
     */
    record Planned(ArmId id, String apiVersion, JsonNode source, Scope scope, Set<ArmId> before) {
        /** The request that creates it, of the caller of the deployment. */
        Call put(Call deployment, Scope.Lookup lookup) {
            return Call.of(
                    "PUT",
                    deployment.base(),
                    id.toString(),
                    Map.of("api-version", apiVersion),
                    body(scope.with(lookup)));
        }

        private ObjectNode body(Scope scope) {
            ObjectNode body = Json.object();
            try {
                source.properties().forEach(entry -> {
                    if (!NOT_SENT.contains(entry.getKey())) {
                        body.set(entry.getKey(), scope.value(entry.getValue()));
                    }
                });
            } catch (TemplateException e) {
                throw e.at("resource '" + id.name() + "' of type '" + id.type() + "'");
            }
            return body;
        }
    }

    /** @param lookup finds resources for {@code reference} */
    Template(
            ObjectNode tree,
            JsonNode given,
            ObjectNode group,
            ObjectNode subscription,
            String name,
            Scope.Lookup lookup) {
        this.tree = tree;
        tree.fieldNames().forEachRemaining(part -> {
            if (!PARTS.contains(part.toLowerCase(Locale.ROOT))) {
                throw new TemplateException("The part '" + part + "' of the template is not emulated");
            }
        });
        for (String required : List.of("$schema", "contentVersion", "resources")) {
            if (!tree.has(required)) {
                throw ArmException.of("InvalidTemplate.required", required);
            }
        }
        String schema = tree.path("$schema").asText();
        if (SCHEMAS.stream().noneMatch(each -> schema.contains("/schemas/" + each + "/"))) {
            throw new TemplateException("Template schema '" + schema + "' is not supported. Supported versions are '"
                    + String.join(",", SCHEMAS) + "'. Please see https://aka.ms/arm-template for usage details.");
        }
        if (!tree.path("resources").isArray()) {
            throw new TemplateException("The template has no list of resources");
        }
        limit("parameters", MOST_PARAMETERS);
        limit("variables", MOST_VARIABLES);
        limit("outputs", MOST_OUTPUTS);
        Scope standards = Scope.of(new Scope.Context(group, subscription, name, true, Map.of(), Map.of()), lookup);
        Map<String, JsonNode> parameters = TemplateParameters.of(tree.path("parameters"), given, standards);
        Map<String, JsonNode> variables = new LinkedHashMap<>();
        this.context = new Scope.Context(group, subscription, name, false, parameters, variables);
        Scope scope = Scope.of(context, lookup);
        variables(scope, variables);
        tree.path("resources").forEach(resource -> plan(resource, scope));
        resources.forEach(this::order);
        requireNoCircle();
    }

    /** Refuses resources that wait for each other. */
    private void requireNoCircle() {
        List<Planned> left = new ArrayList<>(resources);
        boolean going = true;
        while (going) {
            going = left.removeIf(each -> left.stream()
                    .noneMatch(other -> each.before().stream()
                            .anyMatch(needed -> needed.key().equals(other.id().key()))));
        }
        if (!left.isEmpty()) {
            throw new TemplateException("Circular dependency detected on resource: '"
                    + left.get(0).id() + "'. Please see https://aka.ms/arm-syntax-resources for usage details.");
        }
    }

    private void limit(String part, int most) {
        int actual = tree.path(part).size();
        if (actual > most) {
            throw new TemplateException("The number of template " + part + " limit exceeded. Limit: '" + most
                    + "' and actual: '" + actual + "'. Please see https://aka.ms/arm-template for usage details.");
        }
    }

    /** A variable may use those after it, but not itself. */
    private void variables(Scope scope, Map<String, JsonNode> values) {
        Map<String, JsonNode> left = new LinkedHashMap<>();
        tree.path("variables").properties().forEach(entry -> left.put(entry.getKey(), entry.getValue()));
        if (left.containsKey("copy")) {
            throw new TemplateException("A loop over variables is not emulated");
        }
        while (!left.isEmpty()) {
            TemplateException problem = null;
            int before = left.size();
            for (Map.Entry<String, JsonNode> variable : List.copyOf(left.entrySet())) {
                try {
                    values.put(variable.getKey(), scope.value(variable.getValue()));
                    left.remove(variable.getKey());
                } catch (TemplateException e) {
                    problem = e.at("variable '" + variable.getKey() + "'");
                }
            }
            if (left.size() == before && problem != null) {
                throw problem;
            }
        }
    }

    private void plan(JsonNode resource, Scope scope) {
        resource.fieldNames().forEachRemaining(part -> {
            if (UNKNOWN.contains(part)) {
                throw new TemplateException("The part '" + part + "' of a resource is not emulated");
            }
        });
        if (!resource.has("copy")) {
            planOne(resource, scope);
            return;
        }
        if (resource.path("copy").has("batchSize")) {
            throw new TemplateException("The part 'batchSize' of a loop is not emulated");
        }
        String loop = resource.path("copy").path("name").asText();
        int count = Budget.copies(scope.value(resource.path("copy").path("count")));
        List<Planned> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            planOne(resource, scope.inLoop(loop, i)).ifPresent(made::add);
        }
        loops.put(loop.toLowerCase(Locale.ROOT), made);
    }

    private Optional<Planned> planOne(JsonNode resource, Scope scope) {
        String type = resource.path("type").asText();
        if (type.equalsIgnoreCase(Deployments.TYPE)) {
            throw new TemplateException("A deployment within a template is not emulated");
        }
        String apiVersion = resource.path("apiVersion").asText();
        String[] types = type.split("/");
        String[] names = scope.value(resource.path("name")).asText().split("/");
        if (types.length < 2 || names.length != types.length - 1 || apiVersion.isEmpty()) {
            throw new TemplateException("The template resource '" + String.join("/", names) + "' of type '" + type
                    + "' needs an apiVersion, and as many names as its type has segments after the namespace");
        }
        ArmId id = ArmId.group(
                        context.subscription().path("subscriptionId").asText(),
                        context.group().path("name").asText())
                .child("providers", types[0]);
        for (int i = 0; i < names.length; i++) {
            id = id.child(types[i + 1], names[i]);
        }
        JsonNode condition = resource.has("condition") ? scope.value(resource.get("condition")) : BooleanNode.TRUE;
        if (!condition.isBoolean()) {
            throw new TemplateException("The condition of the resource '" + id + "' is not of the type boolean");
        }
        if (!condition.asBoolean()) {
            leftOut.add(id);
            return Optional.empty();
        }
        Planned planned = new Planned(id, apiVersion, resource, scope, new LinkedHashSet<>());
        if (resources.stream()
                .anyMatch(other -> other.id().key().equals(planned.id().key()))) {
            throw new TemplateException(
                    "The resource '" + planned.id() + "' is defined multiple times in the template");
        }
        if (resources.size() == MOST_RESOURCES) {
            throw new TemplateException("The template makes more than " + MOST_RESOURCES + " resources");
        }
        resources.add(planned);
        return Optional.of(planned);
    }

    private void order(Planned resource) {
        for (JsonNode entry : resource.source().path("dependsOn")) {
            String needed = resource.scope().value(entry).asText();
            List<Planned> loop = loops.get(needed.toLowerCase(Locale.ROOT));
            List<Planned> found = loop != null
                    ? loop
                    : resources.stream()
                            .filter(other -> means(other.id(), needed))
                            .toList();
            boolean left = leftOut.stream().anyMatch(other -> means(other, needed));
            if (found.isEmpty() && loop == null && !left) {
                throw new TemplateException("The resource '" + needed + "' is not defined in the template, and '"
                        + resource.id().name() + "' depends on it");
            }
            found.forEach(other -> resource.before().add(other.id()));
        }
        if (resource.id().isChild()) {
            resources.stream()
                    .filter(other ->
                            other.id().key().equals(resource.id().parent().key()))
                    .forEach(other -> requireOrder(resource, other));
        }
    }

    /** Whether a dependency means this resource: by its id, the id without its start, its names, or its last name. */
    private static boolean means(ArmId id, String needed) {
        String whole = id.toString();
        String relative = whole.substring(whole.indexOf("/providers/") + "/providers/".length());
        String names = IntStream.range(FIRST_NAME, id.segments().size())
                .filter(i -> i % 2 == 1)
                .mapToObj(id.segments()::get)
                .collect(Collectors.joining("/"));
        return Stream.of(whole, relative, names, id.name()).anyMatch(needed::equalsIgnoreCase);
    }

    private static void requireOrder(Planned child, Planned parent) {
        if (child.before().isEmpty()) {
            throw new TemplateException("The resource '" + child.id().name() + "' is part of '"
                    + parent.id().name() + "', and does not depend on it: write it in dependsOn");
        }
    }

    List<Planned> resources() {
        return resources;
    }

    /** Whether it has a resource, or a part of it; a resource whose condition is false is one for older versions of the API. */
    boolean has(ArmId id, String version) {
        boolean older = version.compareTo(CONDITIONS_FROM) < 0;
        return Stream.concat(resources.stream().map(Planned::id), older ? leftOut.stream() : Stream.empty())
                .anyMatch(each -> each.key().equals(id.key()) || each.isInside(id));
    }

    JsonNode shownParameters() {
        return TemplateParameters.shown(tree.path("parameters"), context.parameters());
    }

    /** The outputs, once everything is there. */
    ObjectNode outputs(Scope.Lookup lookup) {
        Scope scope = Scope.of(context, lookup);
        ObjectNode outputs = Json.object();
        tree.path("outputs").properties().forEach(entry -> {
            if (!entry.getValue().has("value")) {
                throw new TemplateException(
                        "The output '" + entry.getKey() + "' has no value; loops are not emulated there");
            }
            ObjectNode output = outputs.putObject(entry.getKey())
                    .put("type", entry.getValue().path("type").asText());
            try {
                if (!TemplateParameters.isSecret(entry.getValue())) {
                    JsonNode value = scope.value(entry.getValue().path("value"));
                    if (!Scope.asksForResources(entry.getValue().path("value"))) {
                        TemplateParameters.requireType("output", entry.getKey(), entry.getValue(), value);
                    }
                    output.set("value", value);
                }
            } catch (TemplateException e) {
                throw e.at("output '" + entry.getKey() + "'");
            }
        });
        return outputs;
    }
}
