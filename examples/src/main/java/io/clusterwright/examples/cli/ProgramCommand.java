package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.AzureOptions;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** A command of the program: the options of all commands, and their input, output and managers. */
abstract class ProgramCommand implements Callable<Integer> {
    private static final int COLUMNS = 80;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);
    private static final Path LOCAL_CLUSTERS = Path.of("/run/clusterwright");

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    boolean json;

    @Option(names = "--verbose", description = "Print the stack trace of an error.")
    boolean verbose;

    final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** A manager of the clusters on this provider; it connects on first use. */
    static ClusterManager manager(Provider provider, AzureOptions azure, SharedAzure.Want want) {
        return switch (provider) {
            case LOCAL -> ClusterManager.on(LocalMachines.create());
            case AZURE -> ClusterManager.on(azure.provider());
            case EMULATOR -> ClusterManager.on(new SharedAzure().provider(want));
        };
    }

    /** The manager that has the cluster; refuses where no provider has it, listing the clusters that exist. */
    static ClusterManager managerOf(ClusterName name, AzureOptions azure) {
        List<String> known = new ArrayList<>();
        for (Provider on : Provider.values()) {
            ClusterManager manager = manager(on, azure, SharedAzure.Want.USE);
            List<ClusterName> names =
                    manager.list().stream().map(ClusterSummary::name).toList();
            if (names.contains(name)) {
                return manager;
            }
            manager.close();
            names.forEach(each -> known.add(each.value()));
        }
        throw new RefusedException("no cluster is named " + name + ": "
                + (known.isEmpty()
                        ? "there is none; create one first" + othersHint()
                        : "there is " + String.join(", ", known)));
    }

    /** The providers where clusters are looked for without a record: Azure only where the command line names a part of it. */
    static List<Provider> reachable(AzureOptions azure) {
        return azure.given() ? List.of(Provider.values()) : List.of(Provider.LOCAL, Provider.EMULATOR);
    }

    /** Makes or changes a cluster, shows it, and returns the exit status by its checks. */
    final int change(ClusterManager manager, Function<ClusterListener, Cluster> work) {
        ProgressPrinter progress = new ProgressPrinter();
        try (Cluster cluster = work.apply(progress)) {
            show(manager, cluster.name());
        }
        return ExitCodes.ofVerdict(progress.checksPassed());
    }

    /** Prints the record of a cluster with the current states of its machines, as text or JSON. */
    final void show(ClusterManager manager, ClusterName name) {
        ClusterSummary summary = manager.list().stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("cluster " + name + " is no longer in the state store"));
        Map<NodeName, MachineState> states = manager.states(name);
        Function<NodeName, String> state =
                node -> states.getOrDefault(node, MachineState.ABSENT).name().toLowerCase(Locale.ROOT);
        if (json) {
            ObjectNode document = ResultJson.cluster(summary);
            document.withArray("nodes")
                    .forEach(node -> ((ObjectNode) node)
                            .put(
                                    "state",
                                    state.apply(NodeName.of(node.path("name").asText()))));
            print(document);
            return;
        }
        out.println(header(summary, states));
        summary.damage().ifPresent(damage -> out.println("damaged: " + damage));
        summary.expires().ifPresent(time -> out.println("expires " + local(time)));
        int names = width(summary, node -> node.name().value());
        int addresses = width(summary, node -> node.address().toString());
        int words = width(summary, node -> state.apply(node.name()));
        for (Node node : summary.nodes()) {
            String line = String.format(
                    "  %-" + names + "s %-" + addresses + "s %-" + words + "s",
                    node.name(),
                    node.address(),
                    state.apply(node.name()));
            String key = node.hostKey().fingerprint();
            out.println(line + (line.length() + key.length() < COLUMNS ? " " : "\n      ") + key);
        }
    }

    private static String header(ClusterSummary summary, Map<NodeName, MachineState> states) {
        String created =
                summary.created().map(time -> ", created " + local(time)).orElse("");
        List<NodeName> asleep = summary.phase() != ClusterSummary.ClusterPhase.READY
                ? List.of()
                : summary.nodes().stream()
                        .map(Node::name)
                        .filter(node -> states.get(node) != MachineState.RUNNING)
                        .toList();
        String phase = summary.phase() + (asleep.isEmpty() ? "" : ", but " + NodeSet.fold(asleep) + " not running");
        return summary.name() + " on " + summary.provider() + ", " + phase + created;
    }

    private static int width(ClusterSummary summary, Function<Node, String> cell) {
        return summary.nodes().stream()
                .mapToInt(node -> cell.apply(node).length())
                .max()
                .orElse(1);
    }

    /** A time in the zone of this machine, in seconds. */
    static String local(Instant time) {
        return TIME.format(time.atZone(ZoneId.systemDefault()));
    }

    /** The clusters of other users on this machine, as a clause for a message: empty where none is seen. */
    static String othersHint() {
        return Files.exists(LOCAL_CLUSTERS) && !Files.isWritable(LOCAL_CLUSTERS)
                ? "; other users have clusters on this machine: run this as their owner, for example with sudo"
                : "";
    }

    /** Prints a JSON document to standard output. */
    final void print(JsonNode document) {
        out.println(Json.indented(document));
    }

    /** Prints values one by one as text, or all as one JSON array. */
    final <T> void print(Collection<T> values, Function<T, JsonNode> form, Consumer<T> text) {
        if (json) {
            print(ResultJson.array(values, form));
        } else {
            values.forEach(text);
        }
    }

    /** Reads a file, or standard input for {@code -}. */
    static <T> T read(String file, Input<T> input) {
        try {
            if (file.equals("-")) {
                return input.read(System.in);
            }
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                return input.read(in);
            }
        } catch (NoSuchFileException e) {
            throw new RefusedException("there is no file " + file + "; - reads standard input");
        } catch (IOException e) {
            throw new RefusedException(
                    "cannot read " + (file.equals("-") ? "standard input" : file) + ": " + Reason.of(e));
        }
    }

    /** Writes a file of text, replacing it. */
    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot write " + file + ": " + Reason.of(e) + "; name a file in a folder that exists", e);
        }
    }

    /** Reads a stream. */
    interface Input<T> {
        T read(InputStream in) throws IOException;
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
