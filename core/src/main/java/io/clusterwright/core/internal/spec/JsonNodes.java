package io.clusterwright.core.internal.spec;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The nodes of a text in JSON. YAML does not take every JSON: it has no escape {@code \/}, and a name ends in the line of its colon. */
final class JsonNodes {
    private static final int[] NO_TEXT = {};

    private final JsonParser parser;

    private JsonNodes(JsonParser parser) {
        this.parser = parser;
    }

    /** The values of a text, one after another, without limits beyond the parser's. */
    static List<Node> read(JsonParser parser) throws IOException {
        JsonNodes reader = new JsonNodes(parser);
        List<Node> documents = new ArrayList<>();
        while (parser.nextToken() != null) {
            documents.add(reader.node());
        }
        return documents;
    }

    private Node node() throws IOException {
        JsonToken token = parser.currentToken();
        Mark start = mark();
        return switch (token) {
            case START_OBJECT -> new MappingNode(Tag.MAP, true, entries(), start, mark(), FlowStyle.FLOW);
            case START_ARRAY -> new SequenceNode(Tag.SEQ, true, items(), start, mark(), FlowStyle.FLOW);
            case VALUE_NUMBER_INT -> scalar(Tag.INT, ScalarStyle.PLAIN);
            case VALUE_NUMBER_FLOAT -> scalar(Tag.FLOAT, ScalarStyle.PLAIN);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Tag.BOOL, ScalarStyle.PLAIN);
            case VALUE_NULL -> scalar(Tag.NULL, ScalarStyle.PLAIN);
            default -> scalar(Tag.STR, ScalarStyle.DOUBLE_QUOTED);
        };
    }

    private List<NodeTuple> entries() throws IOException {
        List<NodeTuple> entries = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Node name = scalar(Tag.STR, ScalarStyle.DOUBLE_QUOTED);
            parser.nextToken();
            entries.add(new NodeTuple(name, node()));
        }
        return entries;
    }

    private List<Node> items() throws IOException {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return items;
    }

    private ScalarNode scalar(Tag tag, ScalarStyle style) throws IOException {
        return new ScalarNode(tag, true, parser.getText(), mark(), mark(), style);
    }

    private Mark mark() {
        JsonLocation place = parser.currentTokenLocation();
        return new Mark("", 0, place.getLineNr() - 1, place.getColumnNr() - 1, NO_TEXT, 0);
    }
}
