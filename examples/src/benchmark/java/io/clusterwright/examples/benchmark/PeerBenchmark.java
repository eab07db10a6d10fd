package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.local.LocalMachines;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command on every node by the library and the program, beside the tools that people use for that: pdsh, clush and parallel-ssh, as far as
 * they are installed, in turn on the same local nodes. Needs root, as local nodes do, and a program that was built.
 */
public final class PeerBenchmark {
    private static final ClusterName NAME = ClusterName.parse("peer-benchmark");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path folder;
    private final Path program;
    private final List<Row> rows = new ArrayList<>();

    private PeerBenchmark(Path folder) {
        this.folder = folder;
        this.program = Path.of(System.getProperty("clusterwright.program", "examples/clusterwright"))
                .toAbsolutePath();
    }

    /** One line of the table. The peer is the name of another row; a row without one is a peer. */
    private record Row(String name, Optional<String> peer, Work work, List<Double> milliseconds) {}

    /** Something that is timed; returns milliseconds when it knows better than the clock around it. */
    private interface Work {
        Optional<Double> run() throws IOException, InterruptedException;
    }

    /** Arguments: how many nodes (16), how many rounds (20), where the table goes as CSV (target/peers.csv). */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 2 && arguments[0].equals("first-contact")) {
            firstContact(ClusterName.parse(arguments[1]));
            return;
        }
        int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 16;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        Path csv = Path.of(arguments.length > 2 ? arguments[2] : "target/peers.csv");
        ClusterSpec spec = SpecReader.read("""
                name: %s
                region: westus
                timeToLive: 1h
                nodes: {count: %d, firstIndex: 1, prefix: pb, size: Standard_A9}
                network: {addressSpace: 10.98.0.0/16, subnet: {name: Subnet-1, range: 10.98.0.0/24}}
                """.formatted(NAME, nodes), "benchmark.yaml");
        PeerBenchmark benchmark = new PeerBenchmark(Files.createTempDirectory("peer-benchmark"));
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            try (Cluster cluster = manager.create(spec)) {
                benchmark.contact(manager, cluster);
                benchmark.measure(rounds);
                benchmark.print(nodes, rounds, csv);
            } finally {
                manager.destroy(NAME);
            }
        }
    }

    /** In a new JVM: prints the milliseconds of opening the cluster and of the first command on all nodes. */
    private static void firstContact(ClusterName name) {
        long start = System.nanoTime();
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create());
                Cluster cluster = manager.open(name)) {
            long opened = System.nanoTime();
            check(cluster.run(Command.of("hostname")));
            System.out.printf(
                    Locale.ROOT, "%.1f %.1f%n", (opened - start) / 1e6, (System.nanoTime() - opened) / 1e6);
        }
    }

    private void contact(ClusterManager manager, Cluster cluster) throws IOException {
        Path config = Files.writeString(
                folder.resolve("ssh_config"),
                SshClientConfig.reaching(manager.sshAccess(NAME)).text());
        List<String> names =
                cluster.nodes().stream().map(node -> node.name().value()).toList();
        String all = String.join(",", names);
        String user = cluster.loginUser().value();
        peer("pdsh", names.size(), "pdsh", "-R", "ssh", "-w", all, "-l", user, "hostname");
        peer("clush", names.size(), "clush", "-S", "-w", all, "-l", user, "-o", "-F " + config, "hostname");
        peer(
                "parallel-ssh",
                2 * names.size(),
                "parallel-ssh",
                "-i",
                "-H",
                String.join(" ", names),
                "-l",
                user,
                "-x",
                "-F " + config,
                "hostname");
        add("program, run", "pdsh", () -> process(names.size(), program.toString(), "run", NAME.value(), "--", "hostname"));
        add("new JVM, opening", "pdsh", () -> Optional.of(newJvm()[0]));
        add("new JVM, first command", "pdsh", () -> Optional.of(newJvm()[1]));
        add("warm JVM, first command", "pdsh", () -> {
            try (Cluster again = manager.open(NAME)) {
                long start = System.nanoTime();
                check(again.run(Command.of("hostname")));
                return Optional.of((System.nanoTime() - start) / 1e6);
            }
        });
        add("kept sessions", "pdsh", () -> {
            check(cluster.run(Command.of("hostname")));
            return Optional.empty();
        });
        add("program, --version", "pdsh", () -> process(1, program.toString(), "--version"));
        String spec = program.resolveSibling("specs/quickstart.yaml").toString();
        add("program, validate", "pdsh", () -> process(1, program.toString(), "validate", spec));
    }

    private void peer(String name, int lines, String... command) throws IOException {
        if (Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, command[0])))) {
            rows.add(new Row(name, Optional.empty(), () -> process(lines, command), new ArrayList<>()));
        } else {
            System.out.println(name + " is not installed");
        }
    }

    private void add(String name, String peer, Work work) {
        rows.add(new Row(name, Optional.of(peer), work, new ArrayList<>()));
    }

    private void measure(int rounds) throws IOException, InterruptedException {
        for (int round = -2; round < rounds; round++) {
            for (Row row : rows) {
                long start = System.nanoTime();
                Optional<Double> own = row.work.run();
                double whole = (System.nanoTime() - start) / 1e6;
                if (round >= 0) {
                    row.milliseconds.add(own.orElse(whole));
                }
            }
        }
    }

    /** Runs a program of this machine; the time includes its start and its end. */
    private Optional<Double> process(int lines, String... command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PDSH_SSH_ARGS_APPEND", "-F " + folder.resolve("ssh_config"));
        long start = System.nanoTime();
        Process process = builder.start();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException(String.join(" ", command) + " did not end");
        }
        double time = (System.nanoTime() - start) / 1e6;
        if (process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + Files.readString(err));
        }
        lines(Files.readString(out), lines);
        return Optional.of(time);
    }

    /** Milliseconds of opening the cluster and of the first command. */
    private double[] newJvm() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        process(
                1,
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PeerBenchmark.class.getName(),
                "first-contact",
                NAME.value());
        return Arrays.stream(Files.readString(folder.resolve("out")).strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void check(NodeResults results) {
        if (!results.allSucceeded()) {
            throw new IllegalStateException("not every node answered: " + results);
        }
    }

    private static void lines(String output, int least) {
        if (output.lines().count() < least) {
            throw new IllegalStateException("not every node answered: " + output);
        }
    }

    private void print(int nodes, int rounds, Path csv) throws IOException {
        Map<String, Double> medians = new LinkedHashMap<>();
        rows.forEach(row -> medians.put(row.name, quartile(row.milliseconds, 2)));
        List<String> table = new ArrayList<>(List.of("what,nodes,rounds,lower,median,upper,peer,ratio"));
        System.out.printf("%d nodes, %d rounds after 2, milliseconds%n", nodes, rounds);
        System.out.printf("%-40s %8s %8s %8s  %s%n", "", "lower", "median", "upper", "time of the peer's");
        for (Row row : rows) {
            Optional<String> peer = row.peer.filter(medians::containsKey);
            String ratio = peer.map(name -> String.format(Locale.ROOT, "%.2f", medians.get(row.name) / medians.get(name)))
                    .orElse("");
            System.out.printf(
                    Locale.ROOT,
                    "%-40s %8.0f %8.0f %8.0f  %s%n",
                    row.name,
                    quartile(row.milliseconds, 1),
                    medians.get(row.name),
                    quartile(row.milliseconds, 3),
                    peer.map(name -> ratio + " x " + name).orElse(""));
            table.add(String.format(
                    Locale.ROOT,
                    "\"%s\",%d,%d,%.1f,%.1f,%.1f,\"%s\",%s",
                    row.name,
                    nodes,
                    rounds,
                    quartile(row.milliseconds, 1),
                    medians.get(row.name),
                    quartile(row.milliseconds, 3),
                    peer.orElse(""),
                    ratio));
        }
        Files.createDirectories(csv.toAbsolutePath().getParent());
        Files.write(csv, table);
    }

    private static double quartile(List<Double> values, int quarter) {
        return LaunchBenchmark.quartile(
                values.stream().mapToDouble(Double::doubleValue).toArray(), quarter);
    }
}
