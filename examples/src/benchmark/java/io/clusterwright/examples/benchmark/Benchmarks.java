package io.clusterwright.examples.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The one command that measures the library and the program beside the tools that are installed. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        description = "Measures the library and the program beside the installed tools of others, on local nodes of this machine.")
public final class Benchmarks implements Callable<Integer> {
    private static final Map<String, Group> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("contact", new ContactGroup());
        GROUPS.put("start", new StartGroup());
        GROUPS.put("launch", new LaunchGroup());
        GROUPS.put("slurm", new SlurmGroup());
        GROUPS.put("exchange", new ExchangeGroup());
        GROUPS.put("copy", new CopyGroup());
        GROUPS.put("output", new OutputGroup());
        GROUPS.put("scale", new ScaleGroup());
        GROUPS.put("create", new CreateGroup());
        GROUPS.put("images", new ImagesGroup());
        GROUPS.put("fabric", new FabricGroup());
        GROUPS.put("jvm", new JvmGroup());
    }

    @Parameters(
            paramLabel = "BENCHMARK",
            description = "contact, start, launch, slurm, exchange, copy, output, scale, create, images, fabric, jvm; default: all.")
    private List<String> names = List.of();

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, at least 2. Default: ${DEFAULT-VALUE}.")
    private int nodes = 16;

    @Option(names = "--rounds", paramLabel = "N", description = "At most this many rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = 20;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "A longer comparison starts no round after this time, a shorter one after a part of it. Default: ${DEFAULT-VALUE}.")
    private double minutes = 1;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            description = "Size of the copied file; the disks of local nodes are in memory. Default: ${DEFAULT-VALUE}.")
    private int megabytes = 64;

    @Option(names = "--to", paramLabel = "DIR", description = "For benchmarks.csv and benchmarks.svg. Default: ${DEFAULT-VALUE}.")
    private Path to = Path.of("benchmarks");

    /** See {@code --help}. */
    public static void main(String[] arguments) throws InterruptedException {
        Thread main = Thread.currentThread();
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            main.interrupt();
            try {
                done.await(90, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        int status = 1;
        try {
            status = new CommandLine(new Benchmarks()).execute(arguments);
        } finally {
            done.countDown();
        }
        System.exit(status);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> wanted = names.isEmpty() ? List.copyOf(GROUPS.keySet()) : names;
        for (String name : wanted) {
            if (!GROUPS.containsKey(name)) {
                System.err.println("there is no benchmark " + name + "; there are " + String.join(", ", GROUPS.keySet()));
                return CommandLine.ExitCode.USAGE;
            }
        }
        if (nodes < 2 || nodes > 60 || rounds < 1 || minutes <= 0 || megabytes < 1) {
            System.err.println("--nodes is 2 to 60, and --rounds, --minutes and --megabytes are positive");
            return CommandLine.ExitCode.USAGE;
        }
        Report report = new Report();
        List<String> failed = new ArrayList<>();
        for (String name : wanted) {
            measure(name, report, failed);
            if (Thread.interrupted()) {
                failed.add("interrupted in " + name + "; everything that was made is removed");
                break;
            }
        }
        System.out.println();
        System.out.print(report.table());
        if (!Peers.missing().isEmpty()) {
            System.out.println("not installed, left out: " + String.join(", ", Peers.missing()));
        }
        failed.forEach(System.err::println);
        report.write(to);
        System.out.println("written: " + to.resolve("benchmarks.csv") + ", " + to.resolve("benchmarks.svg"));
        return failed.isEmpty() ? 0 : 1;
    }

    /** A benchmark that fails is reported, and stops no other. */
    private void measure(String name, Report report, List<String> failed) throws IOException {
        System.out.println("== " + name);
        Path folder = Files.createTempDirectory("cw-bench");
        Duration limit = Duration.ofMillis((long) (minutes * 60_000));
        try {
            GROUPS.get(name).measure(new Settings(nodes, rounds, limit, megabytes, folder), report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            System.err.println(name + " failed: " + e.getMessage());
            failed.add(name + " failed: " + e.getMessage());
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
