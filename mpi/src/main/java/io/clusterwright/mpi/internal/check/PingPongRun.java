package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.PingPongCheck;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.job.JobRun;
import io.clusterwright.mpi.internal.plot.PingPongPlot;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A ping-pong between two nodes. Immutable; each method that names a part gives another. */
public final class PingPongRun implements PingPongCheck {
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration FINISH = Duration.ofSeconds(5);

    private final LaunchTarget pair;
    private final MpiJob job;
    private final LatencyEnvelope rule;
    private final Consumer<BenchmarkRow> listener;
    private final boolean brief;
    private final boolean java;

    private PingPongRun(
            LaunchTarget pair,
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

    /** A ping-pong by the article's rule between the two nodes of a target; the first starts it. */
    public static PingPongRun between(LaunchTarget pair) {
        MpiJob placeholder = MpiJob.of("true").ranksPerNode(1).withoutRankLabels();
        return new PingPongRun(pair, placeholder, LatencyEnvelope.article(), row -> {}, false, false);
    }

    @Override
    public PingPongRun installation(MpiInstallation mpi) {
        return new PingPongRun(pair, job.installation(mpi), rule, listener, brief, java);
    }

    /** The same check with a variable for both ranks. */
    public PingPongRun environment(String name, String value) {
        return new PingPongRun(pair, job.environment(name, value), rule, listener, brief, java);
    }

    @Override
    public PingPongRun rule(LatencyEnvelope envelope) {
        return new PingPongRun(pair, job, envelope, listener, brief, java);
    }

    @Override
    public PingPongRun onRow(Consumer<BenchmarkRow> rows) {
        return new PingPongRun(pair, job, rule, rows, brief, java);
    }

    /** The same check with fewer repetitions and, where the benchmark allows it, no message over 1 MiB: one of many pairs. */
    public PingPongRun brief() {
        return new PingPongRun(pair, job, rule, listener, true, java);
    }

    /** The same check with our own program in Java, also where a benchmark is installed. */
    public PingPongRun inJava() {
        return new PingPongRun(pair, job, rule, listener, brief, true);
    }

    @Override
    public PingPongCheck.Report run(Duration limit) {
        MpiInstallation mpi = JobRun.installationOf(job.on(pair), pair);
        Optional<PingPongProgram> installed = java ? Optional.empty() : PingPongProgram.on(pair, mpi);
        if (installed.isPresent()) {
            return measure(installed.get(), mpi, limit);
        }
        try (JavaPingPongStage stage = JavaPingPongStage.on(NodeTarget.of(pair))
                .orElseThrow(() -> PingPongProgram.notFound(pair.nodes().get(0).name(), mpi))) {
            return measure(stage.program(mpi), mpi, limit);
        }
    }

    private PingPongCheck.Report measure(PingPongProgram program, MpiInstallation mpi, Duration limit) {
        AtomicLong complete = new AtomicLong();
        BenchmarkStream stream = new BenchmarkStream(row -> {
            listener.accept(row);
            if (program.endsWith(row, brief)) {
                complete.compareAndSet(0, System.nanoTime());
            }
        });
        boolean[] alone = {false};
        MpiJob pingPong = MpiJob.of(program.table(pair.sharesOneMachine(), brief))
                .installation(mpi)
                .ranksPerNode(1)
                .withoutRankLabels();
        for (Map.Entry<String, String> variable : job.environment().entrySet()) {
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
    public static JobResult untilMeasured(PlacedMpiJob measurement, Duration limit, AtomicLong complete) {
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

    private record Result(
            LaunchTarget pair,
            LatencyEnvelope rule,
            JobResult result,
            Optional<BenchmarkReport> table,
            Verdict verdict,
            boolean measured)
            implements PingPongCheck.Report {
        @Override
        public Optional<String> toSvg() {
            List<NodeName> nodes = pair.nodeNames();
            boolean rdma = pair.interconnect().isRdma();
            return table.map(report -> new PingPongPlot(
                            report,
                            "Ping-pong between " + nodes.get(0) + " and " + nodes.get(1),
                            result.mpi() + " over "
                                    + (rdma ? pair.interconnect().toString() : "TCP") + ", measured with "
                                    + report.tool(),
                            rdma ? List.of(rule) : List.of())
                    .toSvg());
        }
    }
}
