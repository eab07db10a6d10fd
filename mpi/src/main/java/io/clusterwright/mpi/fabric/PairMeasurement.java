package io.clusterwright.mpi.fabric;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.check.PingPongCheck;
import io.clusterwright.mpi.check.TransportCheck;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.internal.command.InfiniBandDevices;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures pairs; the first it is given gets the full table where somebody listens to its rows. */
final class PairMeasurement {
    /** With less time remaining a measurement is not started. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private static final Duration TRANSPORT = Duration.ofSeconds(60);

    private final FabricCheck settings;
    private final LaunchTarget target;
    private final FabricRails rails;
    private final Map<Rail, String> dead;
    private final @Nullable MpiInstallation mpi;
    private final Deadline deadline;
    private final AtomicBoolean first = new AtomicBoolean(true);

    PairMeasurement(FabricCheck settings, FabricRails rails, @Nullable MpiInstallation mpi, Deadline deadline) {
        this.settings = settings;
        this.rails = rails;
        this.dead = rails.dead();
        this.target = settings.target;
        this.mpi = mpi;
        this.deadline = deadline;
    }

    /** Measures a pair over a rail, or where that is 0 over the devices that the MPI chooses. */
    MeasuredPair of(NodePair pair, int round, int rail) {
        List<Rail> ends = rails.ends(pair, rail);
        List<String> problems = ends.stream()
                .filter(dead::containsKey)
                .map(end -> MpiFinding.BROKEN_RAIL
                        .of(end, Objects.requireNonNull(dead.get(end)))
                        .message())
                .toList();
        return problems.isEmpty()
                ? measure(pair, round, ends)
                : MeasuredPair.failed(pair, round, Duration.ZERO, String.join("; ", problems), List.of())
                        .over(ends);
    }

    private MeasuredPair measure(NodePair pair, int round, List<Rail> ends) {
        long start = System.nanoTime();
        PingPongCheck check = PingPongCheck.between(target.exactly(pair.nodes()));
        if (!ends.isEmpty()) {
            check = check.environment(
                    InfiniBandDevices.RAIL, Integer.toString(ends.get(0).number()));
        }
        check = mpi == null ? check : check.installation(mpi);
        Consumer<BenchmarkRow> rows = settings.rows;
        check = first.getAndSet(false) && rows != null ? check.onRow(rows) : check.brief();
        Duration limit = deadline.remaining(settings.pairLimit);
        if (limit.compareTo(LEAST) < 0) {
            return MeasuredPair.failed(
                            pair, round, Duration.ZERO, "not measured: the check reached its time limit", List.of())
                    .over(ends);
        }
        try {
            MeasuredPair result = result(pair, round, check.run(limit), start).over(ends);
            return target.interconnect().isRdma() && result.measured() ? withTransport(result) : result;
        } catch (ClusterwrightException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return MeasuredPair.failed(pair, round, since(start), "could not be measured: " + e.getMessage(), List.of())
                    .over(ends);
        }
    }

    /** On nodes without RDMA one pair tells the transport of all. */
    List<MeasuredPair> withFirstTransport(List<MeasuredPair> results) {
        List<MeasuredPair> all = new ArrayList<>(results);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).measured()) {
                all.set(i, withTransport(all.get(i)));
                return all;
            }
        }
        return all;
    }

    private MeasuredPair result(NodePair pair, int round, PingPongCheck.Report report, long start) {
        BenchmarkReport table = report.table().orElse(null);
        List<Finding> findings = report.result().findings();
        if (!report.measured() || table == null) {
            return MeasuredPair.failed(pair, round, since(start), problem(report.result()), findings);
        }
        Verdict verdict = target.interconnect().isRdma()
                ? settings.envelope.judge(table)
                : Verdict.notJudged(LatencyEnvelope.NO_RDMA);
        return MeasuredPair.measured(pair, round, since(start), table, verdict, findings);
    }

    private MeasuredPair withTransport(MeasuredPair result) {
        TransportCheck check = TransportCheck.between(
                target, result.pair().first(), result.pair().second());
        check = mpi == null ? check : check.installation(mpi);
        if (!result.rails().isEmpty()) {
            check = check.environment(
                    InfiniBandDevices.RAIL,
                    Integer.toString(result.rails().get(0).number()));
        }
        Duration limit = deadline.remaining(TRANSPORT);
        if (limit.compareTo(LEAST) < 0) {
            return result.with(Transport.unknown(), "the check reached its time limit", List.of());
        }
        try {
            TransportCheck.Report report = check.run(limit);
            return result.with(
                    report.transport(), report.problem(), report.result().findings());
        } catch (ClusterwrightException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return result.with(Transport.unknown(), String.valueOf(e.getMessage()), List.of());
        }
    }

    private static String problem(JobResult result) {
        return MpiFinding.cause(result)
                .map(Finding::message)
                .orElseGet(() -> result.outcome() == JobResult.Outcome.ENDED
                        ? "the benchmark printed an incomplete table and ended with " + MpiFinding.exitStatus(result)
                        : "the benchmark did not finish: " + result.outcome());
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
