package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

    private boolean printed;

    final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** A manager of the clusters on this provider; it connects on first use. */
    static ClusterManager manager(Provider provider, AzureOptions azure, SharedAzure.Want want) {
        return ClusterManager.on(
                switch (provider) {
                    case LOCAL -> LocalMachines.create();
                    case AZURE -> azure.provider();
                    case EMULATOR -> new SharedAzure().provider(want);
                });
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
        throw new RefusedException("there is no cluster " + name + "; "
                + (known.isEmpty()
                        ? "no cluster was created yet" + othersHint()
                        : "the clusters are " + String.join(", ", known)));
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

    /** Prints the record of a cluster with the current states of its machines, as text or JSON; returns the exit status. */
    final int show(ClusterManager manager, ClusterName name) {
        ClusterSummary summary = manager.list().stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("cluster " + name + " is no longer in the state folder"));
        Map<NodeName, MachineState> states = manager.states(name);
        Function<Node, String> state =
                node -> PrintableText.word(states.getOrDefault(node.name(), MachineState.ABSENT));
        return print(
                () -> JsonFields.of(summary)
                        .and(
                                "nodes",
                                JsonFields.list(
                                        summary.nodes(),
                                        node -> JsonFields.of(node).and("state", state.apply(node)))),
                () -> {
                    out.println(header(summary, states));
                    summary.damage().ifPresent(damage -> out.println("damaged: " + damage));
                    summary.newer().ifPresent(out::println);
                    summary.expires().ifPresent(time -> out.println("expires " + local(time)));
                    List<Node> nodes = summary.nodes();
                    Function<Node, List<String>> cells =
                            node -> List.of(node.name().value(), node.address().toString(), state.apply(node));
                    List<String> rows = columns(nodes.stream().map(cells).toList(), 1);
                    for (int i = 0; i < rows.size(); i++) {
                        String line = "  " + rows.get(i);
                        String key = nodes.get(i).hostKey().fingerprint();
                        out.println(line + (line.length() + key.length() < COLUMNS ? " " : "\n      ") + key);
                    }
                });
    }

    private static String header(ClusterSummary summary, Map<NodeName, MachineState> states) {
        List<NodeName> asleep = summary.phase() != ClusterSummary.ClusterPhase.READY
                ? List.of()
                : summary.nodes().stream()
                        .map(Node::name)
                        .filter(node -> states.get(node) != MachineState.RUNNING)
                        .toList();
        return header(summary, asleep.isEmpty() ? "" : ", but " + NodeSet.fold(asleep) + " not running");
    }

    /** The first line about a cluster. */
    static String header(ClusterSummary summary, String more) {
        return summary.name() + " on " + summary.provider() + ", " + summary.phase() + more
                + summary.created().map(time -> ", created " + local(time)).orElse("");
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

    /** Prints the JSON document of an error, where the command was to print one and did not. */
    final void printRefusal(Throwable error, int status) {
        if (json && !printed && status != ExitCodes.INTERRUPTED) {
            print(ExitCodes.document(error, status));
        }
    }

    /** Prints a JSON document to standard output. */
    final void print(Object document) {
        printed = true;
        out.println(Json.indented(document));
    }

    /** Prints a result as JSON, or as this text; returns the exit status of work that was done. */
    final int print(Supplier<?> document, Runnable text) {
        if (json) {
            print(document.get());
        } else {
            text.run();
        }
        return ExitCodes.OK;
    }

    /** Prints values as one JSON array, or one by one as text; returns the exit status of work that was done. */
    final <T> int print(Collection<T> values, Function<? super T, ?> form, Consumer<T> text) {
        return print(() -> JsonFields.list(values, form), () -> values.forEach(text));
    }

    /** Prints values as one JSON array, or one by one as text, and this line where there is none. */
    final <T> int print(Collection<T> values, Function<? super T, ?> form, String none, Consumer<T> text) {
        if (values.isEmpty() && !json) {
            out.println(none);
        }
        return print(values, form, text);
    }

    /** Prints values as one JSON array, or as a table with these titles; returns the exit status of work that was done. */
    final <T> int print(
            Collection<T> values, Function<? super T, ?> form, List<String> titles, Function<T, List<String>> cells) {
        return print(() -> JsonFields.list(values, form), () -> table(titles, values, cells));
    }

    /** Prints a table whose columns are as wide as their longest cell. */
    final <T> void table(List<String> titles, Collection<T> values, Function<T, List<String>> cells) {
        List<List<String>> rows = new ArrayList<>(List.of(titles));
        values.forEach(value -> rows.add(cells.apply(value)));
        columns(rows, 2).forEach(row -> out.println(row.stripTrailing()));
    }

    /** Rows whose cells are as wide as the longest of their column, with a gap between columns. */
    private static List<String> columns(List<List<String>> rows, int gap) {
        int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
        rows.forEach(row ->
                Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length())));
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(i ->
                                row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
                        .collect(Collectors.joining(" ".repeat(gap))))
                .toList();
    }

    /** Prints a table of a benchmark below its title, and the verdict about it. */
    final void print(String title, BenchmarkReport table, Verdict verdict) {
        out.println(title);
        out.print(table.toTable());
        out.println("verdict: " + verdict.status().key());
        verdict.reasons().forEach(reason -> out.println("  " + reason));
    }

    /** Reads a file, or standard input for {@code -}. */
    static <T> T read(String file, Input<T> input) {
        try {
            if (file.equals("-")) {
                return input.read(System.in);
            }
            if (file.isEmpty()) {
                throw new RefusedException("the name of the file is empty; name a file, or - for standard input");
            }
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                return input.read(in);
            }
        } catch (NoSuchFileException e) {
            throw new RefusedException("there is no file " + file + "; - reads standard input");
        } catch (IOException e) {
            throw new RefusedException("cannot read " + (file.equals("-") ? "standard input" : file) + ": "
                    + Reason.of(e) + "; name a file of text, or - for standard input");
        }
    }

    /** Writes a file of text, replacing it. */
    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot write " + file + ": " + Reason.of(e) + "; name a file in an existing folder", e);
        }
    }

    /** Refuses a picture whose name does not end with .svg, such as the name of the input. */
    static void requireSvg(String option, @Nullable Path file) {
        if (file != null && !file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
            throw new RefusedException(option + " " + file + ": the picture is an SVG file; write a name that ends with"
                    + " .svg, such as " + option + " pingpong.svg");
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
            return PrintableText.word(this);
        }
    }

    /**
     * The options of a command that must be given a provider. A command with a default, such as {@code plan} or {@code images}, declares
     * its own {@code --on}.
     */
    static final class Place {
        @Mixin
        private AzureOptions azure = new AzureOptions();

        @Option(
                names = "--on",
                required = true,
                paramLabel = "WHERE",
                description = "Provider: ${COMPLETION-CANDIDATES}.")
        Provider on = Provider.LOCAL;

        ClusterManager manager(SharedAzure.Want want) {
            return ProgramCommand.manager(on, azure, want);
        }
    }
}
