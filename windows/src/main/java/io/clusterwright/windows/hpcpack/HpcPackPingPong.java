package io.clusterwright.windows.hpcpack;

import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.ParsedBenchmarks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The article's ping-pong between the nodes of an HPC Pack cluster, from any system: one rank on each node, bound to a core. Immutable.
 *
 * <pre>{@code
 * HpcPackPingPong.Report report = HpcPackPingPong.of(MpiPingPong.latency()).run(target, Duration.ofMinutes(30));
 * }</pre>
 */
public final class HpcPackPingPong {
    private final MpiPingPong program;
    private final Map<String, String> environment;

    private HpcPackPingPong(MpiPingPong program, Map<String, String> environment) {
        this.program = program;
        this.environment = environment;
    }

    /** A ping-pong with MS-MPI's own choice of network. */
    public static HpcPackPingPong of(MpiPingPong program) {
        return new HpcPackPingPong(Objects.requireNonNull(program, "program"), Map.of());
    }

    /** The same with these variables besides, such as those of {@link io.clusterwright.windows.hpcpack.PingPongJobs#environment()}. */
    public HpcPackPingPong environment(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        return new HpcPackPingPong(program, Collections.unmodifiableMap(all));
    }

    /** The job that measures. */
    public MpiJob job() {
        MpiJob job = MpiJob.of(program.command()).ranksPerNode(1).binding(Binding.CORE);
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            job = job.environment(variable.getKey(), variable.getValue());
        }
        return job;
    }

    /**
     * Measures, at most this long, in which the wait for nodes counts.
     *
     * @throws io.clusterwright.mpi.JobFailedException when this thread was interrupted; the job has been cancelled at the head node
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
     * What a ping-pong gave.
     *
     * @param result the run, with its output
     * @param parsed what was read from it
     */
    public record Report(JobResult result, ParsedBenchmarks parsed) {
        /** The numbers; absent when none were printed. */
        public Optional<BenchmarkReport> table() {
            return parsed.reports().stream().findFirst();
        }
    }
}
