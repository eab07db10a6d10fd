package io.clusterwright.core.internal.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Text files inside a module. */
public final class TextResource {
    private TextResource() {}

    /**
     * The text of a resource in UTF-8.
     *
     * @param stream the resource, closed by this call; null when it does not exist. The caller's own module opens it, since another module
     *     may not look into its packages: {@code Foo.class.getResourceAsStream(name)}
     * @param name its name, for the message
     */
    public static String read(@Nullable InputStream stream, String name) {
        if (stream == null) {
            throw new IllegalStateException("resource " + name + " is missing from its module");
        }
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
