package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that were read by people once and must stay as they are to the byte. */
public final class Golden {
    private Golden() {}

    static String read(String name) {
        try (InputStream stream = Golden.class.getResourceAsStream("/golden/" + name)) {
            assertThat(stream).as("golden file " + name).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void check(String name, String actual) {
        assertThat(actual).as("golden file " + name).isEqualTo(read(name));
    }
}
