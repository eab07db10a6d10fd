package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.azure.emulator.internal.expression.ParsedExpression;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Evaluates the expressions of ARM templates, with the names that they can refer to: parameters, variables, the resource group, loops, and
 * existing resources.
 */
final class ExpressionEvaluator {
    private static final JsonNode UNKNOWN = new Unknown();
    private static final String RESOURCE_LOOP = "";

    /** Functions that ask a provider, such as {@code listKeys}. */
    private static final Pattern LISTS = Pattern.compile("(?i)list[a-z]+");

    private static final Pattern LATE = Pattern.compile("(?i)\\b(reference|list[a-z]+)\\(");

    private static final ParsedExpression.Parser.Language LANGUAGE = new ParsedExpression.Parser.Language(
            Pattern.compile("(-?\\d+|[\\p{L}\\p{Nd}_]+)|[().,\\[\\]]"),
            List.of(),
            Map.of(),
            false,
            reason -> TemplateException.of("syntax", reason));

    /** The limit of Resource Manager for an expression. */
    private static final int LONGEST = 24_576;

    private final Context context;
    private final Map<String, Integer> loops;
    private final Lookup lookup;
    private final Budget budget;

    /**
     * Finds resources for {@code reference}.
     *
     * @param handlers finds who lists the secrets of resources of a type
     * @param strict whether an absent resource is an error; otherwise its value is unknown, as before a deployment
     */
    record Lookup(Cloud cloud, Function<String, Handler> handlers, boolean strict) {
        /** The answer to a POST on a resource, such as its keys. */
        JsonNode list(String function, String id, String version) {
            TemplateException.refuse(!ResourcePath.isResource(id) || version.isEmpty(), "list", function, id, version);
            ResourcePath meant = ResourcePath.of(id);
            if (!strict && cloud.store().find(meant).isEmpty()) {
                return UNKNOWN;
            }
            Versions.require(cloud.settings(), meant.type(), cloud.store().location(meant), version);
            Call post = Call.of("POST", "", id + "/" + function, Map.of("api-version", version), Json.object());
            return Objects.requireNonNullElse(
                    handlers.apply(meant.type()).act(post, meant, function).body(), UNKNOWN);
        }

        /** @param whole whether the whole body is needed, not only the properties */
        JsonNode find(String id, boolean whole) {
            TemplateException.refuse(!ResourcePath.isResource(id), "reference", id);
            return cloud.store()
                    .find(ResourcePath.of(id))
                    .<JsonNode>map(resource -> whole ? resource.body() : resource.properties())
                    .orElseGet(() -> {
                        TemplateException.refuse(strict, "resource", id);
                        return UNKNOWN;
                    });
        }
    }

    /** Value of a reference while the resource does not exist. */
    private static final class Unknown extends POJONode {
        private static final long serialVersionUID = 1;

        Unknown() {
            super("unknown");
        }
    }

    /**
     * The same for a whole deployment.
     *
     * @param group the resource group with id, name, location and tags
     * @param subscription its body
     * @param deployment its name
     * @param defaults whether default values of parameters are evaluated, where alone the time is known
     */
    record Context(
            ObjectNode group,
            ObjectNode subscription,
            String deployment,
            boolean defaults,
            Map<String, JsonNode> parameters,
            Map<String, JsonNode> variables) {}

    private ExpressionEvaluator(Context context, Map<String, Integer> loops, Lookup lookup, Budget budget) {
        this.budget = budget;
        this.context = context;
        this.loops = loops;
        this.lookup = lookup;
    }

    static ExpressionEvaluator of(Context context, Lookup lookup) {
        return new ExpressionEvaluator(context, Map.of(), lookup, new Budget());
    }

    /** Whether a part of a template calls functions of resources, which may not be there yet. */
    static boolean asksForResources(JsonNode part) {
        return LATE.matcher(part.toString()).find();
    }

    /** Adds the existing resources. */
    ExpressionEvaluator with(Lookup other) {
        return new ExpressionEvaluator(context, loops, other, budget);
    }

    /** Within the copy of a resource that a loop makes. */
    ExpressionEvaluator inLoop(String name, int index) {
        return inPropertyLoop(name, index).with(RESOURCE_LOOP, index);
    }

    /** Within an element that a loop over a property makes. */
    ExpressionEvaluator inPropertyLoop(String name, int index) {
        return with(name.toLowerCase(Locale.ROOT), index);
    }

    private ExpressionEvaluator with(String name, int index) {
        Map<String, Integer> more = new LinkedHashMap<>(loops);
        more.put(name, index);
        return new ExpressionEvaluator(context, more, lookup, budget);
    }

    /** The tree with every expression replaced by its value. */
    JsonNode value(JsonNode tree) {
        budget.chargeOne();
        if (tree instanceof ObjectNode object) {
            return object(object);
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode values = Json.array();
            array.forEach(each -> values.add(value(each)));
            return values;
        }
        return tree.isTextual() ? text(tree.textValue()) : tree;
    }

    private ObjectNode object(ObjectNode tree) {
        ObjectNode values = Json.object();
        tree.properties().forEach(entry -> {
            if (entry.getKey().equals("copy") && entry.getValue().isArray()) {
                entry.getValue().forEach(copy -> values.set(copy.path("name").asText(), copies(copy)));
            } else {
                values.set(entry.getKey(), value(entry.getValue()));
            }
        });
        return values;
    }

    /** The result of a loop over a property or an output. */
    ArrayNode copies(JsonNode copy) {
        int count = Budget.copies(value(copy.path("count")));
        ArrayNode values = Json.array();
        for (int i = 0; i < count; i++) {
            values.add(inPropertyLoop(copy.path("name").asText(), i).value(copy.path("input")));
        }
        return values;
    }

