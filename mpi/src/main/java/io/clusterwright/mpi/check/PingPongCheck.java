package io.clusterwright.mpi.check;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.internal.engine.MpiChoice;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures latency and bandwidth between two nodes. Use it to compare two nodes with a limit of latency.
 *
 * <pre>{@code
 * PingPongCheck.Report pingPong = PingPongCheck.on(two).run(Duration.ofMinutes(5));
 * pingPong.table().ifPresent(table -> System.out.println(table.toTable()));
 * System.out.println(pingPong.verdict().status());
 * }</pre>
 *
 * <p>It runs NetPIPE, IMB or OSU, whichever the nodes have, or else a program of this library that needs Java 17. On
 * nodes with an RDMA interconnect it judges the table by the rule; over TCP there is no rule, and the verdict says
 * so. Immutable; each method that names a part gives another check.
 */
public final class PingPongCheck {
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration FINISH = Duration.ofSeconds(5);

    private final LaunchTarget pair;
    private final @Nullable MpiInstallation installation;
    private final Map<String, String> environment;
    private final LatencyEnvelope rule;
    private final Consumer<BenchmarkRow> listener;
    private final boolean brief;
    private final boolean java;

    private PingPongCheck(
            LaunchTarget pair,
            @Nullable MpiInstallation installation,
            Map<String, String> environment,
            LatencyEnvelope rule,
            Consumer<BenchmarkRow> listener,
            boolean brief,
            boolean java) {
        this.pair = pair;
        this.installation = installation;
        this.environment = environment;
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
                    "list of nodes for a ping-pong", nodes, "two or more nodes", "[node1, node2]");
        }
        return between(target, nodes.get(0), nodes.get(1));
    }

    /**
     * The check of two nodes by the article's rule; the first starts it.
     *
     * @throws InvalidValueException when the target has no such node
     */
    public static PingPongCheck between(JobTarget target, NodeName first, NodeName second) {
        return between(LaunchTarget.withShell(target).exactly(List.of(first, second)));
    }

    /** The check of the two nodes of a target by the article's rule; the first starts it. */
    public static PingPongCheck between(LaunchTarget pair) {
        return new PingPongCheck(pair, null, Map.of(), LatencyEnvelope.article(), row -> {}, false, false);
    }

    /** Sets the MPI installation. */
    public PingPongCheck installation(MpiInstallation mpi) {
        return new PingPongCheck(pair, mpi, environment, rule, listener, brief, java);
    }

    /** Adds a variable for both ranks. */
    public PingPongCheck environment(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new PingPongCheck(pair, installation, all, rule, listener, brief, java);
    }

    /** Sets the rule of the verdict. */
    public PingPongCheck rule(LatencyEnvelope envelope) {
        return new PingPongCheck(pair, installation, environment, envelope, listener, brief, java);
    }

    /** Passes each row to this listener when it is measured. */
    public PingPongCheck onRow(Consumer<BenchmarkRow> rows) {
        return new PingPongCheck(pair, installation, environment, rule, rows, brief, java);
    }

    /** Measures with fewer repetitions and, if the benchmark allows it, no message over 1 MiB: for one of many pairs. */
    public PingPongCheck brief() {
        return new PingPongCheck(pair, installation, environment, rule, listener, true, java);
    }

    /** Uses the library's ping-pong in Java, even if a benchmark is installed. */
    PingPongCheck inJava() {
        return new PingPongCheck(pair, installation, environment, rule, listener, brief, true);
    }

    /**
     * Runs the check, at most this long. A benchmark that has printed its whole table and does not end within 5 s is
     * ended, and its table counts: MPICH before 4.2 over UCX can wait for ever in MPI_Finalize.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.ClusterwrightException when no benchmark for that MPI is on the first node, and Java 17 not on
     *     both
     * @throws JobInterruptedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        MpiInstallation mpi = MpiChoice.installationOn(pair, installation);
        Optional<PingPongProgram> installed = java ? Optional.empty() : PingPongProgram.on(pair, mpi);
        if (installed.isPresent()) {
            return measure(installed.get(), mpi, limit);
        }
        try (JavaPingPongStage stage = JavaPingPongStage.on(NodeTarget.of(pair))
                .orElseThrow(() -> PingPongProgram.notFound(pair.nodes().get(0).name(), mpi))) {
            return measure(stage.program(mpi), mpi, limit);
        }
    }

    private Report measure(PingPongProgram program, MpiInstallation mpi, Duration limit) {
        AtomicLong complete = new AtomicLong();
        BenchmarkStream stream = new BenchmarkStream(row -> {
            listener.accept(row);
            if (program.endsWith(row, brief)) {
                complete.compareAndSet(0, WaitTime.RUNNING.nanos());
            }
        });
        boolean[] alone = {false};
        MpiJob pingPong = MpiJob.of(program.table(pair.sharesOneMachine(), brief))
                .installation(mpi)
                .ranksPerNode(1)
                .withoutRankLabels();
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            pingPong = pingPong.environment(variable.getKey(), variable.getValue());
        }
        PlacedMpiJob measurement = pingPong.on(pair).onOutput(line -> {
            alone[0] |= line.text().startsWith("Need at least two processes");
            stream.feed(line.text() + "\n");
        });
        JobResult result = untilMeasured(measurement, limit, complete);
        boolean ended = result.outcome() == JobResult.Outcome.ENDED;
        Benchmarks parsed = stream.finish();
        List<Finding> findings = new ArrayList<>(parsed.findings());
        if (alone[0]) {
            findings.add(MpiFinding.wrongBenchmark(program.name(), mpi));
        }
        boolean measured = ended ? result.succeeded() : complete.get() != 0;
        if (!ended && measured) {
            findings.add(MpiFinding.endedAfterItsTable(program.name(), mpi, FINISH));
        }
        BenchmarkReport table =
                parsed.reports().isEmpty() ? null : parsed.reports().get(0);
        JobResult all = result.with(findings);
        return new Result(
                pair, rule, all, Optional.ofNullable(table), verdict(measured, table), measured && table != null);
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
                if (since != 0 && WaitTime.RUNNING.nanos() - since > FINISH.toNanos()) {
                    running.cancel();
                }
            }
        }
    }

    private Verdict verdict(boolean measured, @Nullable BenchmarkReport table) {
        if (!measured) {
            return Verdict.notJudged("the benchmark did not finish");
        }
        return table == null
                ? Verdict.notJudged("the benchmark printed no table")
                : rule.judge(table, pair.interconnect());
    }

    private record Result(
            LaunchTarget pair,
            LatencyEnvelope rule,
            JobResult result,
            Optional<BenchmarkReport> table,
            Verdict verdict,
            boolean measured)
            implements Report {
        @Override
        public Optional<String> toSvg() {
            List<NodeName> nodes = pair.nodeNames();
            boolean rdma = pair.interconnect().isRdma();
            return table.map(report -> report.toSvg(
                    "Ping-pong between " + nodes.get(0) + " and " + nodes.get(1),
                    result.mpi() + " over " + (rdma ? pair.interconnect().toString() : "TCP") + ", measured with "
                            + report.tool(),
                    rdma ? List.of(rule) : List.of()));
        }
    }

    /** The result of a ping-pong between two nodes. Immutable. */
    public interface Report {

        /**
         * Whether the benchmark gave its whole table. It may have been ended afterwards for not ending by itself, which is a
         * finding then and no failure.
         */
        boolean measured();

        /** The run, with the findings about it and its table. */
        JobResult result();

        /** The measured table; absent when nothing was measured. */
        Optional<BenchmarkReport> table();

        /** The verdict about the table. */
        Verdict verdict();

        /**
         * The table as an SVG picture, entitled with the nodes, the MPI and the network, with the limit that the table was held against;
         * absent when nothing was measured.
         */
        Optional<String> toSvg();
    }
}
