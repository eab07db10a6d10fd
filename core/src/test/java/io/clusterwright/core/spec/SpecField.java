package io.clusterwright.core.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A field of a spec, as its schema and the Javadoc of its accessor describe it.
 *
 * @param path its place, such as {@code nodes.count}; {@code []} stands for each entry of a list
 * @param required whether it must be given where its group is
 * @param choice the choice of its group that it belongs to; empty for a group without choices
 * @param meaning the Javadoc without the default
 * @param allowed the allowed values, in words; may be empty
 * @param values the allowed values of an enum with their Javadoc; empty for all other fields
 * @param example an example of the schema; may be empty
 * @param otherwise the default, as the reader accepts it; empty where it follows from other fields
 * @param fallback the default in words; may be empty
 */
record SpecField(
        String path,
        boolean required,
        String choice,
        String meaning,
        String allowed,
        Map<String, String> values,
        String example,
        String otherwise,
        String fallback) {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final List<SpecField> ALL = read();

    /** All fields, in the order of the schema. */
    static List<SpecField> all() {
        return ALL;
    }

    @Override
    public String toString() {
        return path;
    }

    private static List<SpecField> read() {
        List<SpecField> fields = new ArrayList<>();
        try {
            add(fields, Json.MAPPER.readTree(SpecReader.schema()), "", "", ClusterSpec.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(fields);
    }

    private static void add(
            List<SpecField> fields, JsonNode group, String path, String choice, @Nullable Class<?> owner) {
        for (var entry : group.path("properties").properties()) {
            String name = entry.getKey();
            JsonNode schema = entry.getValue();
            boolean required = StreamSupport.stream(group.path("required").spliterator(), false)
                    .anyMatch(one -> one.asText().equals(name));
            Class<?> type = owner == null ? null : type(owner, name);
            if (!schema.has("properties") && !schema.path("items").has("properties")) {
                fields.add(of(path + name, required, choice, owner == null ? "" : doc(owner, name), type, schema));
            }
            add(fields, schema, path + name + ".", "", type);
            add(fields, schema.path("items"), path + name + "[].", "", type);
            int number = 0;
            for (JsonNode one : schema.path("anyOf")) {
                add(fields, one, path + name + ".", "choice " + number++, null);
            }
        }
    }

    private static SpecField of(
            String path, boolean required, String choice, String doc, @Nullable Class<?> type, JsonNode schema) {
        String[] parts = doc.split("\\s*Default: ", 2);
        JsonNode known = schema.path("default");
        String fallback = parts.length > 1 ? parts[1].replaceFirst("\\.$", "") : "";
        String otherwise = known.isValueNode() ? text(known) : fallback.matches("[0-9]+") ? fallback : "";
        return new SpecField(
                path,
                required,
                choice,
                parts[0].replaceFirst("; default .*$", "")
                        .replaceAll("\\s*Required\\.$|\\s*Required in a cloud; .*$", "")
                        .replaceAll(", \\d+ to \\d+(?=[.:;])", "")
                        .replaceFirst("(?<=[a-z0-9)`])$", "."),
                allowed(schema),
                type != null && type.isEnum() ? values(type) : Map.of(),
                example(schema),
                otherwise,
                fallback);
    }

    private static String text(JsonNode value) {
        return value.isTextual() && value.asText().matches("[0-9]+") ? "\"" + value.asText() + "\"" : value.asText();
    }

    private static String allowed(JsonNode schema) {
        if (schema.has("enum")) {
            return StreamSupport.stream(schema.path("enum").spliterator(), false)
                    .filter(value -> !value.isNull())
                    .map(value -> "`" + value.asText() + "`")
                    .distinct()
                    .collect(Collectors.joining(", "));
        }
        if (schema.path("type").toString().contains("boolean") && !schema.has("description")) {
            return "`true`, `false`";
        }
        if (schema.path("maximum").asLong() > 0 && schema.path("maximum").asLong() < 1_000_000_000) {
            return schema.path("minimum").asText() + " to "
                    + schema.path("maximum").asText();
        }
        if (schema.has("anyOf")) {
            return schema.path("description").asText();
        }
        String description = schema.path("description")
                .asText(schema.path("items").path("description").asText());
        String form = description.replaceFirst(",? (?:\\()?(?:for example|example:) .*$", "");
        return !form.contains(": ")
                ? ""
                : (schema.has("items") ? "a list of " : "") + form.substring(form.indexOf(": ") + 2);
    }

    private static String example(JsonNode schema) {
        if (schema.has("examples")) {
            return text(schema.path("examples").get(0));
        }
        if (schema.path("items").has("examples")) {
            return "[" + text(schema.path("items").path("examples").get(0)) + "]";
        }
        if (schema.has("enum")) {
            JsonNode values = schema.path("enum");
            return text(values.get(values.size() > 1 && !values.get(1).isNull() ? 1 : 0));
        }
        if (schema.path("anyOf").path(0).has("enum")) {
            return text(schema.path("anyOf").path(0).path("enum").path(0));
        }
        return schema.path("type").toString().contains("boolean")
                ? Boolean.toString(!schema.path("default").asBoolean())
                : "";
    }

    /** The class behind a field: the class of a part, or of the entries of a list. */
    private static @Nullable Class<?> type(Class<?> owner, String field) {
        try {
            Type type = owner.getMethod(field).getGenericReturnType();
            while (type instanceof ParameterizedType wrapped) {
                type = wrapped.getActualTypeArguments()[0];
            }
            return type instanceof Class<?> found && found.getPackageName().equals(owner.getPackageName())
                    ? found
                    : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The Javadoc of the accessor, or of the component of a record, as one line. */
    private static String doc(Class<?> owner, String field) {
        String source = source(owner);
        Matcher start = Pattern.compile("\\b(?:class|record) " + owner.getSimpleName() + "\\b")
                .matcher(source);
        if (!start.find()) {
            return "";
        }
        Matcher accessor = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\s+)*public [\\w<>?,. @]+ " + field + "\\(\\)",
                        Pattern.DOTALL)
                .matcher(source);
        if (accessor.find(start.start())) {
            return plain(accessor.group(1));
        }
        String before = source.substring(0, start.start());
        Matcher component = Pattern.compile("@param " + field + " ((?:(?!@param|@see|\\*/).)*)", Pattern.DOTALL)
                .matcher(before.substring(Math.max(0, before.lastIndexOf("/**"))));
        if (component.find()) {
            String text = plain(component.group(1));
            return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        }
        return "";
    }

    /** The constants of an enum with their Javadoc. */
    private static Map<String, String> values(Class<?> type) {
        String source = source(type);
        String constants = source.substring(source.indexOf("enum " + type.getSimpleName() + " {"));
        Map<String, String> values = new LinkedHashMap<>();
        for (Object constant : type.getEnumConstants()) {
            Matcher doc = Pattern.compile(
                            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*" + ((Enum<?>) constant).name() + "\\b", Pattern.DOTALL)
                    .matcher(constants);
            values.put(constant.toString(), doc.find() ? plain(doc.group(1)) : "");
        }
        return values;
    }

    private static String source(Class<?> type) {
        Class<?> top = type;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        try {
            return Files.readString(SOURCES.resolve(top.getName().replace('.', '/') + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String plain(String javadoc) {
        String linked = javadoc.replaceAll("(?m)^\\s*\\*", " ")
                .replaceAll("\\s+", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link(?:plain)? (?:[\\w.]*#)?([\\w.]+)(?:\\([^)]*\\))?(?: ([^}]*))?}", "`$1`")
                .replaceAll("<[^>]+>", " ")
                .strip();
        return Pattern.compile("`[A-Z][A-Z_]+`")
                .matcher(linked)
                .replaceAll(word -> word.group().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
