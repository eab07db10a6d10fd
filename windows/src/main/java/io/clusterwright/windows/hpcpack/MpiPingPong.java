package io.clusterwright.windows.hpcpack;

import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Benchmarks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run of {@code mpipingpong}, HPC Pack's test of the network between nodes: one rank on each node, bound to a core. Immutable.
 *
 * <p>{@code -s} is an order of pairs and takes no value: in {@code -op -s nul} the last word is the file for the results. Source:
 * learn.microsoft.com cc972824.
 *
 * <pre>{@code
 * MpiPingPong.Report report = MpiPingPong.latency().run(target, Duration.ofMinutes(30));
 * }</pre>
 */
public final class MpiPingPong {
    private final List<String> command;

    private MpiPingPong(List<String> options) {
        this.command = Stream.concat(Stream.of("mpipingpong"), options.stream()).toList();
    }

    /**
     * A run with these options, and the program's own defaults for the rest.
     *
     * @param options as they are typed, such as {@code -p}, {@code 1:100000}, {@code -oq}, {@code -r}, {@code nul}
     */
    public static MpiPingPong of(String... options) {
        return new MpiPingPong(List.of(options));
    }

    /** The article's test of latency: a byte, 100,000 times. */
    public static MpiPingPong latency() {
        return of("-p", "1:100000", "-op", "-s", "nul");
    }

    /** The article's test of throughput: 4,000,000 bytes, 1,000 times. */
    public static MpiPingPong throughput() {
        return of("-p", "4000000:1000", "-op", "-s", "nul");
    }

    /** The words of the command, the program first. */
    public List<String> command() {
        return command;
    }

    /** The command as it is typed where it needs no quotes. */
    @Override
    public String toString() {
        return String.join(" ", command);
    }

    /** The job that measures, for any target of MS-MPI. */
    public MpiJob job() {
        return MpiJob.of(command).ranksPerNode(1).binding(Binding.CORE);
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
                .onOutput(line -> {
                    byte[] bytes = (line.text() + "\n").getBytes(StandardCharsets.UTF_8);
                    stream.feed(bytes, bytes.length);
                })
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
