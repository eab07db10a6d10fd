package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/spec.md} with the table of fields and the Javadoc of their accessors; {@code -Dclusterwright.update=true} writes it.
 */
class SpecPageTest {
    private static final Path PAGE = Path.of("..", "docs", "spec.md");
    private static final Path SOURCES = Path.of("src/main/java");

    private final List<String> rows = new ArrayList<>();
    private final List<String> unexplained = new ArrayList<>();

    @Test
    void pageListsEveryFieldOfASpec() throws Exception {
        addRows(Json.MAPPER.readTree(SpecReader.schema()), "", ClusterSpec.class, "");
        String page = page();
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(unexplained).isEmpty();
        assertThat(rows).hasSizeGreaterThan(90);
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private String page() {
        return """
                # Fields of a spec

                To find a field, search this table. A spec is YAML or JSON, and the builders of `ClusterSpec` have the same names. [Editors](editors.md) complete them
                from the JSON Schema, `validate` checks a file, and `validate --on local` checks it for one provider. `x[].y` is a field of each entry of the list `x`. Bold fields must
                be given where their group is; a cloud also needs `region` and `nodes.size`.

                | Field | Meaning | Value | Default |
                |---|---|---|---|
                """ + String.join("\n", rows) + "\n";
    }

    private void addRows(JsonNode group, String path, @Nullable Class<?> owner, String outer) throws Exception {
        for (var field : group.path("properties").properties()) {
            String name = field.getKey();
            JsonNode schema = field.getValue();
            boolean required = false;
            for (JsonNode one : group.path("required")) {
                required |= one.asText().equals(name);
            }
            String found = owner == null ? "" : doc(owner, name);
            String doc = found.isEmpty() ? outer : found;
            JsonNode entries = schema.path("items");
            boolean isGroup = schema.has("properties");
            if (!isGroup) {
                add(required, path + name, doc, schema);
            }
            Class<?> type = owner == null ? null : type(owner, name);
            addRows(schema, path + name + ".", isGroup ? type : null, doc);
            addRows(entries, path + name + "[].", type, "");
            for (JsonNode choice : schema.path("anyOf")) {
                addRows(choice, path + name + ".", null, doc);
            }
        }
    }

    private void add(boolean required, String path, String doc, JsonNode schema) {
        String[] parts = doc.split("\\s*Default: ", 2);
        String otherwise = parts.length > 1
                ? parts[1].replaceFirst("\\.$", "")
                : schema.has("default") && !schema.path("default").isEmpty()
                        ? "`" + schema.path("default").asText() + "`"
                        : schema.path("default").isValueNode()
                                ? "`" + schema.path("default").asText() + "`"
                                : "";
        rows.add(("| " + (required ? "**`" + path + "`**" : "`" + path + "`") + " | " + cell(parts[0]) + " | "
                        + cell(value(schema)) + " | " + cell(otherwise) + " |")
                .replaceAll(" +", " "));
        if (doc.isEmpty()) {
            unexplained.add(path);
        }
    }

    private static String value(JsonNode schema) {
        String description = schema.path("description")
                .asText(schema.path("items").path("description").asText());
        if (schema.has("items") && !description.isEmpty()) {
            return "a list: " + description;
        }
        if (!description.isEmpty()) {
            return description;
        }
        return schema.has("items")
                ? "a list"
                : schema.path("type").toString().contains("boolean") ? "true or false" : "";
    }

    /** The class behind a field: that of a part, or of the entries of a list. */
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
    private static String doc(Class<?> owner, String field) throws IOException {
        Class<?> top = owner;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        String source = Files.readString(SOURCES.resolve(top.getName().replace('.', '/') + ".java"));
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
            return text(accessor.group(1));
        }
        String before = source.substring(0, start.start());
        Matcher component = Pattern.compile("@param " + field + " ((?:(?!@param|\\*/).)*)", Pattern.DOTALL)
                .matcher(before.substring(Math.max(0, before.lastIndexOf("/**"))));
        if (component.find()) {
            String text = text(component.group(1));
            return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        }
        return "";
    }

    private static String text(String javadoc) {
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

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("*", "\\*").strip();
    }
}
