package io.clusterwright.mpi.bench;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A rule for the latency of small messages: a limit in microseconds up to a message size. Use it to judge the output
 * of a ping-pong.
 *
 * <p>Such rules are stated in whole microseconds, and tables that their authors call healthy read up to half a microsecond
 * more (the article's own 512-byte row is 3.09 us under a rule of 3). A value therefore keeps the rule when it rounds to the limit or
 * less: 3.49 us does, 3.50 us does not.
 *
 * @param wholeMicros the limit in whole microseconds, at least 1
 * @param upToBytes the largest message the rule speaks of; a table without a row of just this size cannot pass
 * @param source who set the rule, for people
 * @see Benchmarks
 */
public record LatencyEnvelope(int wholeMicros, long upToBytes, String source) {
    /** The reason that nodes without an RDMA interconnect are not judged. */
    public static final String NO_RDMA = "TCP: no RDMA device on these nodes";

    private static final LatencyEnvelope ARTICLE =
            new LatencyEnvelope(3, 512, "Azure documentation, \"Set up a Linux RDMA cluster to run MPI applications\"");

    /** Checks the numbers. */
    public LatencyEnvelope {
        if (wholeMicros < 1 || upToBytes < 1) {
            throw new InvalidValueException(
                    "latency rule",
                    wholeMicros + " us up to " + upToBytes + " bytes",
                    "at least 1 us and 1 byte",
                    "3 us up to 512 bytes");
        }
    }

    /** The rule of the article for QDR InfiniBand: 3 microseconds or less up to 512 bytes. */
    public static LatencyEnvelope article() {
        return ARTICLE;
    }

    /** The limit in microseconds that a value must stay below. */
    public double belowMicros() {
        return wholeMicros + 0.5;
    }

    /** Judges a table measured over this interconnect. */
    public Verdict judge(BenchmarkReport report, Interconnect interconnect) {
        return interconnect.isRdma() ? judge(report) : Verdict.notJudged(NO_RDMA);
    }

    /** Judges a table measured over RDMA. */
    public Verdict judge(BenchmarkReport report) {
        if (report.traffic() != CommunicationPattern.PING_PONG) {
            return Verdict.notJudged(report.benchmark() + " is no ping-pong: a latency rule says nothing about it");
        }
        List<BenchmarkRow> small = report.rows().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() <= upToBytes)
                .filter(row -> row.latencyMicros().isPresent())
                .toList();
        List<String> broken = new ArrayList<>();
        for (BenchmarkRow row : small) {
            if (row.latencyMicros().getAsDouble() >= belowMicros()) {
                broken.add(text(row) + " is over the limit: " + this);
            } else if (row.latencyMicros().getAsDouble() == 0) {
                broken.add(text(row) + " is no time of a network; measure again");
            }
        }
        report.contradictory().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() <= upToBytes)
                .filter(row -> row.latencyMicros().orElse(0) >= belowMicros())
                .forEach(row -> broken.add(text(row)
                        + " is over the limit, and the row's rate contradicts its time; measure again: " + this));
        if (!broken.isEmpty()) {
            return new Verdict(Verdict.Status.FAILED, broken);
        }
        boolean pairs =
                !small.isEmpty() && small.stream().noneMatch(row -> row.nodes().isEmpty());
        if (small.isEmpty()
                || !pairs && small.stream().noneMatch(row -> row.bytes().orElse(-1) == upToBytes)) {
            return Verdict.notJudged(
                    "there is no row of " + upToBytes + " bytes, up to which the limit holds: " + this);
        }
        BenchmarkRow worst = small.stream()
                .max((a, b) -> Double.compare(
                        a.latencyMicros().getAsDouble(), b.latencyMicros().getAsDouble()))
                .orElseThrow();
        return new Verdict(
                Verdict.Status.PASSED,
                List.of("all " + small.size() + (pairs ? " pairs" : " sizes up to " + upToBytes + " bytes")
                        + " are within the limit; the slowest, " + text(worst) + ": " + this));
    }

    private static String text(BenchmarkRow row) {
        return String.format(
                Locale.ROOT,
                "%d bytes in %.2f us%s",
                row.bytes().orElse(0),
                row.latencyMicros().orElse(0),
                row.nodes().isEmpty() ? "" : " between " + String.join(" and ", row.nodes()));
    }

    /** The rule for people. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "at most %d us in whole microseconds (less than %.1f us) up to %d bytes (%s)",
                wholeMicros,
                belowMicros(),
                upToBytes,
                source);
    }
}
