package io.clusterwright.core.internal.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads YAML or JSON into a tree that knows where each part stands, within limits that keep it quick. */
public final class TreeReader {
    /** The longest text that is read, in characters. */
    public static final int LONGEST_TEXT = 1 << 20;

    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final YAMLFactory YAML = YAMLFactory.builder().build();
    private static final int DEEPEST = 50;
    private static final int MOST_VALUES = 20_000;
    private static final int MOST_ALIASES = 20;
    private static final int HEAVIEST_ALIAS = 1000;

    private final JsonParser parser;
    private final String source;
    private final Reading reading = new Reading();
    private final Map<String, SourceNode> anchors = new HashMap<>();
    private int values;
    private int aliases;

    private TreeReader(JsonParser parser, String source) {
        this.parser = parser;
        this.source = source;
    }

    /**
     * Reads a text whose outermost part has names.
     *
     * @param source the name of the file, for messages; may be empty
     * @throws InvalidSpecException when the text is neither YAML nor JSON, breaks a limit, or repeats a name
     */
    public static SourceNode.Mapping read(String text, String source) {
        if (text.length() > LONGEST_TEXT) {
            throw tooLong(source);
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        boolean named = source.endsWith(".json");
        if (named || content.stripLeading().startsWith("{")) {
            try {
                return read(JSON, content, source);
            } catch (SyntaxException e) {
                if (named) {
                    throw refused(source, e, "JSON");
                }
            }
        }
        try {
            return read(YAML, content, source);
        } catch (SyntaxException e) {
            throw refused(source, e, "YAML");
        }
    }

    /** The refusal of a text that is too long to be a description. */
    public static InvalidSpecException tooLong(String source) {
        return refused(
                source,
                SpecProblem.of(
                        "",
                        "the text is longer than 1 MiB, which no cluster spec needs to be",
                        "give a cluster spec, which is a few hundred lines at most"));
    }

    private static SourceNode.Mapping read(JsonFactory factory, String text, String source) throws SyntaxException {
        try (JsonParser parser = factory.createParser(text)) {
            return new TreeReader(parser, source).document();
        } catch (InvalidSpecException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new SyntaxException(e);
        }
    }

    private SourceNode.Mapping document() throws IOException {
        if (parser.nextToken() == null) {
            throw stop(Location.at(1, 1), "the text is empty", "write at least name, region and nodes");
        }
        SourceNode root = node("", 1);
        if (parser.nextToken() != null) {
            throw stop(here(), "there is a second document in the text", "give each cluster a file of its own");
        }
        if (!(root instanceof SourceNode.Mapping mapping)) {
            throw stop(
                    root.at(),
                    "found " + root.found() + " where the names of a cluster spec belong",
                    "start with a line such as name: cluster");
        }
        if (reading.count() > 0) {
            throw new InvalidSpecException(source, reading.problems());
        }
        return mapping;
    }

    private SourceNode node(String path, int depth) throws IOException {
        Location at = here();
        if (depth > DEEPEST) {
            throw stop(at, "the text nests deeper than " + DEEPEST + " levels", "nest less");
        }
        values++;
        if (values > MOST_VALUES) {
            throw stop(
                    at,
                    "the text has more than " + MOST_VALUES + " values",
                    "give a cluster spec, which has a few hundred");
        }
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            return alias(parser.getText(), at);
        }
        String anchor = parser.canReadObjectId() ? (String) parser.getObjectId() : null;
        JsonToken token = parser.currentToken();
        SourceNode node = switch (token) {
            case START_OBJECT -> mapping(path, at, depth);
            case START_ARRAY -> sequence(path, at, depth);
            case VALUE_STRING -> scalar(isNothing() ? SourceNode.Kind.NULL : SourceNode.Kind.TEXT, at);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(SourceNode.Kind.NUMBER, at);
            case VALUE_TRUE, VALUE_FALSE -> scalar(SourceNode.Kind.BOOLEAN, at);
            case VALUE_NULL -> new SourceNode.Scalar(SourceNode.Kind.NULL, "null", at);
            default -> throw stop(at, "binary values have no place in a cluster spec", "write it as text");
        };
        if (anchor != null) {
            anchors.put(anchor, node);
        }
        return node;
    }

