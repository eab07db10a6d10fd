package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options of every command, with its input, its output and its manager. */
final class CommonOptions {
    private static final int LONGEST = 64 * 1024 * 1024;

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    boolean json;

    @Option(names = "--verbose", description = "Print the stack trace of an error.")
    boolean verbose;

    final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** A manager of the clusters on this provider; it connects on first use. */
    ClusterManager manager(Provider provider, AzureOptions azure, SharedAzure.Want want) {
        return switch (provider) {
            case LOCAL -> ClusterManager.on(LocalMachines.create());
            case AZURE -> ClusterManager.on(azure.provider());
            case EMULATOR -> ClusterManager.on(new SharedAzure().provider(want));
        };
    }

    /** A printer of progress to standard error, which a JSON consumer does not read. */
    ProgressPrinter progress() {
        return new ProgressPrinter();
    }

    /** Prints a JSON document to standard output. */
    void print(JsonNode document) {
        out.println(Json.indented(document));
    }

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

    /** The values of {@code --on}. */
    enum Provider {
        /** Namespaces on this machine. */
        LOCAL,
        /** Virtual machines on Azure, which are billed. */
        AZURE,
        /** Virtual machines on an emulated Azure, which are nodes on this machine. */
        EMULATOR;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
