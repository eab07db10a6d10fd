package io.clusterwright.examples.benchmark;

import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.check.FabricCheck;
import io.clusterwright.mpi.check.FabricReport;
import io.clusterwright.mpi.check.PairResult;
import java.io.IOException;
import java.time.Duration;

/** The fabric check of all pairs: the number of rounds, and its time beside the sum of each round's longest pair. */
final class FabricGroup implements Group {
    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("fabric", settings)) {
            int pairs = settings.nodes() / 2;
            FabricReport measured = FabricCheck.on(JobTarget.of(local.cluster()))
                    .allPairs()
                    .parallel(pairs)
                    .withoutHostnames()
                    .run(Duration.ofMinutes(20));
            measured.pairs().stream().filter(pair -> !pair.measured()).findFirst().ifPresent(pair -> {
                throw new IllegalStateException(pair.toString());
            });
            Series rounds = Series.of("rounds", "rounds");
            rounds.add(measured.rounds().size());
            report.add("fabric", "rounds of all pairs", rounds, Row.NO_PEER, Goal.value(settings.nodes() - 1));
            Series whole = Series.of("the check", "ms");
            whole.add(measured.duration().toNanos() / 1e6);
            Series longest = Series.of("sum of longest pairs", "ms");
            double sum = 0;
            for (int round = 1; round <= measured.rounds().size(); round++) {
                sum += longest(measured, round);
            }
            longest.add(sum);
            report.add("fabric", "all pairs, " + pairs + " at once", whole, longest, Goal.ofPeer(1.1));
        }
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
