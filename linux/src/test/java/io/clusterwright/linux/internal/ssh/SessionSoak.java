package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Runs many commands over the kept sessions of local nodes, and counts the ends that did not come. Needs root, as local nodes do. From the
 * root of the source tree:
 *
 * <pre>{@code
 * mvn -q -pl linux -am test-compile dependency:build-classpath -Dmdep.outputFile=target/test.cp
 * java -cp linux/target/test-classes:linux/target/classes:$(cat linux/target/test.cp) \
 *     io.clusterwright.linux.internal.ssh.SessionSoak 1000000 16 --busy
 * }</pre>
 */
final class SessionSoak {
    /** A command takes milliseconds; one that lasts this long has lost its end. */
    private static final Duration LOST = Duration.ofMinutes(2);

    private static final Duration REPORT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 3;

    private final Cluster cluster;
    private final long wanted;
    private final Deadline deadline;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final long start = System.nanoTime();

    private SessionSoak(Cluster cluster, long wanted, Duration limit) {
        this.cluster = cluster;
        this.wanted = wanted;
        this.deadline = Deadline.in("soak", limit);
    }

    /** Arguments: how many commands (100000), on how many nodes (16), {@code --busy} for busy cores, {@code --minutes=N} for a limit (60). */
    public static void main(String[] arguments) throws Exception {
        List<String> numbers =
                Arrays.stream(arguments).filter(word -> !word.startsWith("--")).toList();
        long commands = numbers.isEmpty() ? 100_000 : Long.parseLong(numbers.get(0));
        int nodes = numbers.size() < 2 ? 16 : Integer.parseInt(numbers.get(1));
        long minutes = Arrays.stream(arguments)
                .filter(word -> word.startsWith("--minutes="))
                .mapToLong(word -> Long.parseLong(word.substring("--minutes=".length())))
                .findFirst()
                .orElse(60);
        Path folder = Files.createTempDirectory("clusterwright-soak-");
        String network = "10.61." + ProcessHandle.current().pid() % 250 + ".0/24";
        ClusterSpec spec = spec("soak-" + ProcessHandle.current().pid(), network, nodes);
        try (ClusterManager manager = manager(folder)) {
            try (Cluster cluster = manager.create(spec);
                    Busy busy = new Busy(List.of(arguments).contains("--busy"), Duration.ofMinutes(minutes))) {
                System.out.println(run(cluster, commands, Duration.ofMinutes(minutes)));
            } finally {
                System.out.println("left: " + manager.destroy(spec.name()).left());
            }
        }
    }

    /** A manager of clusters in folders of their own. */
    static ClusterManager manager(Path folder) {
        LocalMachines machines = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        return ClusterManager.builder(machines)
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build();
    }

    static ClusterSpec spec(String name, String network, int nodes) {
        return ClusterSpec.builder(ClusterName.of(name))
                .region("local")
                .nodes(group -> group.count(nodes).prefix("soak").firstIndex(1).size("local"))
                .network(part -> part.addressSpace(network).subnet("soak", network))
                .image(image -> image.capture(false))
                .build();
    }

    /** What came of the commands. */
    record Outcome(long begun, long ended, long wrong, long lost, String figures) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d commands: %,d ended, %,d with a wrong output or status, %,d without an end; %s",
                    begun,
                    ended,
                    wrong,
                    lost,
                    figures);
        }
    }

    /** Runs this number of commands, or fewer when the time passes. */
    static Outcome run(Cluster cluster, long commands, Duration limit) {
        cluster.run(Command.of("true")).orThrow();
        String before = resources();
        SessionSoak soak = new SessionSoak(cluster, commands, limit);
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        ExecutorService pool = Threads.unbounded("soak");
        for (Node node : cluster.nodes()) {
            for (int i = 0; i < AT_ONCE; i++) {
                workers.add(CompletableFuture.runAsync(() -> soak.work(node.name()), pool));
            }
        }
        soak.await(CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)));
        pool.shutdown();
        return soak.outcome("before " + before + ", after " + resources());
    }

    private void work(NodeName node) {
        for (long number = begun.incrementAndGet();
                number <= wanted && !deadline.passed();
                number = begun.incrementAndGet()) {
            String word = node + "-" + number;
            try {
                CommandResult result =
                        cluster.session(node).run(command(word, number).timeout(LOST));
                ended.incrementAndGet();
                if (!result.stdout().equals(word + "\n") || result.exitStatus() != number % 3) {
                    wrong.incrementAndGet();
                    System.out.println("wrong: " + result);
                }
            } catch (CommandException.TimedOut e) {
                lost.incrementAndGet();
                System.out.println("lost: " + e.getMessage());
            } catch (ClusterwrightException e) {
                failed.incrementAndGet();
                System.out.println("failed: " + e.getMessage());
            }
        }
        begun.decrementAndGet();
    }

    /** Every third one ends as soon as it wrote; others close their output before they end, or the reverse. */
    private static Command command(String word, long number) {
        String last = number % 3 == 0 ? "" : number % 3 == 1 ? "; exec >&- 2>&-; exit 1" : "; exit 2";
        return Command.of("sh", "-c", "echo " + word + last);
    }

    private void await(CompletableFuture<Void> all) {
        while (!all.isDone()) {
            try {
                all.get(REPORT.toSeconds(), TimeUnit.SECONDS);
            } catch (java.util.concurrent.TimeoutException e) {
                System.out.println(outcome(resources()));
            } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Outcome outcome(String resources) {
        double seconds = (System.nanoTime() - start) / 1e9;
        String figures = String.format(
                Locale.ROOT,
                "%,d failed otherwise; %.0f s, %.0f/s; %s",
                failed.get(),
                seconds,
                ended.get() / seconds,
                resources);
        return new Outcome(begun.get(), ended.get(), wrong.get(), lost.get(), figures);
    }

    /** The threads and open files of this process. */
    static String resources() {
        return count("/proc/self/task") + " threads, " + count("/proc/self/fd") + " files";
    }

    static long count(String folder) {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two processes that keep two cores busy. */
    private static final class Busy implements AutoCloseable {
        private final List<Process> loops = new ArrayList<>();

        Busy(boolean wanted, Duration limit) throws IOException {
            for (int i = 0; wanted && i < 2; i++) {
                loops.add(new ProcessBuilder(
                                "timeout", Long.toString(limit.toSeconds()), "sh", "-c", "while :; do :; done")
                        .inheritIO()
                        .start());
            }
        }

        @Override
        public void close() {
            loops.forEach(Process::destroy);
        }
    }
}
