package io.clusterwright.core.internal.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** The mappers of all modules. Safe for use by several threads; no one configures them further. */
public final class Json {
    /** Reads and writes JSON trees on one line. */
    public static final ObjectMapper MAPPER = new ObjectMapper();

    /** Reads JSON as people write it: with comments, names without quotes, texts in single quotes or over several lines, and a last comma. */
    public static final ObjectMapper RELAXED = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build();

    private static final ObjectMapper INDENTED = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /** The mapper of YAML trees; loaded on first use. */
    public static ObjectMapper yaml() {
        return Yaml.MAPPER;
    }

    /** A new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** The text of a tree or a plain value on one line. */
    public static String write(Object tree) {
        return write(MAPPER, tree);
    }

    /** The text of a tree or a plain value, indented by two spaces, with {@code \n} between lines and none at the end. */
    public static String indented(Object value) {
        return write(INDENTED, value).replace(System.lineSeparator(), "\n");
    }

    private static String write(ObjectMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree could not be written", e);
        }
    }

    private static final class Yaml {
        static final ObjectMapper MAPPER = new YAMLMapper();
    }
}
