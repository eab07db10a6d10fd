package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares {@code docs/spec.md} with the table of fields and the Javadoc of their accessors; {@code -Dclusterwright.update=true} writes it.
 */
class SpecPageTest {
    private static final Path PAGE = Path.of("..", "docs", "spec.md");
    private static final Path RESOURCES = Path.of("src", "test", "resources");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final JsonNode TEXTS = yaml(RESOURCES.resolve(Path.of("pages", "spec.yaml")));
    private static final Path SPECS = RESOURCES.resolve(Path.of("io", "clusterwright", "core", "spec"));
    private static final JsonNode LINUX = yaml(SPECS.resolve("linux-full.yaml"));
    private static final JsonNode WINDOWS = yaml(SPECS.resolve("windows-full.yaml"));
    private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final int WIDTH = 100;
    private static final Set<String> SELF_EXPLAINING =
            Set.of("operatingSystem", "image.customize.mpi.flavour", "hpcPack.version");
    /** The longest example or default that a table shows. */
    private static final int CELL = 30;

    private static final String HEAD = """
            # The spec

            A spec describes a cluster, in YAML or JSON. The smallest spec for Azure:

            ```yaml
            name: demo
            region: westeurope
            nodes: {count: 4, size: Standard_HB120rs_v3}
            ```

            On local nodes, `name` and `nodes: {count: 4}` are enough. To check a spec, which changes nothing:

            ```
            $ clusterwright validate demo.yaml --on local
            ```

            Every other field has a default. The builders of `ClusterSpec` have the names of the fields.

            ## A large spec

            Nearly all fields for Linux, with their defaults or examples. [hpcPack](#hpcpack) is for Windows. The tables below
            have every field.

            ```yaml
            """;

    private static final String AFTER_FULL = """
            ```

            ## How to read the tables

            Each table has the fields of a section, an example and the default; an explanation of each field follows. A
            **required** field must be given when another field of its group is: `costCap.currency` with `costCap.perHour`.
            `x[].y` is a field of each entry of the list `x`. The words below a field are its allowed values, unless the field
            has "Allowed".

            """;

    private static final String EDITORS = """
            ## Completion and checks in an editor

            For VS Code with its YAML extension, IntelliJ and Neovim (YAML language server): copy the JSON Schema beside the spec,
            and name it in the first line of the spec.

            ```
            $ unzip -j clusterwright-core-*.jar META-INF/clusterwright/cluster-spec.schema.json
            ```

            ```yaml
            # yaml-language-server: $schema=./cluster-spec.schema.json
            name: demo
            region: westeurope
            nodes: {count: 8, size: Standard_HB120rs_v3}
            ```

            The schema knows names, kinds, enumerated values, ranges and defaults. `clusterwright validate` also checks rules between
            fields, the forms of names and addresses, and duplicate keys. In code, `SpecReader.schema()` returns the schema.
            """;

