package io.clusterwright.core.internal.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads YAML or JSON into the nodes of SnakeYAML, whose marks give the line and column of every problem. */
public final class YamlTree {
    /** The most bytes and characters that a text may have. */
    public static final int LONGEST = 1 << 20;

    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int DEEPEST = 50;
    private static final String TOO_DEEP = "the text nests deeper than " + DEEPEST + " levels";
    private static final int MOST_VALUES = 20_000;
    private static final int MOST_ALIASES = 20;
    private static final int HEAVIEST_ALIAS = 1000;
    private static final int NAME_AND_VALUE = 2;
    private static final SpecProblem TOO_MANY = SpecProblem.of(
            "",
            "the text has more than " + MOST_VALUES + " values",
            "name the file of a cluster spec; a spec has a few hundred values");
    static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,9})]");

    private final String source;
    private final Reading reading;
    private final Map<Node, Integer> weights = new IdentityHashMap<>();
    private int values;
    private int aliases;

    private YamlTree(String source, Reading reading) {
        this.source = source;
        this.reading = reading;
    }

    /** The kinds of scalars. */
    public enum Kind {
        /** A text, or a word that YAML 1.1 takes for a truth value, such as {@code yes}. */
        TEXT,
        /** A number. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** {@code null}, {@code ~}, or no value. */
        NULL
    }

    /**
     * Reads a text whose outermost part has names.
     *
     * @param source the name of the file, for messages; may be empty
     * @throws InvalidSpecException when the text is neither YAML nor JSON, breaks a limit, or repeats a name
     */
    public static MappingNode read(String text, String source) {
        Reading reading = new Reading();
        MappingNode mapping = read(text, source, reading);
        if (reading.count() > 0) {
            throw new InvalidSpecException(source, reading.problems());
        }
        return mapping;
    }

    /**
     * Reads a text whose outermost part has names, and adds the names that are repeated to the problems; their first value counts.
     *
     * @param source the name of the file, for messages; may be empty
     * @throws InvalidSpecException when the text is neither YAML nor JSON, or breaks a limit
     */
    public static MappingNode read(String text, String source, Reading reading) {
        if (text.length() > LONGEST) {
            throw tooLong(source);
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        boolean named = source.endsWith(".json");
        if (named || content.stripLeading().startsWith("{")) {
            try (JsonParser parser = JSON.createParser(content)) {
                List<Node> documents = JsonNodes.read(parser);
                if (!documents.isEmpty()) {
                    return new YamlTree(source, reading).mapping(documents);
                }
            } catch (JsonProcessingException e) {
                if (named) {
                    throw refused(source, jsonProblem(e));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory failed", e);
            }
        }
        try {
            return new YamlTree(source, reading).document(content);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            SpecProblem problem = syntaxProblem("YAML", e.getProblem() == null ? "" : e.getProblem());
            throw refused(source, mark == null ? problem : problem.at(mark.getLine() + 1, mark.getColumn() + 1));
        } catch (ReaderException e) {
            throw refused(source, characterProblem(content, e.getCodePoint()));
        } catch (YAMLException e) {
            if (String.valueOf(e.getMessage()).startsWith("Nesting Depth exceeded")) {
                throw refused(source, SpecProblem.of("", TOO_DEEP, "use fewer levels of lists and maps"));
            }
            throw refused(source, syntaxProblem("YAML", String.valueOf(e.getMessage())));
        }
    }

    /** The refusal of a text that is too long to be a cluster spec. */
    public static InvalidSpecException tooLong(String source) {
        return refused(
                source,
                SpecProblem.of(
                        "",
                        "the text is longer than 1 MiB",
                        "name the file of a cluster spec; a spec has a few hundred lines"));
    }

    /** The entries of a group by their names, in the order of the text. */
    public static Map<String, NodeTuple> entries(MappingNode mapping) {
        Map<String, NodeTuple> entries = new LinkedHashMap<>();
        mapping.getValue().forEach(entry -> entries.putIfAbsent(name(entry), entry));
        return entries;
    }

    /** The value of a name, or null where the group does not have it. */
    public static @Nullable Node get(MappingNode mapping, String name) {
        for (NodeTuple entry : mapping.getValue()) {
            if (name(entry).equals(name)) {
                return entry.getValueNode();
            }
        }
        return null;
    }

    /** The kind of a scalar; {@link Kind#TEXT} for other nodes. */
    public static Kind kind(Node node) {
        if (!(node instanceof ScalarNode scalar) || !scalar.isPlain()) {
            return Kind.TEXT;
        }
        Tag tag = node.getTag();
        String text = scalar.getValue();
        if (tag.equals(Tag.NULL)) {
            return Kind.NULL;
        }
        if (tag.equals(Tag.BOOL)) {
            return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false") ? Kind.BOOLEAN : Kind.TEXT;
        }
        boolean number = tag.equals(Tag.INT) || tag.equals(Tag.FLOAT);
        // YAML 1.1 takes 10:30 for a number of base 60.
        return number && text.indexOf(':') < 0 ? Kind.NUMBER : Kind.TEXT;
    }

    /** The node in words, for a message: {@code the number 3}. */
    public static String describe(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            return node instanceof MappingNode ? "a group of names" : "a list";
        }
        return switch (kind(node)) {
            case TEXT -> "the text \"" + shorten(scalar.getValue()) + "\"";
            case NUMBER -> "the number " + shorten(scalar.getValue());
            case BOOLEAN -> "the truth value " + scalar.getValue();
            case NULL -> "nothing";
        };
    }

    /** The node at a path such as {@code nodes.count}; the group that would hold it where it is absent. */
    public static Node locate(Node root, String path) {
        Node node = root;
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            Node next = null;
            if (step.group(1) != null && node instanceof MappingNode mapping) {
                next = get(mapping, step.group(1));
            } else if (step.group(2) != null && node instanceof SequenceNode sequence) {
                int index = Integer.parseInt(step.group(2));
                next = index < sequence.getValue().size() ? sequence.getValue().get(index) : null;
            }
            if (next == null) {
                break;
            }
            node = next;
        }
        return node;
    }

    /** The text without control characters, cut to a length that suits a message. */
    public static String shorten(String text) {
        return PrintableText.of(text, 60);
    }

    private static String name(NodeTuple entry) {
        return ((ScalarNode) entry.getKeyNode()).getValue();
    }

    private MappingNode document(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(LONGEST);
        limits.setNestingDepthLimit(DEEPEST);
        limits.setMaxAliasesForCollections(MOST_VALUES);
        Composer composer = new Composer(limited(new StreamReader(text), limits), new Resolver(), limits);
        if (!composer.checkNode()) {
            throw refused(
                    source,
                    SpecProblem.of(
                                    "",
                                    "the text is empty",
                                    "write at least name and nodes (example: examples/specs/quickstart.yaml)")
                            .at(1, 1));
        }
        List<Node> documents = new ArrayList<>(List.of(composer.getNode()));
        check(documents.get(0), "", 1);
        if (composer.checkNode()) {
            documents.add(composer.getNode());
        }
        return only(documents);
    }

    private MappingNode mapping(List<Node> documents) {
        check(documents.get(0), "", 1);
        return only(documents);
    }

    private MappingNode only(List<Node> documents) {
        Node root = documents.get(0);
        if (documents.size() > 1) {
            throw stop(
                    documents.get(1),
                    "there is a second document in the text",
                    "write each cluster into a separate file");
        }
        if (!(root instanceof MappingNode mapping)) {
            throw stop(
                    root,
                    "found " + describe(root) + ", expected the fields of a cluster spec",
                    "start with a line such as name: cluster");
        }
        return mapping;
    }

    /** A parser that stops where there are surely too many values, before all of them are in memory. */
    private ParserImpl limited(StreamReader text, LoaderOptions limits) {
        return new ParserImpl(text, limits) {
            private int nodes;

            @Override
            public Event getEvent() {
                Event event = super.getEvent();
                if (event instanceof NodeEvent && ++nodes > NAME_AND_VALUE * MOST_VALUES) {
                    Mark mark = event.getStartMark();
                    throw refused(source, TOO_MANY.at(mark.getLine() + 1, mark.getColumn() + 1));
                }
                return event;
            }
        };
    }

    /** Checks the limits and that no name is repeated. Returns the number of values that the node stands for. */
    private int check(Node node, String path, int depth) {
        if (depth > DEEPEST) {
            throw stop(node, TOO_DEEP, "use fewer levels of lists and maps");
        }
        values++;
        if (values > MOST_VALUES) {
            throw stop(node, TOO_MANY.message(), TOO_MANY.remedy());
        }
        Integer known = weights.get(node);
        if (known != null && !(node instanceof ScalarNode)) {
            aliases++;
            if (known == 0) {
                throw stop(
                        node, "an alias makes a list or group contain itself", "write the value instead of the alias");
            }
            if (aliases > MOST_ALIASES || known > HEAVIEST_ALIAS) {
                throw stop(
                        node,
                        "the text has more than " + MOST_ALIASES + " aliases, or an alias for more than "
                                + HEAVIEST_ALIAS + " values",
                        "write the values instead of the aliases");
            }
            return known;
        }
        weights.put(node, 0);
        int weight = 1;
        if (node instanceof MappingNode mapping) {
            weight += checkEntries(mapping, path, depth);
        } else if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                weight += check(sequence.getValue().get(i), path + "[" + i + "]", depth + 1);
            }
        } else if (node.getTag().equals(Tag.BINARY)) {
            throw stop(node, "binary values have no place in a cluster spec", "write it as text");
        }
        weights.put(node, weight);
        return weight;
    }

    private int checkEntries(MappingNode mapping, String path, int depth) {
        int weight = 0;
        Map<String, Node> earlier = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            Node key = entry.getKeyNode();
            if (!(key instanceof ScalarNode scalar)) {
                throw stop(key, "found " + describe(key) + ", expected the name of a field", "write the name as text");
            }
            String name = scalar.getValue();
            String inner = path.isEmpty() ? name : path + "." + name;
            weight += check(entry.getValueNode(), inner, depth + 1);
            Node first = earlier.putIfAbsent(name, key);
            if (first != null) {
                int line = first.getStartMark().getLine();
                String place = line == key.getStartMark().getLine() ? "in the same line" : "in line " + (line + 1);
                String message = "field " + shorten(name) + " is written twice, first " + place;
                reading.add(
                        SpecProblem.of(shorten(inner), message, "remove one of the two")
                                .withCode(SpecProblem.TWICE),
                        key);
            }
        }
        return weight;
    }

    private InvalidSpecException stop(Node at, String message, String remedy) {
        reading.report(at, "", message, remedy);
        return new InvalidSpecException(source, reading.problems());
    }

    private static SpecProblem jsonProblem(JsonProcessingException refusal) {
        JsonLocation at = refusal.getLocation();
        SpecProblem problem = syntaxProblem("JSON", refusal.getOriginalMessage());
        return at == null ? problem : problem.at(Math.max(0, at.getLineNr()), Math.max(0, at.getColumnNr()));
    }

    /** The problem of a character that YAML does not allow; the reader counts its place from the part that it reads. */
    private static SpecProblem characterProblem(String text, int character) {
        String before = text.substring(0, Math.max(0, text.indexOf(character)));
        int line = (int) before.chars().filter(letter -> letter == '\n').count() + 1;
        String start = before.substring(before.lastIndexOf('\n') + 1);
        return SpecProblem.of(
                        "",
                        String.format(
                                Locale.ROOT,
                                "the text is not valid YAML: it has the character U+%04X, which YAML does not allow",
                                character),
                        "remove the character at this place")
                .at(line, start.codePointCount(0, start.length()) + 1);
    }

    private static SpecProblem syntaxProblem(String language, String message) {
        String reason = message.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining(", "));
        return SpecProblem.of(
                "",
                "the text is not valid " + language + ": "
                        + (reason.isEmpty() ? "it cannot be parsed" : PrintableText.of(reason, 200)),
                "correct the text at this place; write a value with special characters in quotes");
    }

    private static InvalidSpecException refused(String source, SpecProblem problem) {
        return new InvalidSpecException(source, List.of(problem));
    }
}
