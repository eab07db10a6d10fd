package io.clusterwright.mpi.check;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobFailedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.MpiNotFoundException;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.ParsedBenchmarks;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.internal.finding.MpiFindings;
import io.clusterwright.mpi.internal.job.JobRun;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures latency and bandwidth between two nodes with the benchmark that is there (NetPIPE, IMB or OSU), or with
 * {@link io.clusterwright.mpi.internal.pingpong.JavaPingPong} where none is but Java, and holds the table against a rule. Over TCP there is no rule to hold it against, and the verdict says so.
 */
public final class PingPongCheck {
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration FINISH = Duration.ofSeconds(5);

    private final NodeTarget pair;
    private final MpiJob job;
    private final LatencyEnvelope rule;
    private final Consumer<BenchmarkRow> listener;
    private final boolean brief;
    private final boolean java;

    private PingPongCheck(
            NodeTarget pair,
            MpiJob job,
            LatencyEnvelope rule,
            Consumer<BenchmarkRow> listener,
            boolean brief,
            boolean java) {
        this.pair = pair;
        this.job = job;
        this.rule = rule;
        this.listener = listener;
        this.brief = brief;
        this.java = java;
    }

    /**
     * The check of the first two nodes by the article's rule.
     *
     * @throws InvalidValueException when there is only one node
     */
    public static PingPongCheck on(JobTarget target) {
        List<NodeName> nodes = target.nodeNames();
        if (nodes.size() < 2) {
            throw new InvalidValueException(
                    "list of nodes for a ping-pong", nodes.toString(), "at least two nodes", "[node1, node2]");
        }
        return between(target, nodes.get(0), nodes.get(1));
    }

    /**
     * The check of two nodes by the article's rule; the first starts it.
     *
     * @throws InvalidValueException when the target has no such node
     */
    public static PingPongCheck between(JobTarget target, NodeName first, NodeName second) {
        MpiJob placeholder = MpiJob.of("true").ranksPerNode(1).withoutRankLabels();
        return new PingPongCheck(
                NodeTarget.of(target).only(List.of(first, second)),
                placeholder,
                LatencyEnvelope.article(),
                row -> {},
                false,
                false);
    }

    /** The same check by this installation. */
    public PingPongCheck installation(MpiInstallation mpi) {
        return new PingPongCheck(pair, job.installation(mpi), rule, listener, brief, java);
    }

    /** The same check by another rule. */
    public PingPongCheck rule(LatencyEnvelope envelope) {
        return new PingPongCheck(pair, job, envelope, listener, brief, java);
    }

    /** The same check with each row handed to this listener as soon as it is measured. */
    public PingPongCheck onRow(Consumer<BenchmarkRow> rows) {
        return new PingPongCheck(pair, job, rule, rows, brief, java);
    }

    /** The same check with fewer repetitions and, where the benchmark allows it, no message over 1 MiB: one of many pairs. */
    public PingPongCheck brief() {
        return new PingPongCheck(pair, job, rule, listener, true, java);
    }

    /** The same check with our own program in Java, also where a benchmark is installed. */
    public PingPongCheck inJava() {
        return new PingPongCheck(pair, job, rule, listener, brief, true);
    }

    /**
     * Runs the check, at most this long. A benchmark that has printed its whole table and does not end within 5 s is
     * ended, and its table counts: MPICH before 4.2 over UCX can wait for ever in MPI_Finalize.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws BenchmarkNotFoundException when no benchmark for that MPI is on the first node, and Java 17 not on both
     * @throws JobFailedException when this thread was interrupted
     */
    public PingPongReport run(Duration limit) {
        NodeSession session = pair.session(pair.nodes().get(0).name());
        MpiInstallation mpi = JobRun.installationOf(job.on(pair), pair);
        Optional<PingPongProgram> installed = java ? Optional.empty() : PingPongProgram.find(session, mpi);
        if (installed.isPresent()) {
            return measure(installed.get(), mpi, limit);
        }
        try (JavaPingPongStage stage =
                JavaPingPongStage.on(pair).orElseThrow(() -> new BenchmarkNotFoundException(session.node(), mpi))) {
            return measure(stage.program(mpi), mpi, limit);
        }
    }

    private PingPongReport measure(PingPongProgram program, MpiInstallation mpi, Duration limit) {
        AtomicLong complete = new AtomicLong();
        BenchmarkStream stream = new BenchmarkStream(row -> {
            listener.accept(row);
            if (program.endsWith(row, brief)) {
                complete.compareAndSet(0, System.nanoTime());
            }
        });
        boolean[] alone = {false};
        PlacedMpiJob measurement = MpiJob.of(program.table(pair.sharesOneMachine(), brief))
                .installation(mpi)
                .ranksPerNode(1)
                .withoutRankLabels()
                .on(pair)
                .onOutput(line -> {
                    alone[0] |= line.text().startsWith("Need at least two processes");
                    byte[] bytes = (line.text() + "\n").getBytes(StandardCharsets.UTF_8);
                    stream.feed(bytes, bytes.length);
                });
        JobResult result = untilMeasured(measurement, limit, complete);
        boolean ended = result.outcome() == JobResult.Outcome.ENDED;
        ParsedBenchmarks parsed = stream.finish();
        List<Finding> findings = new ArrayList<>(parsed.findings());
        if (alone[0]) {
            findings.add(MpiFindings.wrongBenchmark(program.name(), mpi));
        }
        boolean measured = ended ? result.succeeded() : complete.get() != 0;
        if (!ended && measured) {
            findings.add(MpiFindings.endedAfterItsTable(program.name(), mpi, FINISH));
        }
        BenchmarkReport table =
                parsed.reports().isEmpty() ? null : parsed.reports().get(0);
        JobResult all = result.with(findings);
        return new PingPongReport(all, pair, table, verdict(measured, table), measured && table != null);
    }

    /** A benchmark that has printed its last row is given some time to end, and is ended then. */
    static JobResult untilMeasured(PlacedMpiJob measurement, Duration limit, AtomicLong complete) {
        try (RunningJob running = measurement.start(limit)) {
            while (true) {
                Optional<JobResult> result = running.await(TICK);
                if (result.isPresent()) {
                    return result.get();
                }
                long since = complete.get();
                if (since != 0 && System.nanoTime() - since > FINISH.toNanos()) {
                    running.cancel();
                }
            }
        }
    }

    private Verdict verdict(boolean measured, @Nullable BenchmarkReport table) {
        if (!measured) {
            return Verdict.notJudged("the benchmark did not run to its end");
        }
        return table == null
                ? Verdict.notJudged("the benchmark printed no table")
                : rule.judge(table, pair.interconnect());
    }
}
