package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run of {@code mpipingpong}, HPC Pack's test of the network between nodes: one rank on each node, bound to a core.
 * Use it to test the network of Windows nodes. Immutable; each method that names a part gives another run.
 *
 * <pre>{@code
 * MpiPingPong.Report report = MpiPingPong.latency().run(target, Duration.ofMinutes(30));
 * report.table().ifPresent(table -> System.out.println(table.toTable()));
 * }</pre>
 *
 * <p>{@code -s} is an order of pairs and takes no value: in {@code -op -s nul} the last word is the file for the
 * results. Source: learn.microsoft.com cc972824.
 */
public final class MpiPingPong {
    private final Map<Part, List<String>> words;

    /** The parts of a command line, in their order. */
    private enum Part {
        CORES,
        PACKET,
        UNITS,
        VOLUME,
        ORDER,
        FILE
    }

    private MpiPingPong(Map<Part, List<String>> words) {
        this.words = words;
    }

    /** A run with the program's own defaults. */
    public static MpiPingPong create() {
        return new MpiPingPong(Map.of());
    }

    /** The article's test of latency: a byte, 100,000 times. */
    public static MpiPingPong latency() {
        return create().packet(1, 100_000).progress().serial().file("nul");
    }

    /** The article's test of throughput: 4,000,000 bytes, 1,000 times. */
    public static MpiPingPong throughput() {
        return create().packet(4_000_000, 1_000).progress().serial().file("nul");
    }

    /** Lets several cores of a node take part, which is an error otherwise. */
    public MpiPingPong multipleCores() {
        return with(Part.CORES, "-m");
    }

    /**
     * The size of a packet and the number of times it is sent.
     *
     * @param bytes 0 or more
     * @param iterations 1 or more
     * @throws InvalidValueException when one is out of its range
     */
    public MpiPingPong packet(int bytes, int iterations) {
        return with(
                Part.PACKET,
                "-p",
                atLeast("number of bytes of a packet", bytes, 0) + ":"
                        + atLeast("number of iterations", iterations, 1));
    }

    /**
     * One of the program's own series of packets.
     *
     * @param letter {@code b}, {@code c}, {@code l} or {@code t}, for the switch {@code -pb} and so on
     * @throws InvalidValueException when it is another letter
     */
    public MpiPingPong packets(char letter) {
        return with(Part.PACKET, "-p" + oneOf("series of packets", letter, "bclt"));
    }

    /**
     * One of the program's units of output.
     *
     * @param letter {@code a} or {@code b}, for the switch {@code -oa} or {@code -ob}
     * @throws InvalidValueException when it is another letter
     */
    public MpiPingPong output(char letter) {
        return with(Part.UNITS, "-o" + oneOf("output", letter, "ab"));
    }

    /** Prints the progress: {@code -op}. */
    public MpiPingPong progress() {
        return with(Part.VOLUME, "-op");
    }

    /** Prints nothing but results: {@code -oq}. */
    public MpiPingPong quiet() {
        return with(Part.VOLUME, "-oq");
    }

    /** One pair at a time, each node with its neighbour: {@code -r}. */
    public MpiPingPong ring() {
        return with(Part.ORDER, "-r");
    }

    /**
     * One pair at a time, each node with the one this number of nodes further: {@code -r -rs}.
     *
     * @throws InvalidValueException when the step is less than 1
     */
    public MpiPingPong ring(int step) {
        return with(Part.ORDER, "-r", "-rs", atLeast("ring step", step, 1));
    }

    /** One pair at a time, every node with every other: {@code -s}. */
    public MpiPingPong serial() {
        return with(Part.ORDER, "-s");
    }

    /** Many pairs at once, every node with every other: {@code -t}. */
    public MpiPingPong tournament() {
        return with(Part.ORDER, "-t");
    }

    /**
     * The file for the results, XML; {@code nul} for none.
     *
     * @throws InvalidValueException when no command can hold it
     */
    public MpiPingPong file(String file) {
        if (file.isEmpty() || file.startsWith("-") || file.chars().anyMatch(c -> c < ' ' || c == '"')) {
            throw new InvalidValueException(
                    "file for results", file, "a path without quotes that does not begin with '-'", "nul");
        }
        return with(Part.FILE, file);
    }

    private MpiPingPong with(Part part, String... given) {
        Map<Part, List<String>> more = new LinkedHashMap<>(words);
        more.put(part, List.of(given));
        return new MpiPingPong(more);
    }

    private static String atLeast(String what, int value, int least) {
        if (value < least) {
            throw new InvalidValueException(what, value, least + " or more", least);
        }
        return Integer.toString(value);
    }

    private static char oneOf(String what, char letter, String letters) {
        if (letters.indexOf(letter) < 0) {
            throw new InvalidValueException(
                    what, letter, "one of " + String.join(", ", letters.split("")), letters.substring(0, 1));
        }
        return letter;
    }

    /** The words of the command, the program first. */
    public List<String> command() {
        List<String> all = new ArrayList<>(List.of("mpipingpong"));
        for (Part part : Part.values()) {
            all.addAll(words.getOrDefault(part, List.of()));
        }
        return List.copyOf(all);
    }

    /** The command as it is typed where it needs no quotes. */
    @Override
    public String toString() {
        return String.join(" ", command());
    }

    /** The job that measures, for any target of MS-MPI. */
    public MpiJob job() {
        return MpiJob.of(command()).ranksPerNode(1).binding(Binding.CORE);
    }

    /**
     * Measures, at most this long, including the wait for nodes.
     *
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread was interrupted; the job has been cancelled
     * @throws io.clusterwright.core.type.ClusterwrightException when the head node refuses the job or does not answer
     */
    public Report run(JobTarget target, Duration limit) {
        BenchmarkStream stream = new BenchmarkStream(row -> {});
        JobResult result = job().on(target)
                .onOutput(line -> stream.feed(line.text() + "\n"))
                .run(limit);
        return new Report(result, stream.finish());
    }

    /**
     * The result of a ping-pong.
     *
     * @param result the run, with its output
     * @param parsed the measurements in it
     */
    public record Report(JobResult result, Benchmarks parsed) {
        /** The numbers; absent when none were printed. */
        public Optional<BenchmarkReport> table() {
            return parsed.reports().stream().findFirst();
        }
    }
}
