package io.clusterwright.mpi.internal.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.TextResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML file of this module that holds a list of rows. */
public final class DataFile {
    private DataFile() {}

    /** The rows of a file that lies beside a class. */
    public static List<DataRow> read(Class<?> beside, String name) {
        return parse(TextResource.read(beside.getResourceAsStream(name), name));
    }

    /** The rows in a text. */
    public static List<DataRow> parse(String text) {
        List<DataRow> rows = new ArrayList<>();
        try {
            for (JsonNode row : Json.yaml().readTree(text)) {
                rows.add(new DataRow(row));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a data file is no YAML: " + text, e);
        }
        return List.copyOf(rows);
    }

    /** One row of a {@link DataFile}: values by name. */
    public static final class DataRow {
        private final JsonNode node;

        DataRow(JsonNode node) {
            this.node = node;
        }

        /**
         * A value that must be there.
         *
         * @throws IllegalStateException when it is not
         */
        public String text(String name) {
            if (!node.hasNonNull(name)) {
                throw new IllegalStateException("a row of data lacks " + name + ": " + node);
            }
            return node.path(name).asText();
        }

        /** A value, or another when it is not there. */
        public String text(String name, String otherwise) {
            return node.hasNonNull(name) ? node.path(name).asText() : otherwise;
        }

        /** The texts of a list; one text counts as a list of one, nothing as an empty one. */
        public List<String> texts(String name) {
            JsonNode list = node.path(name);
            List<String> texts = new ArrayList<>();
            if (list.isTextual()) {
                texts.add(list.asText());
            }
            list.forEach(entry -> texts.add(entry.asText()));
            return List.copyOf(texts);
        }

        /** The rows of a nested list. */
        public List<DataRow> rows(String name) {
            List<DataRow> rows = new ArrayList<>();
            node.path(name).forEach(entry -> rows.add(new DataRow(entry)));
            return List.copyOf(rows);
        }

        /** The texts of a nested mapping, in the order of the file. */
        public Map<String, String> map(String name) {
            Map<String, String> map = new LinkedHashMap<>();
            node.path(name)
                    .properties()
                    .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
            return map;
        }
    }
}
