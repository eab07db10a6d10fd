package io.clusterwright.mpi.internal.data;

import io.clusterwright.core.internal.text.TextResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** A YAML file of this module that holds a list of rows. Every scalar is a text, as it stands there. */
public final class DataFile {
    private DataFile() {}

    /** The rows of a file that lies beside a class. */
    public static List<DataRow> read(Class<?> beside, String name) {
        return parse(TextResource.read(beside.getResourceAsStream(name), name));
    }

    /** The rows in a text. */
    public static List<DataRow> parse(String text) {
        LoaderOptions options = new LoaderOptions();
        return rows(
                new Composer(new ParserImpl(new StreamReader(text), options), new Resolver(), options).getSingleNode());
    }

    private static List<DataRow> rows(@Nullable Node list) {
        List<DataRow> rows = new ArrayList<>();
        if (list instanceof SequenceNode sequence) {
            sequence.getValue().forEach(entry -> rows.add(new DataRow((MappingNode) entry)));
        }
        return List.copyOf(rows);
    }

    private static String text(Node node) {
        return ((ScalarNode) node).getValue();
    }

    /** One row of a {@link DataFile}: values by name. */
    public static final class DataRow {
        private final MappingNode node;

        DataRow(MappingNode node) {
            this.node = node;
        }

        /**
         * A value that must be there.
         *
         * @throws IllegalStateException when it is not
         */
        public String text(String name) {
            if (!(value(name) instanceof ScalarNode scalar)) {
                throw new IllegalStateException("a row of data lacks " + name + ": " + node.getStartMark());
            }
            return scalar.getValue();
        }

        /** A value, or another when it is not there. */
        public String text(String name, String otherwise) {
            return value(name) instanceof ScalarNode scalar ? scalar.getValue() : otherwise;
        }

        /** The texts of a list; one text counts as a list of one, nothing as an empty one. */
        public List<String> texts(String name) {
            Node list = value(name);
            if (list instanceof ScalarNode scalar) {
                return List.of(scalar.getValue());
            }
            return list instanceof SequenceNode sequence
                    ? sequence.getValue().stream().map(DataFile::text).toList()
                    : List.of();
        }

        /** The rows of a nested list. */
        public List<DataRow> rows(String name) {
            return DataFile.rows(value(name));
        }

        /** The texts of a nested mapping, in the order of the file. */
        public Map<String, String> map(String name) {
            Map<String, String> map = new LinkedHashMap<>();
            if (value(name) instanceof MappingNode mapping) {
                for (NodeTuple entry : mapping.getValue()) {
                    map.put(DataFile.text(entry.getKeyNode()), DataFile.text(entry.getValueNode()));
                }
            }
            return map;
        }

        private @Nullable Node value(String name) {
            for (NodeTuple entry : node.getValue()) {
                if (DataFile.text(entry.getKeyNode()).equals(name)) {
                    return entry.getValueNode();
                }
            }
            return null;
        }
    }
}
