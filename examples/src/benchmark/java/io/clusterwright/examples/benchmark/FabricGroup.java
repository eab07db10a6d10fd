package io.clusterwright.examples.benchmark;

import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.fabric.PairResult;
import io.clusterwright.mpi.job.JobTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;

/** The fabric check of all pairs: the number of rounds, and its time beside the sum of each round's longest pair. */
final class FabricGroup implements Group {
    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("fabric", settings)) {
            int pairs = settings.nodes() / 2;
            FabricCheck check = FabricCheck.on(JobTarget.of(local.cluster()))
                    .allPairs()
                    .parallel(pairs)
                    .withoutHostnames();
            AtomicReference<FabricReport> last = new AtomicReference<>();
            Series scheduled = Series.of("rounds", "rounds");
            Rounds rounds = settings.rounds(100);
            Series whole = rounds.add("the check", () -> {
                FabricReport measured = check.run(Duration.ofMinutes(20));
                measured.pairs().stream()
                        .filter(pair -> !pair.measured())
                        .findFirst()
                        .ifPresent(pair -> {
                            throw new IllegalStateException(pair.toString());
                        });
                last.set(measured);
                scheduled.add(measured.rounds().size());
                return OptionalDouble.of(measured.duration().toNanos() / 1e6);
            });
            Series longest = rounds.add("sum of longest pairs", () -> OptionalDouble.of(sumOfLongest(last.get())));
            rounds.measure();
            report.add("fabric", "rounds of all pairs", scheduled, Row.NO_PEER, Goal.value(settings.nodes() - 1));
            report.add("fabric", "all pairs, " + pairs + " at once", whole, longest, Goal.ofPeer(1.1));
        }
    }

    private static double sumOfLongest(FabricReport report) {
        double sum = 0;
        for (int round = 1; round <= report.rounds().size(); round++) {
            sum += longest(report, round);
        }
        return sum;
    }

    private static double longest(FabricReport report, int round) {
        return report.pairs().stream()
                        .filter(pair -> pair.round() == round)
                        .map(PairResult::duration)
                        .mapToDouble(Duration::toNanos)
                        .max()
                        .orElse(0)
                / 1e6;
    }
}
