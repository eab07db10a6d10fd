package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.emulator.SharedAzure;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** What all commands share: the options, the way to the library, and the way out. */
final class Common {
    static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    boolean json;

    @Option(names = "--verbose", description = "Show where an error came from.")
    boolean verbose;

    final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** A manager of the clusters on this provider, which is not asked anything yet. */
    ClusterManager manager(On on, AzureOptions azure, SharedAzure.Want want) {
        return switch (on) {
            case LOCAL -> ClusterManager.on(new LocalMachines());
            case AZURE -> ClusterManager.on(azure.provider());
            case EMULATOR -> ClusterManager.on(new SharedAzure().provider(want));
        };
    }

    /** Who hears of progress: standard error, which a JSON consumer does not read. */
    ClusterListener progress() {
        return new ProgressPrinter();
    }

    void print(JsonNode document) {
        try {
            out.println(JSON.writeValueAsString(document));
        } catch (IOException e) {
            throw new ClusterwrightException("cannot write the result as JSON: " + e.getMessage(), e);
        }
    }

    /** Where a cluster is made. */
    enum On {
        /** Out of namespaces on this machine. */
        LOCAL,
        /** Out of virtual machines on Azure, which are billed. */
        AZURE,
        /** Out of virtual machines on an emulated Azure, which are nodes on this machine. */
        EMULATOR;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
