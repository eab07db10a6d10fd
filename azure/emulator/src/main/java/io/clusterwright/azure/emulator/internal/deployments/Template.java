package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
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
    private final ExpressionEvaluator.Context context;
    private final List<Planned> resources = new ArrayList<>();
    private final List<ResourcePath> leftOut = new ArrayList<>();
    private final Map<String, List<Planned>> loops = new LinkedHashMap<>();

    /**
     * One resource.
     *
     * @param source its part of the template
     * @param scope knows the loop it is in
     * @param before the ids of what must be there first; filled after all are known
     */
    record Planned(
            ResourcePath id, String apiVersion, JsonNode source, ExpressionEvaluator scope, Set<ResourcePath> before) {
        /** The request that creates it, of the caller of the deployment. */
        Call put(Call deployment, ExpressionEvaluator.Lookup lookup) {
            return Call.of(
                    "PUT",
                    deployment.base(),
                    id.toString(),
                    Map.of("api-version", apiVersion),
                    body(scope.with(lookup)));
        }

        private ObjectNode body(ExpressionEvaluator scope) {
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
            ExpressionEvaluator.Lookup lookup) {
        this.tree = tree;
        tree.fieldNames().forEachRemaining(part -> {
            TemplateException.refuse(!PARTS.contains(part.toLowerCase(Locale.ROOT)), "part", part);
        });
        for (String required : List.of("$schema", "contentVersion", "resources")) {
            ArmException.refuse(!tree.has(required), "InvalidTemplate.required", required);
        }
        String schema = tree.path("$schema").asText();
        TemplateException.refuse(
                SCHEMAS.stream().noneMatch(each -> schema.contains("/schemas/" + each + "/")),
                "schema",
                schema,
                String.join(",", SCHEMAS));
        TemplateException.refuse(!tree.path("resources").isArray(), "resources");
        limit("parameters", MOST_PARAMETERS);
        limit("variables", MOST_VARIABLES);
        limit("outputs", MOST_OUTPUTS);
        ExpressionEvaluator standards = ExpressionEvaluator.of(
                new ExpressionEvaluator.Context(group, subscription, name, true, Map.of(), Map.of()), lookup);
        Map<String, JsonNode> parameters = TemplateParameters.of(tree.path("parameters"), given, standards);
        Map<String, JsonNode> variables = new LinkedHashMap<>();
        this.context = new ExpressionEvaluator.Context(group, subscription, name, false, parameters, variables);
        ExpressionEvaluator scope = ExpressionEvaluator.of(context, lookup);
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
            throw TemplateException.of("circularDependency", left.get(0).id());
        }
    }

    private void limit(String part, int most) {
        int actual = tree.path(part).size();
        TemplateException.refuse(actual > most, "limit", part, most, actual);
    }

    /** A variable may use those after it, but not itself. */
    private void variables(ExpressionEvaluator scope, Map<String, JsonNode> values) {
        Map<String, JsonNode> left = new LinkedHashMap<>();
        tree.path("variables").properties().forEach(entry -> left.put(entry.getKey(), entry.getValue()));
        TemplateException.refuse(left.containsKey("copy"), "variableLoop");
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

    private void plan(JsonNode resource, ExpressionEvaluator scope) {
        resource.fieldNames().forEachRemaining(part -> {
            TemplateException.refuse(UNKNOWN.contains(part), "resourcePart", part);
        });
        if (!resource.has("copy")) {
            planOne(resource, scope);
            return;
        }
        TemplateException.refuse(resource.path("copy").has("batchSize"), "batchSize");
        String loop = resource.path("copy").path("name").asText();
        int count = Budget.copies(scope.value(resource.path("copy").path("count")));
        List<Planned> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            planOne(resource, scope.inLoop(loop, i)).ifPresent(made::add);
        }
        loops.put(loop.toLowerCase(Locale.ROOT), made);
    }

    private Optional<Planned> planOne(JsonNode resource, ExpressionEvaluator scope) {
        String type = resource.path("type").asText();
        TemplateException.refuse(type.equalsIgnoreCase(Deployments.TYPE), "nested");
        String apiVersion = resource.path("apiVersion").asText();
        String[] types = type.split("/");
        String[] names = scope.value(resource.path("name")).asText().split("/");
        TemplateException.refuse(
                types.length < 2 || names.length != types.length - 1 || apiVersion.isEmpty(),
                "name",
                String.join("/", names),
                type);
        ResourcePath id = ResourcePath.group(
                        context.subscription().path("subscriptionId").asText(),
                        context.group().path("name").asText())
                .child("providers", types[0]);
        for (int i = 0; i < names.length; i++) {
            id = id.child(types[i + 1], names[i]);
        }
        JsonNode condition = resource.has("condition") ? scope.value(resource.get("condition")) : BooleanNode.TRUE;
        TemplateException.refuse(!condition.isBoolean(), "condition", id);
        if (!condition.asBoolean()) {
            leftOut.add(id);
            return Optional.empty();
        }
        Planned planned = new Planned(id, apiVersion, resource, scope, new LinkedHashSet<>());
        TemplateException.refuse(
                resources.stream()
                        .anyMatch(other -> other.id().key().equals(planned.id().key())),
                "twice",
                planned.id());
        TemplateException.refuse(resources.size() == MOST_RESOURCES, "mostResources", MOST_RESOURCES);
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
                throw TemplateException.of("dependency", needed, resource.id().name());
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
    private static boolean means(ResourcePath id, String needed) {
        String whole = id.toString();
        String relative = whole.substring(whole.indexOf("/providers/") + "/providers/".length());
        String names = IntStream.range(FIRST_NAME, id.segments().size())
                .filter(i -> i % 2 == 1)
                .mapToObj(id.segments()::get)
                .collect(Collectors.joining("/"));
        return Stream.of(whole, relative, names, id.name()).anyMatch(needed::equalsIgnoreCase);
    }

    private static void requireOrder(Planned child, Planned parent) {
        TemplateException.refuse(
                child.before().isEmpty(),
                "child",
                child.id().name(),
                parent.id().name());
    }

    List<Planned> resources() {
        return resources;
    }

    /** Whether it has a resource, or a part of it; a resource whose condition is false is one for older versions of the API. */
    boolean has(ResourcePath id, String version) {
        boolean older = version.compareTo(CONDITIONS_FROM) < 0;
        return Stream.concat(resources.stream().map(Planned::id), older ? leftOut.stream() : Stream.empty())
                .anyMatch(each -> each.key().equals(id.key()) || each.isInside(id));
    }

    JsonNode shownParameters() {
        return TemplateParameters.shown(tree.path("parameters"), context.parameters());
    }

    /** The outputs, once everything is there. */
    ObjectNode outputs(ExpressionEvaluator.Lookup lookup) {
        ExpressionEvaluator scope = ExpressionEvaluator.of(context, lookup);
        ObjectNode outputs = Json.object();
        tree.path("outputs").properties().forEach(entry -> {
            TemplateException.refuse(!entry.getValue().has("value"), "output", entry.getKey());
            ObjectNode output = outputs.putObject(entry.getKey())
                    .put("type", entry.getValue().path("type").asText());
            try {
                if (!TemplateParameters.isSecret(entry.getValue())) {
                    JsonNode value = scope.value(entry.getValue().path("value"));
                    if (!ExpressionEvaluator.asksForResources(entry.getValue().path("value"))) {
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
