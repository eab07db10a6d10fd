package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.TextResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Microsoft's descriptions of the resources in each api-version, from the files in the folder {@code bodies}. */
final class Descriptions {
    /** The provider of groups, subscriptions and tags, whose versions hold for all of them. */
    static final String RESOURCES = "Microsoft.Resources";

    /** The Batch service. Its objects are not resources. */
    static final String BATCH = "Batch";

    private static final Map<String, Descriptions> ALL = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        for (String provider : List.of(
                "Microsoft.Compute",
                "Microsoft.Network",
                "Microsoft.DevTestLab",
                "Microsoft.Insights",
                "Microsoft.Storage",
                "Microsoft.KeyVault",
                RESOURCES,
                BATCH)) {
            String file = provider.substring(provider.indexOf('.') + 1).toLowerCase(Locale.ROOT);
            ALL.put(provider, new Descriptions(read(file)));
        }
        ALL.put("Microsoft.MarketplaceOrdering", new Descriptions(Json.object()));
        ALL.put("Microsoft.Authorization", new Descriptions(Json.object()));
        JsonNode more = read("versions");
        ALL.forEach((provider, each) -> more.path(provider)
                .properties()
                .forEach(type -> each.versions.put(provider + "/" + type.getKey(), words(type.getValue(), " "))));
    }

    private final Map<String, List<String>> versions = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, Map<String, List<Stretch>>> objects = new HashMap<>();

    /**
     * A property in a stretch of api-versions.
     *
     * @param name its name as it is written
     * @param word its type, as the files write it
     * @param from the first version; empty where it has been there from the beginning
     * @param to the last version; empty where it is still there
     */
    record Stretch(String name, boolean required, boolean readOnly, String word, String from, String to) {
        private static Stretch parse(String name, String text) {
            int blank = text.lastIndexOf(' ');
            String range = text.substring(blank + 1);
            boolean ranged = blank > 0 && range.contains("..");
            String word = ranged ? text.substring(0, blank) : text;
            int dots = ranged ? range.indexOf("..") : 0;
            boolean required = word.startsWith("*");
            return new Stretch(
                    name,
                    required,
                    word.equals("-"),
                    required ? word.substring(1) : word,
                    ranged ? range.substring(0, dots) : "",
                    ranged ? range.substring(dots + 2) : "");
        }

        boolean holds(String version) {
            return from.compareTo(version) <= 0 && (to.isEmpty() || version.compareTo(to) <= 0);
        }
    }

    private Descriptions(JsonNode file) {
        file.path("types").properties().forEach(type -> versions.put(type.getKey(), words(type.getValue(), " ")));
        file.path("objects").properties().forEach(object -> {
            Map<String, List<Stretch>> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            object.getValue()
                    .properties()
                    .forEach(property -> words(property.getValue(), ";")
                            .forEach(word -> properties
                                    .computeIfAbsent(property.getKey(), key -> new ArrayList<>())
                                    .add(Stretch.parse(property.getKey(), word))));
            objects.put(object.getKey(), properties);
        });
    }

    private static List<String> words(JsonNode text, String separator) {
        return List.of(text.asText().split(separator));
    }

    private static JsonNode read(String file) {
        String name = "bodies/" + file + ".json";
        try {
            return Json.MAPPER.readTree(TextResource.read(Descriptions.class.getResourceAsStream(name), name));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** The descriptions of a provider; empty for one without. */
    static Optional<Descriptions> of(String namespace) {
        return Optional.ofNullable(ALL.get(namespace));
    }

    /** The versions of a type; where it is not described, the versions of the type that it is part of, or of the whole provider. */
    List<String> versions(String type) {
        String described = type;
        while (described.contains("/")) {
            if (versions.containsKey(described)) {
                return versions.get(described);
            }
            described = described.substring(0, described.lastIndexOf('/'));
        }
        return versions();
    }

    /** The versions of all types of the provider. */
    List<String> versions() {
        TreeSet<String> all = new TreeSet<>();
        versions.values().forEach(all::addAll);
        return List.copyOf(all);
    }

    /** The name of the description of a body; empty for a type without. */
    Optional<String> body(String type) {
        return versions.keySet().stream().filter(type::equalsIgnoreCase).findFirst();
    }

    /** The properties of an object, whose names are looked up without regard to case. */
    Map<String, List<Stretch>> properties(String object) {
        return objects.getOrDefault(object, Map.of());
    }
}
