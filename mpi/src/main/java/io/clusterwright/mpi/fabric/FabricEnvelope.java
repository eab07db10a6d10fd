package io.clusterwright.mpi.fabric;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification.LatencyLimit;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Measure;
import io.clusterwright.mpi.bench.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The limits of a pair on nodes with an RDMA interconnect: a latency for small messages and a bandwidth. Use it to
 * judge the pairs by limits of your own. Immutable.
 *
 * <pre>{@code
 * VmSizeFacts size =
 *         VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
 * FabricEnvelope limits = FabricEnvelope.of(size).withLatency(2.0, 512, "acceptance test of our site");
 * System.out.println(limits.maxMicros() + " us, " + limits.minBytesPerSecond() + " bytes/s");
 * }</pre>
 *
 * @param maxMicros the highest latency that passes, in microseconds
 * @param upToBytes the largest message the latency holds for
 * @param latencySource who set the latency, for people
 * @param minBytesPerSecond the lowest peak bandwidth that passes; 0 when none was set
 * @param bandwidthSource the source of the bandwidth, or the reason why no bandwidth is set
 */
public record FabricEnvelope(
        double maxMicros, long upToBytes, String latencySource, double minBytesPerSecond, String bandwidthSource) {
    /** A latency passes up to this many times the lowest one that is published for an MPI on the size. */
    public static final double LATENCY_TOLERANCE = 1.5;

    /**
     * Where only a latency of verbs is published, one of MPI passes up to this many times that. Where both are published for one driver,
     * healthy MPIs take up to 1.63 times as long (Intel MPI on HBv2: 1.95 and 1.2 us).
     */
    public static final double VERBS_TOLERANCE = 1.75;

    /** A bandwidth passes from this part of the published one on. */
    public static final double BANDWIDTH_TOLERANCE = 0.8;

    private static final long SMALL = 8;

    /** Rates of shorter messages say little about what an adapter can carry. */
    private static final long LARGE = 1 << 20;

    /** Collectives over many GPUs reach the rate of their links from this size on. */
    private static final long LARGE_COLLECTIVE = 1 << 30;

    /** The collectives of nccl-tests whose {@code busbw} is the rate of the links of one machine. */
    private static final Pattern LINK_BOUND = Pattern.compile("(?:all_reduce|all_gather|reduce_scatter)_perf\\b.*");

    /**
     * Checks the numbers.
     *
     * @throws InvalidValueException when one is not positive; a bandwidth may be 0
     */
    public FabricEnvelope {
        if (!(maxMicros > 0 && upToBytes >= 0 && minBytesPerSecond >= 0)) {
            throw new InvalidValueException(
                    "envelope",
                    maxMicros + " us up to " + upToBytes + " bytes and " + minBytesPerSecond + " bytes per second",
                    "positive limits (0 bytes per second: no limit)",
                    "2.5 us up to 512 bytes and 0 bytes per second");
        }
    }

    /** The rule of the article, 3 microseconds in whole ones up to 512 bytes, and no bandwidth. */
    public static FabricEnvelope article() {
        LatencyEnvelope rule = LatencyEnvelope.article();
        return new FabricEnvelope(
                Math.nextDown(rule.belowMicros()), rule.upToBytes(), rule.toString(), 0, "no figure is published");
    }

    /**
     * The envelope of a pair of ports of a size, over which one rank of each machine sends: 1.5 times the latency
     * that is published for MPI,
     * up to 8 bytes, and 0.8 times the bandwidth. Where only figures of verbs are published the limits are derived from those, and
     * say so; where no latency is published, the rule of the article holds.
     */
    public static FabricEnvelope of(VmSizeFacts size) {
        FabricEnvelope none = article();
        String name = size.shortName();
        FabricEnvelope latency = size.mpiLatency()
                .map(value -> none.withLatency(
                        value.micros() * LATENCY_TOLERANCE,
                        SMALL,
                        text("%.2f us of MPI published for %s, plus 50 %%", value.micros(), name)))
                .or(() -> size.verbsLatency()
                        .map(value -> none.withLatency(
                                value.micros() * VERBS_TOLERANCE,
                                SMALL,
                                text(
                                        "derived, for want of a figure of MPI: %.2f us of verbs published for %s, plus 75 %% for the MPI",
                                        value.micros(), name))))
                .orElse(none);
        String port = size.ports() > 1 ? " for one of " + size.ports() + " ports" : "";
        return size.mpiBandwidth()
                .map(value -> latency.withBandwidth(
                        value.bytesPerSecond() * BANDWIDTH_TOLERANCE,
                        text("%.1f Gb/s of MPI published for %s%s, less 20 %%", value.gigabitsPerSecond(), name, port)))
                .or(() -> size.verbsBandwidth()
                        .map(value -> latency.withBandwidth(
                                value.bytesPerSecond() * BANDWIDTH_TOLERANCE,
                                text(
                                        "derived, for want of a figure of MPI: %.1f Gb/s of verbs published for %s%s, less 20 %%",
                                        value.gigabitsPerSecond(), name, port))))
                .orElse(latency);
    }

    /**
     * The envelope of the size of a cluster's nodes; each threshold that the spec itself gives wins over it. A latency of whole
     * microseconds is judged in whole ones, as the article judges its own table: 3.49 us keep a limit of 3, 3.50 us do not.
     */
    public static FabricEnvelope of(ClusterSpec spec) {
        FabricEnvelope size =
                VmSizes.standard().ofNodes(spec).map(FabricEnvelope::of).orElseGet(FabricEnvelope::article);
        FabricEnvelope latency = spec.verify()
                .maxLatency()
                .map(limit -> size.withLatency(highest(limit), limit.upToBytes(), source(limit)))
                .orElse(size);
        return spec.verify()
                .minBandwidth()
                .map(limit -> latency.withBandwidth(limit.gbps() * 1e9 / 8, "verify.minBandwidth of the spec"))
                .orElse(latency);
    }

    private static double highest(LatencyLimit limit) {
        return isWhole(limit) ? Math.nextDown(limit.micros() + 0.5) : limit.micros();
    }

    private static String source(LatencyLimit limit) {
        return "verify.maxLatency of the spec"
                + (isWhole(limit) ? text(", %.0f us in whole microseconds", limit.micros()) : "");
    }

    private static boolean isWhole(LatencyLimit limit) {
        return limit.micros() == Math.rint(limit.micros());
    }

    /** Sets the latency. */
    public FabricEnvelope withLatency(double micros, long bytes, String source) {
        return new FabricEnvelope(micros, bytes, source, minBytesPerSecond, bandwidthSource);
    }

    /** Sets the bandwidth. */
    public FabricEnvelope withBandwidth(double bytesPerSecond, String source) {
        return new FabricEnvelope(maxMicros, upToBytes, latencySource, bytesPerSecond, source);
    }

    /**
     * Judges a table measured between machines of a size: by the figures that are published for it, and where there are none by the
     * rule of the article alone ({@link LatencyEnvelope#article()}). Not judged where the size has no RDMA
     * interconnect. The collectives of nccl-tests are held against the rate of the links. A table of pairs of
     * large messages alone, which has no latency to judge, is held against the rate of the link where no bandwidth is published.
     */
    public static Verdict judge(VmSizeFacts size, BenchmarkReport table) {
        if (!size.interconnect().isRdma()) {
            return Verdict.notJudged(size.size() + " has no RDMA interconnect to judge");
        }
        if (table.format() == BenchmarkFormat.NCCL) {
            return judgeCollective(size, table);
        }
        FabricEnvelope envelope = of(size);
        if (table.rows().stream().anyMatch(row -> !row.nodes().isEmpty())) {
            return envelope.withLinkRate(size).judge(table);
        }
        return envelope.equals(article()) ? LatencyEnvelope.article().judge(table) : envelope.judge(table);
    }

    private static Verdict judgeCollective(VmSizeFacts size, BenchmarkReport table) {
        int machines = table.machines().orElse(0);
        double rate = size.linkRate().map(Bandwidth::bytesPerSecond).orElse(0.0);
        if (!LINK_BOUND.matcher(table.benchmark()).matches() || machines < 2 || rate == 0) {
            return Verdict.notJudged(
                    "only all_reduce_perf, all_gather_perf and reduce_scatter_perf between machines of a"
                            + " known link rate are judged");
        }
        int ports = Math.min(size.ports(), Math.max(1, table.processes().orElse(0) / machines));
        double least = rate / size.ports() * ports * BANDWIDTH_TOLERANCE;
        String limit = text(
                "%.1f GB/s (derived: %d of %d ports of %s carry %.1f GB/s, less 20 %%)",
                least / 1e9, ports, size.ports(), size.shortName(), rate / size.ports() * ports / 1e9);
        double best = 0;
        boolean large = false;
        for (BenchmarkRow row : table.rows()) {
            best = Math.max(
                    best,
                    row.rateUnit().toBytesPerSecond(row.value(Measure.BUS_RATE).orElse(0)));
            large |= row.bytes().orElse(0) >= LARGE_COLLECTIVE;
        }
        if (best >= least) {
            return new Verdict(Verdict.Status.PASSED, List.of(text("%.1f GB/s at best, above %s", best / 1e9, limit)));
        }
        return large
                ? new Verdict(
                        Verdict.Status.FAILED,
                        List.of(text("%.1f GB/s at best, below the limit of %s", best / 1e9, limit)))
                : Verdict.notJudged(
                        "the table has no row of " + LARGE_COLLECTIVE + " bytes or more to hold against " + limit);
    }

    private FabricEnvelope withLinkRate(VmSizeFacts size) {
        return size.linkRate()
                .filter(rate -> minBytesPerSecond == 0)
                .map(rate -> withBandwidth(
                        rate.bytesPerSecond() / size.ports() * BANDWIDTH_TOLERANCE,
                        text(
                                "derived, for want of a measured figure: the link of %s carries %.1f Gb/s, less 20 %%",
                                size.shortName(), rate.gigabitsPerSecond() / size.ports())))
                .orElse(this);
    }

    /** Judges a table measured over RDMA; one that is no ping-pong, or lacks the messages that a limit holds for, is not judged. */
    public Verdict judge(BenchmarkReport table) {
        if (table.traffic() != CommunicationPattern.PING_PONG) {
            return Verdict.notJudged(table.benchmark() + " is no ping-pong: the limits of a pair say nothing about it");
        }
        List<String> broken = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        List<String> open = new ArrayList<>();
        if (table.rows().stream().anyMatch(row -> !row.nodes().isEmpty())) {
            judgePairs(table, broken, kept, open);
        } else {
            judgeLatency(table, broken, kept, open);
            judgeBandwidth(table, broken, kept, open);
        }
        table.rows().stream()
                .filter(row -> row.latencyMicros().orElse(1) == 0)
                .findFirst()
                .ifPresent(row -> broken.add(text(
                        "%d bytes took 0.00 us, which is no time of a network; measure again",
                        row.bytes().orElse(0))));
        if (!broken.isEmpty()) {
            return new Verdict(Verdict.Status.FAILED, broken);
        }
        return open.isEmpty() ? new Verdict(Verdict.Status.PASSED, kept) : new Verdict(Verdict.Status.NOT_JUDGED, open);
    }

    /** Each pair of a table of one size: by the latency where the size is small, by the bandwidth where it is large. */
    private void judgePairs(BenchmarkReport table, List<String> broken, List<String> kept, List<String> open) {
        String slowest = text("%.2f us up to %d bytes (%s)", maxMicros, upToBytes, latencySource);
        String least = text("%.1f Gb/s (%s)", minBytesPerSecond * 8 / 1e9, bandwidthSource);
        List<BenchmarkRow> rows = new ArrayList<>(table.rows());
        rows.addAll(table.contradictory());
        int judged = 0;
        for (BenchmarkRow row : rows) {
            String pair = String.join(" and ", row.nodes());
            long bytes = row.bytes().orElse(-1);
            double rate = row.typicalBytesPerSecond().orElse(0);
            if (bytes >= 0 && bytes <= upToBytes && row.latencyMicros().isPresent()) {
                judged++;
                if (row.latencyMicros().getAsDouble() > maxMicros) {
                    broken.add(text(
                            "%d bytes took %.2f us between %s, over the limit of %s",
                            bytes, row.latencyMicros().getAsDouble(), pair, slowest));
                }
            } else if (bytes >= LARGE && minBytesPerSecond > 0 && rate > 0) {
                judged++;
                if (rate < minBytesPerSecond) {
                    broken.add(text("%.1f Gb/s between %s, below the limit of %s", rate * 8 / 1e9, pair, least));
                }
            }
        }
        if (judged == 0 || judged < rows.size()) {
            open.add("the sizes of this table are neither up to " + upToBytes + " bytes, for which a limit of "
                    + slowest + " holds, nor of " + LARGE + " bytes or more with a limit of bandwidth: "
                    + bandwidthSource);
        }
        kept.add("all " + judged + " pairs are within the limit of "
                + (table.rows().stream().anyMatch(row -> row.bytes().orElse(-1) <= upToBytes) ? slowest : least));
    }

    private void judgeLatency(BenchmarkReport table, List<String> broken, List<String> kept, List<String> open) {
        List<BenchmarkRow> small = table.rows().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() <= upToBytes)
                .filter(row -> row.latencyMicros().isPresent())
                .toList();
        Optional<BenchmarkRow> worst = small.stream()
                .max(Comparator.comparingDouble(row -> row.latencyMicros().orElse(0)));
        long largest =
                small.stream().mapToLong(row -> row.bytes().orElse(0)).max().orElse(-1);
        String limit = text("%.2f us up to %d bytes (%s)", maxMicros, upToBytes, latencySource);
        table.contradictory().stream()
                .filter(row -> row.bytes().isPresent() && row.bytes().getAsLong() <= upToBytes)
                .filter(row -> row.latencyMicros().orElse(0) > maxMicros)
                .forEach(row -> broken.add(text(
                        "%d bytes took %.2f us, over the limit of %s, and the row's rate contradicts its time; measure again",
                        row.bytes().orElse(0), row.latencyMicros().orElse(0), limit)));
        if (worst.isPresent() && worst.get().latencyMicros().orElse(0) > maxMicros) {
            broken.add(text(
                    "%d bytes took %.2f us, over the limit of %s",
                    worst.get().bytes().orElse(0), worst.get().latencyMicros().orElse(0), limit));
        } else if (2 * largest < upToBytes || worst.isEmpty()) {
            open.add("the table has no row near " + upToBytes + " bytes to hold against " + limit);
        } else {
            kept.add(text(
                    "at most %.2f us, within %s", worst.get().latencyMicros().orElse(0), limit));
        }
    }

    private void judgeBandwidth(BenchmarkReport table, List<String> broken, List<String> kept, List<String> open) {
        OptionalDouble peak = table.rows().stream()
                .flatMapToDouble(row -> row.typicalBytesPerSecond().stream())
                .filter(rate -> rate > 0)
                .max();
        if (minBytesPerSecond == 0) {
            kept.add("bandwidth not judged: " + bandwidthSource);
            return;
        }
        String limit = text("%.1f Gb/s (%s)", minBytesPerSecond * 8 / 1e9, bandwidthSource);
        boolean large = table.rows().stream().anyMatch(row -> row.bytes().orElse(0) >= LARGE);
        if (peak.isEmpty()) {
            open.add("the table has no bandwidth to hold against " + limit);
        } else if (peak.getAsDouble() < minBytesPerSecond && !large) {
            open.add("the table has no row of " + LARGE + " bytes or more to hold against " + limit);
        } else if (peak.getAsDouble() < minBytesPerSecond) {
            broken.add(text("%.1f Gb/s at best, below the limit of %s", peak.getAsDouble() * 8 / 1e9, limit));
        } else {
            kept.add(text("%.1f Gb/s at best, above %s", peak.getAsDouble() * 8 / 1e9, limit));
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
