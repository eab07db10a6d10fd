package io.clusterwright.mpi.fabric;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.fabric.FabricReport.Measurement;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One run of a check: the rails one after the other, so are the rounds of each, and the pairs of a round are measured at once. */
final class FabricRun {
    private static final Duration HOSTNAMES = Duration.ofMinutes(2);
    private static final int MOST_AT_ONCE = 32;

    private final FabricCheck settings;
    private final LaunchTarget target;
    private final PairSchedule schedule;
    private final Deadline deadline;

    FabricRun(FabricCheck settings, Deadline deadline) {
        this.settings = settings;
        this.target = settings.target;
        this.schedule = settings.schedule.apply(target.nodeNames());
        this.deadline = deadline;
        target.only(schedule.pairs().stream()
                .flatMap(pair -> pair.nodes().stream())
                .distinct()
                .toList());
    }

    FabricReport run() {
        Instant begin = Instant.now();
        long start = System.nanoTime();
        Optional<HostnameCheck.Report> hostnames = settings.hostnames ? Optional.of(hostnames()) : Optional.empty();
        MpiInstallation mpi = settings.installation != null
                ? settings.installation
                : hostnames.map(report -> report.result().mpi()).orElse(null);
        FabricRails rails = FabricRails.of(
                target,
                schedule.pairs().stream()
                        .flatMap(pair -> pair.nodes().stream())
                        .distinct()
                        .toList());
        PairMeasurement measurement = new PairMeasurement(settings, rails, mpi, deadline);
        int parallel = parallel();
        List<MeasuredPair> results = new ArrayList<>();
        for (int rail : rails.numbers()) {
            for (int round = 0; round < schedule.rounds().size(); round++) {
                results.addAll(measure(measurement, parallel, round, rail));
            }
        }
        List<MeasuredPair> pairs = target.interconnect().isRdma() ? results : measurement.withFirstTransport(results);
        return FabricJudge.report(new Measurement(
                Measurement.Nodes.of(target),
                settings.kind,
                schedule.rounds(),
                parallel,
                settings.envelope,
                OutlierRule.of(target.interconnect(), target.sharesOneMachine()),
                begin,
                Duration.ofNanos(System.nanoTime() - start),
                hostnames,
                rails.dead(),
                List.copyOf(pairs)));
    }

    private HostnameCheck.Report hostnames() {
        HostnameCheck check = HostnameCheck.on(target);
        MpiInstallation given = settings.installation;
        return (given == null ? check : check.installation(given)).run(deadline.remaining(HOSTNAMES));
    }

    private List<MeasuredPair> measure(PairMeasurement measurement, int parallel, int round, int rail) {
        List<NodePair> pairs = schedule.rounds().get(round);
        Map<NodePair, MeasuredPair> results = new ConcurrentHashMap<>();
        Tasks.interruptibly(
                "the fabric check was interrupted",
                () -> Tasks.forEach("fabric", parallel, pairs, pair -> {
                    MeasuredPair result = measurement.of(pair, round + 1, rail);
                    results.put(pair, result);
                    synchronized (settings) {
                        settings.pairs.accept(result);
                    }
                }));
        return pairs.stream().map(results::get).toList();
    }

    private int parallel() {
        int most = schedule.rounds().stream().mapToInt(List::size).max().orElse(1);
        if (settings.parallel > 0) {
            return Math.min(most, settings.parallel);
        }
        if (!(target instanceof NodeTarget nodes)) {
            // A job that waits in the queue of a scheduler would use up the time of its pair.
            return 1;
        }
        return target.sharesOneMachine() ? Math.min(most, Math.max(1, cores(nodes) / 2)) : Math.min(most, MOST_AT_ONCE);
    }

    private static int cores(NodeTarget target) {
        NodeName first = target.nodes().get(0).name();
        String answer = target.session(first).run(Command.of("nproc")).stdout().strip();
        return answer.matches("\\d{1,5}") ? Integer.parseInt(answer) : 1;
    }
}
