package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.emulator.SharedAzure;
import io.clusterwright.linux.local.LocalMachines;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options of every command, and the manager and the output that they lead to. */
final class CommonOptions {
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
