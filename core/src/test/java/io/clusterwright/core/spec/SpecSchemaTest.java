package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema takes what the reader takes, and refuses what the reader refuses for its structure. */
class SpecSchemaTest {
    private static final Path PUBLISHED = Path.of("src/main/resources").resolve(SpecReader.SCHEMA);
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Schema SCHEMA = REGISTRY.getSchema(SpecReader.schema());
    private static final String MINIMAL = "name: c\nregion: westus\nnodes: {count: 8, size: Standard_A9}\n";

    private static List<Error> errors(JsonNode spec) {
        return SCHEMA.validate(spec);
    }

    @Test
    void publishedSchemaMatchesTheTables() throws IOException {
        if (Boolean.getBoolean("schema.write")) {
            Files.createDirectories(PUBLISHED.getParent());
            Files.writeString(PUBLISHED, SpecReader.schema());
        }
        try (InputStream published = SpecReader.class.getClassLoader().getResourceAsStream(SpecReader.SCHEMA)) {
            assertThat(published)
                    .as("run the test once with -Dschema.write=true")
                    .isNotNull();
            assertThat(Files.readString(PUBLISHED))
                    .as("run the test with -Dschema.write=true and commit the file")
                    .isEqualTo(SpecReader.schema());
        }
    }

    @Test
    void isAValidSchemaOfItsDraft() throws IOException {
        JsonNode schema = JSON.readTree(SpecReader.schema());
        Schema draft = REGISTRY.getSchema(
                com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        assertThat(draft.validate(schema)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void schemaAndReaderAcceptEveryExample(Path example) throws IOException {
        SpecReader.read(example);
        assertThat(errors(YAML.readTree(Files.readString(example)))).isEmpty();
    }

    private static Stream<Path> examples() throws IOException {
        List<Path> folders = List.of(
                Path.of("../examples/specs"),
                Path.of("../examples/lammps"),
                Path.of("src/test/resources/io/clusterwright/core/spec"),
                Path.of("src/test/resources/lessons"));
        List<Path> examples = new java.util.ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".yaml"))
                        .filter(file -> !file.endsWith("name-typo.yaml"))
                        .filter(SpecSchemaTest::canBeRead)
                        .sorted()
                        .forEach(examples::add);
            }
        }
        assertThat(examples).hasSizeGreaterThan(20);
        return examples.stream();
    }

    /** Some lessons are of what cannot be read; they say so by their code. */
    private static boolean canBeRead(Path example) {
        try {
            return !Files.readString(example).contains("| CW-READ-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void schemaAcceptsEverySpec() throws IOException {
        for (long seed = 1; seed <= 500; seed++) {
            ClusterSpec spec = new SpecGenerator(seed).next();
            assertThat(errors(JSON.readTree(spec.toJson()))).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tags:",
                "headNode: {size: A9, index:}",
                "on: {local: {nodes: {count: 4}, headNode:}}",
                "on: {azure: {image: {customize: {updates: {install: none}}}}}",
                "image: {customize: {mpi: {flavour: mpich, version: 4.1}}}",
                "nodes: {count: 100000, size: A9}",
                "hpcPack: {version: 2016}",
                "image: {customize: {mpi: {flavour: mpich, install: distribution}}}",
            })
    void whatTheReaderTakesTheSchemaTakes(String more) throws IOException {
        String text = with(more);
        SpecReader.read(text, "s.yaml");
        assertThat(errors(YAML.readTree(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "regoin: x",
                "costCap: {currency: EUR}",
                "headNode: {size: A9, index: \"10\"}",
                "headNode: {size: A9, index: -1}",
                "nodes: {count: 0, size: A9}",
                "nodes: {count: 100001, size: A9}",
                "nodes: {size: A9}",
                "nodes: {count: 1, size: A9, siez: A9}",
                "nodes:",
                "operatingSystem: Linux",
                "scheduler: pbs",
                "timeToLive: 8",
                "timeToLive: 8 hours",
                "timeToLive: \"\"",
                "region: West US",
                "network: 10.0.0.0/16",
                "suppress: CW-NET-001",
                "suppress: [a b]",
                "tags: [a]",
                "tags: {a: [b]}",
                "image: {capture: \"true\"}",
                "image: {customize: {packages: [a, -x]}}",
                "image: {customize: {packages: [a, null]}}",
                "image: {customize: {mpi: {flavour: mpich, install: distro}}}",
                "image: {customize: {mpi: {flavour: mpich, install: {archive: a.tgz}}}}",
                "login: {password: hunter2}",
                "login: {password: {secret: hunter2}}",
                "login: {password: {secret: \"env:A\", other: b}}",
                "costCap: {currency: euro, perHour: 1}",
                "costCap: {currency: EUR, perHour: 0}",
                "verify: {maxLatency: {micros: 0}}",
                "verify: {minBandwidth: {gbps: 2000000000}}",
                "on: {local: {nodes: {count: many}}}",
                "on: {local: {nodse: {count: 4}}}",
                "on: {local: {extensions: [{nmae: a}]}}",
            })
    void whatTheStructureForbidsIsRefusedByBoth(String more) throws IOException {
        String text = with(more);
        assertThatThrownBy(() -> SpecReader.read(text, "s.yaml")).isInstanceOf(InvalidSpecException.class);
        assertThat(errors(YAML.readTree(text))).isNotEmpty();
    }

    @Test
    void schemaRefusesUnknownNamesAnywhere() throws IOException {
        String full = Files.readString(Path.of("src/test/resources/io/clusterwright/core/spec/linux-full.yaml"));
        for (String group : List.of("", "/nodes", "/network/subnet", "/image/customize/ssh", "/verify", "/login")) {
            JsonNode spec = YAML.readTree(full);
            JsonNode inner = spec.at(group);
            assertThat(inner.isObject()).as(group).isTrue();
            ((com.fasterxml.jackson.databind.node.ObjectNode) inner).put("unheardOf", 1);
            assertThat(errors(spec)).as(group).isNotEmpty();
            byte[] text = JSON.writeValueAsBytes(spec);
            assertThatThrownBy(() -> SpecReader.read(new String(text, StandardCharsets.UTF_8), "s.json"))
                    .hasMessageContaining("unheardOf");
        }
    }

    @Test
    void rangesAreThoseOfTheFields() throws IOException {
        JsonNode properties = JSON.readTree(SpecReader.schema()).path("properties");
        JsonNode count = properties.at("/nodes/properties/count");
        assertThat(count.path("minimum").asInt()).isEqualTo(1);
        assertThat(count.path("maximum").asInt()).isEqualTo(100_000);
        assertThat(properties.at("/nodes/properties/deadline/default").asText()).isEqualTo("20m");
    }

    private static String with(String more) {
        return more.startsWith("nodes") || more.startsWith("region")
                ? MINIMAL.replaceFirst("(?m)^" + more.substring(0, more.indexOf(':')) + ":.*$", "") + more + "\n"
                : MINIMAL + more + "\n";
    }
}
