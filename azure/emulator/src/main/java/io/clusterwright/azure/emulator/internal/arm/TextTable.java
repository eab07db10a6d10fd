package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.internal.text.TextResource;
import java.io.IOException;
import java.io.StringReader;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The texts of refusals by their keys, from a file beside a class. */
public final class TextTable {
    private final Properties rows = new Properties();

    public TextTable(Class<?> beside, String file) {
        try {
            rows.load(new StringReader(TextResource.read(beside.getResourceAsStream(file), file)));
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    /** The text of a key, which must be there. */
    public String row(String key) {
        return Objects.requireNonNull(rows.getProperty(key), key);
    }

    /** The text with the arguments in its places {@code {}}, in their order. */
    public static String filled(String text, @Nullable Object... arguments) {
        StringBuilder filled = new StringBuilder();
        String[] parts = text.split("\\{}", -1);
        for (int i = 0; i < parts.length; i++) {
            filled.append(parts[i]).append(i < parts.length - 1 ? arguments[i] : "");
        }
        return filled.toString();
    }
}