    private JsonNode text(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        if (!bracketed || text.startsWith("[[")) {
            return TextNode.valueOf(bracketed ? text.substring(1) : text);
        }
        try {
            TemplateException.refuse(text.length() > LONGEST + 2, "length", LONGEST);
            return evaluate(new ParsedExpression.Parser(LANGUAGE, text.substring(1, text.length() - 1)).whole());
        } catch (TemplateException e) {
            throw e.text().contains(text) ? e : TemplateException.of("expression", text, e.text());
        }
    }

    private JsonNode evaluate(ParsedExpression expression) {
        if (expression instanceof ParsedExpression.Text literal) {
            return TextNode.valueOf(literal.value());
        }
        if (expression instanceof ParsedExpression.Numeral number) {
            try {
                return IntNode.valueOf(Integer.parseInt(number.value()));
            } catch (NumberFormatException e) {
                throw TemplateException.of("number", number.value());
            }
        }
        if (expression instanceof ParsedExpression.Element element) {
            return element(evaluate(element.of()), evaluate(element.key()));
        }
        ParsedExpression.Invocation call = (ParsedExpression.Invocation) expression;
        if (call.function().equalsIgnoreCase("if") && call.arguments().size() == 3) {
            boolean yes = evaluate(call.arguments().get(0)).asBoolean();
            return evaluate(call.arguments().get(yes ? 1 : 2));
        }
        return budget.charge(call(
                call.function(), call.arguments().stream().map(this::evaluate).toList()));
    }

    private static JsonNode element(JsonNode of, JsonNode key) {
        if (of instanceof Unknown) {
            return of;
        }
        JsonNode found = key.isInt() ? of.get(key.asInt()) : find(of, key.asText());
        if (found == null) {
            throw TemplateException.of(
                    "property", key.asText(), of.isObject() ? String.join(", ", names(of)) : of.size() + " elements");
        }
        return found;
    }

    private static @org.jspecify.annotations.Nullable JsonNode find(JsonNode of, String name) {
        return of.properties().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static List<String> names(JsonNode of) {
        return of.properties().stream().map(Map.Entry::getKey).toList();
    }

    private JsonNode call(String function, List<JsonNode> arguments) {
        return switch (function.toLowerCase(Locale.ROOT)) {
            case "parameters" -> named("parameter", context.parameters(), arguments);
            case "variables" -> named("variable", context.variables(), arguments);
            case "copyindex" -> copyIndex(arguments);
            case "resourceid" -> TextNode.valueOf(resourceId(arguments).toString());
            case "reference" -> reference(arguments);
            case "resourcegroup" -> context.group();
            case "subscription" -> context.subscription();
            case "utcnow" -> {
                TemplateException.refuse(!context.defaults(), "utcNow");
                yield Dates.now(lookup.cloud().clock().now(), arguments);
            }
            case "deployment" -> Json.object().put("name", context.deployment());
            default -> {
                if (LISTS.matcher(function).matches() && arguments.size() > 1) {
                    yield lookup.list(
                            function,
                            arguments.get(0).asText(),
                            arguments.get(1).asText());
                }
                TemplateException.refuse(!Functions.has(function), "function", function);
                yield arguments.stream().anyMatch(Unknown.class::isInstance)
                        ? UNKNOWN
                        : Functions.call(function, arguments);
            }
        };
    }

    private static JsonNode named(String kind, Map<String, JsonNode> values, List<JsonNode> arguments) {
        String name = arguments.isEmpty() ? "" : arguments.get(0).asText();
        return values.entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> TemplateException.of("named", kind, name));
    }

    private JsonNode copyIndex(List<JsonNode> arguments) {
        boolean isNamed = !arguments.isEmpty() && arguments.get(0).isTextual();
        String name = isNamed ? arguments.get(0).asText().toLowerCase(Locale.ROOT) : RESOURCE_LOOP;
        int offset = arguments.size() > (isNamed ? 1 : 0)
                ? arguments.get(arguments.size() - 1).asInt()
                : 0;
        Integer index = loops.get(name);
        if (index == null) {
            throw TemplateException.of("copyIndex", isNamed ? ": there is no loop '" + name + "' around it." : ".");
        }
        return IntNode.valueOf(index + offset);
    }

    private ResourcePath resourceId(List<JsonNode> arguments) {
        List<String> words = arguments.stream().map(JsonNode::asText).toList();
        int type = 0;
        while (type < words.size() && !words.get(type).contains("/")) {
            type++;
        }
        TemplateException.refuse(type > 2 || type == words.size(), "resourceType");
        String subscription = type == 2
                ? words.get(0)
                : context.subscription().path("subscriptionId").asText();
        String group = type == 0 ? context.group().path("name").asText() : words.get(type - 1);
        String[] types = words.get(type).split("/");
        List<String> names = words.subList(type + 1, words.size());
        if (names.size() != types.length - 1) {
            throw TemplateException.of("names", words.get(type), types.length - 1, names.size());
        }
        ResourcePath id = ResourcePath.group(subscription, group).child("providers", types[0]);
        for (int i = 0; i < names.size(); i++) {
            id = id.child(types[i + 1], names.get(i));
        }
        return id;
    }

    private JsonNode reference(List<JsonNode> arguments) {
        String id = arguments.isEmpty() ? "" : arguments.get(0).asText();
        boolean whole = arguments.size() > 2 && arguments.get(2).asText().equalsIgnoreCase("Full");
        return lookup.find(id, whole);
    }
}
