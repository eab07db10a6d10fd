package io.clusterwright.mpi.internal.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Outputs among the resources of the tests. */
final class FailureSamples {
    private FailureSamples() {}

    static InputStream open(String name) {
        return Objects.requireNonNull(FailureSamples.class.getResourceAsStream("failures/" + name + ".txt"), name);
    }

    static String read(String name) {
        return text("failures/" + name + ".txt");
    }

    static String text(String name) {
        try (InputStream in = FailureSamples.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
