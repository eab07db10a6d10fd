package io.clusterwright.mpi.diagnose;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Outputs among the resources of the tests. */
final class Samples {
    private Samples() {}

    static InputStream open(String name) {
        return Objects.requireNonNull(Samples.class.getResourceAsStream("failures/" + name + ".txt"), name);
    }

    static String read(String name) {
        return text("failures/" + name + ".txt");
    }

    static String text(String name) {
        try (InputStream in = Samples.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
