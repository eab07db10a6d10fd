package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SpecPrinter;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a spec from YAML or JSON, which name each field like its setter in the builder. Use it for specs that users
 * write.
 *
 * <pre>{@code
 * try {
 *     ClusterSpec spec = SpecReader.read(file);
 *     System.out.println(spec.nodes().count());
 * } catch (InvalidSpecException refused) {
 *     for (SpecProblem problem : refused.problems()) {
 *         System.out.println(problem.path() + ": " + problem.message() + "; " + problem.remedy());
 *     }
 * }
 * }</pre>
 *
 * <p>A text may have up to 1 MiB and 50 levels; all its problems are reported together.
 */
public final class SpecReader {
    private static final String NAME_A_SPEC = "name the file of a cluster spec in YAML or JSON";

    /** The place of {@link #schema()} on the class path and in the artifact. */
    public static final String SCHEMA = "META-INF/clusterwright/cluster-spec.schema.json";

    private SpecReader() {}

    /**
     * Reads a file in UTF-8; relative paths in it start at its folder.
     *
     * @throws InvalidSpecException when the file cannot be read, or with all its problems
     */
    public static ClusterSpec read(Path file) {
        Path folder = file.getParent();
        ClusterSpec spec = read(load(file), file.toString());
        return folder == null ? spec : spec.toBuilder().baseFolder(folder).build();
    }

    /**
     * Reads a text.
     *
     * @param sourceName its name in messages, such as a file name; one that ends in {@code .json} is JSON
     * @throws InvalidSpecException with all its problems
     */
    public static ClusterSpec read(String text, String sourceName) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(sourceName, "sourceName");
        Reading reading = new Reading();
        MappingNode tree = YamlTree.read(text, sourceName, reading);
        ClusterSpec spec = ClusterSpec.FIELDS.read(tree, "", reading);
        if (spec == null || reading.count() > 0) {
            throw new InvalidSpecException(
                    sourceName,
                    reading.problems().stream()
                            .sorted(Comparator.comparingInt(
                                    problem -> problem.line().orElse(0)))
                            .toList());
        }
        return spec.toBuilder().source(tree).build();
    }

    /** The problem at the place of its field in a tree. */
    static SpecProblem located(SpecProblem problem, Node tree) {
        Reading reading = new Reading();
        reading.add(problem, YamlTree.locate(tree, problem.path()));
        return reading.problems().get(0);
    }

    /**
     * Reads a stream in UTF-8 to its end, such as standard input, and leaves it open; relative paths in it start at the current folder.
     *
     * @param sourceName as in {@link #read(String, String)}
     * @throws InvalidSpecException when the stream cannot be read, or with all its problems
     */
    public static ClusterSpec read(InputStream input, String sourceName) {
        try {
            return read(text(input, sourceName), sourceName);
        } catch (IOException e) {
            throw unreadable(sourceName, e);
        }
    }

    /**
     * The JSON Schema (2020-12) of a spec as indented JSON; the same text for the same version of the library.
     *
     * <p>It lets an editor complete names and mark unknown names, wrong kinds and wrong words. It refuses nothing that the
     * reader takes; rules between fields, and the forms of values that no expression tells, are the reader's alone.
     */
    public static String schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Clusterwright cluster spec");
        schema.putAll(ClusterSpec.FIELDS.schema(false));
        Map<String, Object> overlay = new LinkedHashMap<>();
        overlay.put("description", "part of a cluster spec, for example {nodes: {count: 4}}");
        overlay.putAll(ClusterSpec.FIELDS.schema(true));
        schema.put("$defs", Schemas.of(Schemas.OVERLAY.substring("#/$defs/".length()), overlay));
        return SpecPrinter.json(schema, true);
    }

    private static String load(Path file) {
        try (InputStream input = Files.newInputStream(file)) {
            return text(input, file.toString());
        } catch (NoSuchFileException e) {
            throw unreadable(file.toString(), "there is no such file", NAME_A_SPEC);
        } catch (IOException e) {
            throw Files.isDirectory(file)
                    ? unreadable(file.toString(), "it is a folder", NAME_A_SPEC)
                    : unreadable(file.toString(), e);
        }
    }

    private static String text(InputStream input, String name) throws IOException {
        byte[] bytes = input.readNBytes(YamlTree.LONGEST + 1);
        if (bytes.length > YamlTree.LONGEST) {
            throw YamlTree.tooLong(name);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw unreadable(name, "it is not text in UTF-8", "save the file as text in UTF-8");
        }
    }

    private static InvalidSpecException unreadable(String name, IOException cause) {
        return cause instanceof AccessDeniedException
                ? unreadable(name, "permission denied", "run this as a user who may read it, or change its permissions")
                : unreadable(name, Reason.of(cause), NAME_A_SPEC);
    }

    private static InvalidSpecException unreadable(String name, String reason, String remedy) {
        return new InvalidSpecException(
                name, List.of(SpecProblem.of("", "the file cannot be read: " + reason, remedy)));
    }
}