    @Test
    void pageIsAsGenerated() throws IOException {
        List<SpecField> fields = SpecField.all();
        String page = page(fields);
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(fields).hasSizeGreaterThan(90);
        assertThat(fields.stream().filter(field -> meaning(field).isEmpty()))
                .as("fields without Javadoc and meaning in pages/spec.yaml")
                .isEmpty();
        assertThat(fields.stream().filter(field -> example(field).isEmpty()))
                .as("fields without an example")
                .isEmpty();
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    @Test
    void specsOfThePageAreAccepted() throws IOException {
        List<String> specs = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(specs).hasSize(3).allSatisfy(spec -> SpecReader.read(spec, "demo.yaml"));
    }

    static Stream<SpecField> fields() {
        return SpecField.all().stream();
    }

    @ParameterizedTest
    @MethodSource("fields")
    void exampleAndDefaultAreAccepted(SpecField field) {
        for (String value : List.of(example(field), field.otherwise())) {
            if (!value.isEmpty()) {
                String spec = with(field, value);
                assertThatCode(() -> SpecReader.read(spec, "demo.json"))
                        .as("%s: %s", field.path(), value)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void textsAreAboutFieldsThatExist() {
        List<String> paths = fields().map(SpecField::path).toList();
        for (String part : List.of("meanings", "defaults", "examples")) {
            assertThat(names(TEXTS.path(part))).isSubsetOf(paths);
        }
    }

    private static String page(List<SpecField> fields) throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        Files.readAllLines(SPECS.resolve("linux-full.yaml")).stream()
                .skip(1)
                .map(SpecPageTest::demo)
                .forEach(line -> page.append(line).append('\n'));
        page.append(AFTER_FULL);
        Map<String, List<SpecField>> sections = new LinkedHashMap<>();
        names(TEXTS.path("sections")).forEach(name -> sections.put(name, new ArrayList<>()));
        for (SpecField field : fields) {
            String section = sections.keySet().stream()
                    .filter(name -> field.path().matches(Pattern.quote(name) + "(\\[])?\\..*"))
                    .reduce("", (longest, name) -> name.length() > longest.length() ? name : longest);
            sections.getOrDefault(section, List.of()).add(field);
        }
        sections.forEach((name, members) -> {
            page.append("## ").append(name.isEmpty() ? "The cluster" : name).append("\n\n");
            wrap(page, "", TEXTS.path("sections").path(name).asText());
            page.append('\n');
            table(page, members);
            page.append('\n');
            members.forEach(field -> {
                wrap(page, "* ", "**`" + field.path() + "`**: " + explanation(field));
                meanings(field).forEach((value, meaning) -> wrap(page, "  * ", "`" + value + "`: " + escaped(meaning)));
            });
            page.append('\n');
        });
        return page.append(EDITORS).toString();
    }

    /** A line of the full spec, whose cluster has the name that every page uses. */
    private static String demo(String line) {
        return line.replaceFirst("^name: cluster   ", "name: demo      ")
                .replaceFirst("prefix: cluster   ", "prefix: demo      ")
                .replaceAll("cluster(-rg|-vnet|1\\d)", "demo$1")
                .stripTrailing();
    }

    private static void table(StringBuilder page, List<SpecField> fields) {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("Field", "Example", "Default")));
        fields.forEach(field -> rows.add(List.of("`" + field.path() + "`", cell(example(field)), defaultCell(field))));
        int[] widths = IntStream.range(0, 3)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        rows.add(1, IntStream.of(widths).mapToObj(width -> "-".repeat(width)).toList());
        rows.forEach(row -> page.append(IntStream.range(0, 3)
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths[column] - row.get(column).length()))
                .collect(Collectors.joining(" | ", "| ", " |\n"))));
    }

    private static String cell(String value) {
        return value.length() > CELL ? "see below" : "`" + value.replace("|", "\\|") + "`";
    }

    private static String defaultCell(SpecField field) {
        if (field.required()) {
            return "**required**";
        }
        return field.otherwise().isEmpty()
                ? fallback(field).isEmpty() || fallback(field).equals("none") ? "none" : "see below"
                : cell(field.otherwise());
    }

    private static String explanation(SpecField field) {
        StringBuilder text = new StringBuilder(escaped(meaning(field)));
        String allowed = readable(field.allowed());
        if (!allowed.isEmpty() && meanings(field).isEmpty()) {
            text.append(" Allowed: ").append(escaped(allowed)).append('.');
        }
        if (field.otherwise().isEmpty()
                && !fallback(field).isEmpty()
                && !fallback(field).equals("none")) {
            text.append(" Default: ").append(fallback(field)).append('.');
        }
        if (example(field).length() > CELL) {
            text.append(" Example: `").append(example(field)).append("`.");
        }
        return text.toString();
    }

    /** The values of a field with what each means; empty where the values say it themselves, as the names of MPIs do. */
    private static Map<String, String> meanings(SpecField field) {
        return SELF_EXPLAINING.contains(field.path()) ? Map.of() : field.values();
    }

    /** Text that Markdown prints as it is; code needs no escape. */
    private static String escaped(String text) {
        return Pattern.compile("`[^`]*`|\\*")
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group().replaceFirst("^\\*$", "\\\\*")));
    }

    /** The forms that everybody knows by a name or an example. */
    private static String readable(String allowed) {
        return allowed.replaceFirst("a list of four numbers from 0 to 255.*", "a list of IPv4 addresses")
                .replaceFirst("four numbers from 0 to 255.*", "an IPv4 address")
                .replaceFirst("a list of an IPv4 network and.*", "a list of ranges such as 10.32.0.0/16")
                .replaceFirst("an IPv4 network and.*", "a range such as 10.32.0.0/16");
    }

    private static String meaning(SpecField field) {
        return TEXTS.path("meanings").path(field.path()).asText(field.meaning());
    }

    private static String fallback(SpecField field) {
        return TEXTS.path("defaults").path(field.path()).asText(field.fallback());
    }

    /** The example of the texts, of the full specs or of the schema. */
    private static String example(SpecField field) {
        JsonNode own = TEXTS.path("examples").path(field.path());
        if (!own.isMissingNode()) {
            return own.asText();
        }
        for (JsonNode spec : List.of(LINUX, WINDOWS)) {
            JsonNode value = spec.at("/" + field.path().replace("[]", "/0").replace(".", "/"));
            if (!value.isMissingNode() && !value.isEmpty() || value.isValueNode()) {
                return flow(value);
            }
        }
        return field.example();
    }

    /** A value as YAML has it on one line. */
    private static String flow(JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(SpecPageTest::flow)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(field -> field.getKey() + ": " + flow(field.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        String text = value.asText();
        boolean quoted = value.isTextual() && text.matches("[0-9.]+|@.*|true|false|.*: .*|\\*");
        return quoted ? "\"" + text + "\"" : text;
    }

    /** A spec with that value in a field, and what its groups require beside it. */
    private static String with(SpecField field, String value) {
        ObjectNode root = (field.path().startsWith("hpcPack") ? WINDOWS : LINUX).deepCopy();
        root.remove("on");
        if (field.path().equals("nodes.namePattern")) {
            ((ObjectNode) root.path("nodes")).remove(List.of("prefix", "firstIndex"));
        }
        if (field.path().equals("image.customize.ssh.acceptRange")) {
            ((ObjectNode) root.at("/image/customize/ssh")).put("hostKeys", "accept-in-range");
        }
        if (field.path().equals("hpcPack.burst.hours")) {
            ((ObjectNode) root.at("/hpcPack/burst")).put("availability", "automatic");
        }
        JsonNode group = root;
        String path = "";
        String[] steps = field.path().split("\\.", -1);
        for (int i = 0; i + 1 < steps.length; i++) {
            path += (path.isEmpty() ? "" : ".") + steps[i];
            String name = steps[i].replace("[]", "");
            boolean list = steps[i].endsWith("[]");
            boolean missing =
                    !group.path(name).isContainerNode() || group.path(name).isEmpty();
            if (missing) {
                ((ObjectNode) group)
                        .set(
                                name,
                                list
                                        ? Json.MAPPER.createArrayNode().add(Json.MAPPER.createObjectNode())
                                        : Json.MAPPER.createObjectNode());
            }
            group = list ? group.path(name).path(0) : group.path(name);
            if (missing) {
                complete((ObjectNode) group, path + ".", field);
            }
        }
        ((ObjectNode) group).set(steps[steps.length - 1], parsed(value));
        return Json.indented(root);
    }

    /** Fills a new group with the fields that its choice requires. */
    private static void complete(ObjectNode group, String path, SpecField field) {
        for (SpecField other : SpecField.all()) {
            if (other.required()
                    && other.path().startsWith(path)
                    && other.choice().equals(field.choice())) {
                String[] steps = other.path().substring(path.length()).split("\\.", -1);
                ObjectNode place = group;
                for (int i = 0; i + 1 < steps.length; i++) {
                    place = place.withObjectProperty(steps[i]);
                }
                place.set(steps[steps.length - 1], parsed(example(other)));
            }
        }
    }

    private static JsonNode parsed(String value) {
        try {
            return YAML.readTree(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode yaml(Path file) {
        try {
            return YAML.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(JsonNode group) {
        return group.properties().stream().map(Map.Entry::getKey).toList();
    }

    /** A paragraph or an entry of a list, in lines that are not wider than a terminal. */
    private static void wrap(StringBuilder page, String mark, String text) {
        StringBuilder line = new StringBuilder(mark);
        for (String word : text.split(" ", -1)) {
            if (line.length() > mark.length() && line.length() + 1 + word.length() > WIDTH) {
                page.append(line).append('\n');
                line = new StringBuilder(" ".repeat(mark.length()));
            }
            line.append(line.length() == mark.length() ? "" : " ").append(word);
        }
        page.append(line).append('\n');
    }
}
