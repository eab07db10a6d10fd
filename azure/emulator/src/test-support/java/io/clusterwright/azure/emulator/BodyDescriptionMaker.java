package io.clusterwright.azure.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes {@code bodies/*.json}, which the emulator holds request bodies against, from Microsoft's types of all api-versions: the folder
 * {@code generated} of {@code github.com/Azure/bicep-types-az} (MIT), which is made from the OpenAPI documents of
 * {@code Azure/azure-rest-api-specs}. Run with that folder, its commit and the folder to write to.
 *
 * <p>Each object has its properties as words: {@code *} for required, {@code -} for read only; then {@code s} (a text), {@code i} (an
 * integer), either with its limits, {@code n} (a number), {@code b}, {@code ?} (anything), {@code @NAME}, {@code =A|B} (one of these), after {@code [} for an
 * array and <code>{</code> for a map; then, after a blank, the api-versions from and to which it is so.
 */
public final class BodyDescriptionMaker {
    private static final int REQUIRED = 1;
    private static final int READ_ONLY = 2;

    /** Fields of every resource that a body repeats from its path. */
    private static final Set<String> OF_THE_PATH = Set.of("id", "name", "type", "apiVersion");

    /** Numbers with fractions in the OpenAPI documents, which these types call integers. */
    private static final Set<String> WITH_FRACTIONS = Set.of("maxPrice");

    private static final Map<String, List<String>> TYPES = Map.of(
            "Microsoft.Compute",
            List.of(
                    "availabilitySets",
                    "disks",
                    "galleries",
                    "galleries/images",
                    "galleries/images/versions",
                    "images",
                    "proximityPlacementGroups",
                    "snapshots",
                    "virtualMachineScaleSets",
                    "virtualMachineScaleSets/extensions",
                    "virtualMachineScaleSets/virtualMachines",
                    "virtualMachines",
                    "virtualMachines/extensions"),
            "Microsoft.Network",
            List.of(
                    "loadBalancers",
                    "loadBalancers/backendAddressPools",
                    "loadBalancers/inboundNatRules",
                    "natGateways",
                    "networkInterfaces",
                    "networkSecurityGroups",
                    "networkSecurityGroups/securityRules",
                    "publicIPAddresses",
                    "routeTables",
                    "routeTables/routes",
                    "virtualNetworks",
                    "virtualNetworks/subnets"),
            "Microsoft.Resources",
            List.of("resourceGroups", "tags", "deployments"),
            "Microsoft.DevTestLab",
            List.of("schedules"),
            "Microsoft.Insights",
            List.of("autoscaleSettings"),
            "Microsoft.Storage",
            List.of("storageAccounts"),
            "Microsoft.KeyVault",
            List.of("vaults", "vaults/secrets"));

    /** What one property is in each version in which its object exists. */
    private static final class Property {
        final Map<String, String> words = new TreeMap<>();
        final Set<String> values = new TreeSet<>();
        final boolean fractions;

        Property(String name) {
            this.fractions = WITH_FRACTIONS.contains(name);
        }
    }

    private static final class Description {
        final Set<String> versions = new TreeSet<>();
        final Map<String, Property> properties = new TreeMap<>();
    }

    private final Map<String, Set<String>> versions = new TreeMap<>();
    private final Map<String, Description> objects = new TreeMap<>();

    private BodyDescriptionMaker() {}

    public static void main(String[] arguments) throws IOException {
        for (String namespace : TYPES.keySet()) {
            BodyDescriptionMaker maker = new BodyDescriptionMaker();
            try (Stream<Path> files = Files.walk(Path.of(arguments[0]))) {
                for (Path file : files.filter(each -> each.endsWith("types.json"))
                        .filter(each -> each.getParent().getParent().endsWith(namespace.toLowerCase(Locale.ROOT)))
                        .sorted()
                        .toList()) {
                    maker.read(namespace, ArmClient.JSON.readTree(file.toFile()));
                }
            }
            Files.writeString(
                    Path.of(arguments[2], namespace.toLowerCase(Locale.ROOT).replaceFirst(".*\\.", "") + ".json"),
                    maker.text("github.com/Azure/bicep-types-az, commit " + arguments[1]));
        }
    }

    private void read(String namespace, JsonNode types) {
        for (JsonNode type : types) {
            String[] name = type.path("name").asText().split("@");
            if (!type.path("$type").asText().equals("ResourceType") || type.path("writableScopes").asInt(1) == 0) {
                continue;
            }
            TYPES.get(namespace).stream()
                    .filter(each -> (namespace + "/" + each).equalsIgnoreCase(name[0]))
                    .forEach(each -> {
                        versions.computeIfAbsent(namespace + "/" + each, key -> new TreeSet<>())
                                .add(name[1]);
                        object(types, resolve(types, type.path("body")), name[1], namespace + "/" + each);
                    });
        }
    }

    private static JsonNode resolve(JsonNode types, JsonNode reference) {
        return types.path(Integer.parseInt(reference.path("$ref").asText().substring(2)));
    }

    private void object(JsonNode types, JsonNode type, String version, String name) {
        Description object = objects.computeIfAbsent(name, key -> new Description());
        if (!object.versions.add(version)) {
            return;
        }
        type.path("properties").properties().forEach(entry -> {
            if (name.contains("/") && OF_THE_PATH.contains(entry.getKey())) {
                return;
            }
            int flags = entry.getValue().path("flags").asInt();
            Property property = object.properties.computeIfAbsent(entry.getKey(), Property::new);
            String word = (flags & READ_ONLY) != 0
                    ? "-"
                    : ((flags & REQUIRED) != 0 ? "*" : "")
                            + word(types, resolve(types, entry.getValue().path("type")), version, property);
            property.words.put(version, word);
        });
    }

    private String word(JsonNode types, JsonNode type, String version, Property property) {
        switch (type.path("$type").asText()) {
            case "StringType":
                return "s" + limits(type, "minLength", "maxLength");
            case "IntegerType":
                return property.fractions ? "n" : "i" + limits(type, "minValue", "maxValue");
            case "BooleanType":
                return "b";
            case "StringLiteralType":
                property.values.add(type.path("value").asText());
                return "=";
            case "UnionType":
                List<JsonNode> elements = new ArrayList<>();
                type.path("elements").forEach(each -> elements.add(resolve(types, each)));
                List<String> values = elements.stream()
                        .filter(each -> each.has("value"))
                        .map(each -> each.path("value").asText())
                        .toList();
                property.values.addAll(values);
                return values.isEmpty() ? "?" : "=";
            case "ArrayType":
                return "[" + word(types, resolve(types, type.path("itemType")), version, property);
            case "ObjectType":
                if (type.path("properties").isEmpty() && type.has("additionalProperties")) {
                    return "{" + word(types, resolve(types, type.path("additionalProperties")), version, property);
                }
                if (type.path("properties").isEmpty()) {
                    return "?";
                }
                object(types, type, version, type.path("name").asText());
                return "@" + type.path("name").asText();
            default:
                return "?";
        }
    }

    private static String limits(JsonNode type, String least, String most) {
        return type.has(least) || type.has(most)
                ? type.path(least).asText() + ".." + type.path(most).asText()
                : "";
    }

    private String text(String source) throws IOException {
        ObjectNode text = ArmClient.JSON.createObjectNode().put("source", source);
        ObjectNode types = text.putObject("types");
        versions.forEach((name, each) -> types.put(name, String.join(" ", each)));
        ObjectNode all = text.putObject("objects");
        objects.forEach((name, object) -> {
            ObjectNode described = all.putObject(name);
            object.properties.forEach((property, facts) -> described.put(property, words(object, facts)));
        });
        StringBuilder lines = new StringBuilder("{\n\"source\": " + text.path("source") + ",\n\"types\": {\n");
        lines.append(lines(types)).append("\n},\n\"objects\": {\n").append(lines(all)).append("\n}\n}\n");
        return lines.toString();
    }

    private static String lines(ObjectNode object) {
        return object.properties().stream()
                .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(",\n"));
    }

    /** The words of one property, one for each stretch of versions in which they are the same. */
    private static String words(Description object, Property property) {
        List<String> all = List.copyOf(object.versions);
        List<String> stretches = new ArrayList<>();
        int from = 0;
        while (from < all.size()) {
            String word = property.words.get(all.get(from));
            int to = from;
            while (to + 1 < all.size() && Objects.equals(word, property.words.get(all.get(to + 1)))) {
                to++;
            }
            if (word != null) {
                String range = (from == 0 ? "" : all.get(from)) + ".." + (to == all.size() - 1 ? "" : all.get(to));
                stretches.add(word.replace("=", values(property)) + (range.equals("..") ? "" : " " + range));
            }
            from = to + 1;
        }
        return String.join(";", stretches);
    }

    /** The values; only a text for names of sizes, of which there are newer ones than the documents list. */
    private static String values(Property property) {
        return property.values.contains("Standard_A0") ? "s" : "=" + String.join("|", property.values);
    }
}
