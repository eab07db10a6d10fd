package io.clusterwright.examples.cli;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Text files that a command reads and writes. */
final class Inputs {
    private static final int LONGEST = 64 * 1024 * 1024;

    private Inputs() {}

    /** The text of a file, or of standard input for {@code -}; bytes that are not UTF-8 are replaced. */
    static String read(String file) {
        try {
            byte[] bytes = file.equals("-") ? System.in.readNBytes(LONGEST + 1) : bytes(Path.of(file));
            if (bytes.length > LONGEST) {
                throw new RefusedException(file + " is larger than 64 MiB; give only the output of the benchmark");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new RefusedException("there is no file " + file + "; - reads standard input");
        } catch (IOException e) {
            throw new RefusedException("cannot read " + file + ": " + e);
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            return input.readNBytes(LONGEST + 1);
        }
    }

    /** Writes a file of text, replacing it. */
    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot write " + file + ": " + e + "; name a file in a folder that exists", e);
        }
    }
}
