package io.clusterwright.core.internal.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes plain values as YAML or JSON that {@link YamlTree} reads as the same values. */
public final class SpecPrinter {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .stringQuotingChecker(new Quoting())
            .build();

    private SpecPrinter() {}

    /** The values as YAML, each name in a separate line. */
    public static String yaml(Object tree) {
        return write(YAML, tree, false);
    }

    /**
     * The values as JSON.
     *
     * @param indented true to write each name in a separate line
     */
    public static String json(Object tree, boolean indented) {
        return write(JSON, tree, indented);
    }

    private static String write(JsonFactory factory, Object tree, boolean indented) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = factory.createGenerator(text)) {
            if (indented) {
                DefaultIndenter lines = new DefaultIndenter("  ", "\n");
                generator.setPrettyPrinter(
                        new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines));
            }
            write(generator, tree);
        } catch (IOException e) {
            throw new UncheckedIOException("writing a cluster spec to memory failed", e);
        }
        return indented ? text.append('\n').toString() : text.toString();
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                write(generator, entry.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object item : list) {
                write(generator, item);
            }
            generator.writeEndArray();
        } else if (value instanceof BigDecimal decimal) {
            generator.writeNumber(decimal.toPlainString());
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value instanceof Boolean bool) {
            generator.writeBoolean(bool);
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }

    /** Leaves a text bare only where every reader of YAML 1.1 and 1.2 takes it for the same text. */
    private static final class Quoting extends StringQuotingChecker {
        private static final long serialVersionUID = 1L;
        private static final Pattern BARE = Pattern.compile("[A-Za-z./][A-Za-z0-9_./+=-]*(:[A-Za-z0-9_./+=-]+)*");
        private static final Pattern AMOUNT = Pattern.compile("(\\d+(h|m|s|ms))+|[0-9.]+/\\d+");
        private static final Pattern BARE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
        private static final Pattern NUMBER_LIKE =
                Pattern.compile("[.+-].*\\d.*|\\.(inf|nan)", Pattern.CASE_INSENSITIVE);
        private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

        @Override
        public boolean needToQuoteName(String name) {
            return !BARE_NAME.matcher(name).matches() || isWord(name) && !name.equals("on");
        }

        @Override
        public boolean needToQuoteValue(String value) {
            boolean bare = BARE.matcher(value).matches() && !isWord(value) && !isNumberLike(value);
            return !bare && !AMOUNT.matcher(value).matches();
        }

        private static boolean isWord(String text) {
            return WORDS.contains(text.toLowerCase(Locale.ROOT));
        }

        private static boolean isNumberLike(String text) {
            return !text.startsWith("./") && NUMBER_LIKE.matcher(text).matches();
        }
    }
}