    private SourceNode scalar(SourceNode.Kind kind, Location at) throws IOException {
        String text = parser.getText();
        boolean plain = kind != SourceNode.Kind.BOOLEAN || isTrueOrFalse(text);
        return new SourceNode.Scalar(plain ? kind : SourceNode.Kind.TEXT, text, at);
    }

    /** Whether not even quotes stand where a value could. */
    private boolean isNothing() throws IOException {
        return parser instanceof YAMLParser
                && parser.getText().isEmpty()
                && parser.currentLocation().getCharOffset()
                        == parser.currentTokenLocation().getCharOffset();
    }

    /** YAML 1.1 takes {@code yes}, {@code no}, {@code on} and {@code off} for truth values, too; here they are words. */
    private static boolean isTrueOrFalse(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private SourceNode mapping(String path, Location at, int depth) throws IOException {
        Map<String, SourceNode.Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Location key = here();
            parser.nextToken();
            String inner = path.isEmpty() ? name : path + "." + name;
            SourceNode value = node(inner, depth + 1);
            SourceNode.@Nullable Entry earlier = entries.putIfAbsent(name, new SourceNode.Entry(key, value));
            if (earlier != null) {
                String first = earlier.key().line() == key.line()
                        ? "in the same line"
                        : "in line " + earlier.key().line();
                reading.report(
                        key,
                        Messages.shorten(inner),
                        Messages.shorten(name) + " is given twice, first " + first,
                        "keep one of them");
            }
        }
        return new SourceNode.Mapping(entries, at);
    }

    private SourceNode sequence(String path, Location at, int depth) throws IOException {
        List<SourceNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(path + "[" + items.size() + "]", depth + 1));
        }
        return new SourceNode.Sequence(items, at);
    }

    private SourceNode alias(String name, Location at) {
        SourceNode target = anchors.get(name);
        if (target == null) {
            throw stop(
                    at,
                    "*" + Messages.shorten(name) + " names no group and no list that stands before it",
                    "write the value out");
        }
        aliases++;
        if (aliases > MOST_ALIASES || target.weight() > HEAVIEST_ALIAS) {
            throw stop(
                    at,
                    "the text has more than " + MOST_ALIASES + " aliases, or one that stands for more than "
                            + HEAVIEST_ALIAS + " values",
                    "write the values out");
        }
        return target;
    }

    private Location here() {
        JsonLocation location = parser.currentTokenLocation();
        return Location.at(Math.max(0, location.getLineNr()), Math.max(0, location.getColumnNr()));
    }

    private InvalidSpecException stop(Location at, String message, String remedy) {
        reading.report(at, "", message, remedy);
        return new InvalidSpecException(source, reading.problems());
    }

    private static InvalidSpecException refused(String source, SpecProblem problem) {
        return new InvalidSpecException(source, List.of(problem));
    }

    private static InvalidSpecException refused(String source, SyntaxException failure, String language) {
        return refused(
                source,
                SpecProblem.of(
                                "",
                                "the text is not valid " + language + ": " + failure.reason(),
                                "correct the text at this place; a value with special characters goes in quotes")
                        .at(failure.line(), failure.column()));
    }

    /** The text is not of the language it was read as. */
    private static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1L;

        SyntaxException(Exception cause) {
            super(cause);
        }

        private @Nullable JsonLocation location() {
            return getCause() instanceof JsonProcessingException failure ? failure.getLocation() : null;
        }

        int line() {
            JsonLocation location = location();
            return location == null ? 0 : Math.max(0, location.getLineNr());
        }

        int column() {
            JsonLocation location = location();
            return location == null ? 0 : Math.max(0, location.getColumnNr());
        }

        /** What the parser says, without the lines that show the place. */
        String reason() {
            String message = getCause() instanceof JsonProcessingException failure ? failure.getOriginalMessage() : "";
            String reason = message.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith(" "))
                    .collect(Collectors.joining(", "));
            return reason.isEmpty() ? "it cannot be parsed" : Messages.shorten(reason, 200);
        }
    }
}
