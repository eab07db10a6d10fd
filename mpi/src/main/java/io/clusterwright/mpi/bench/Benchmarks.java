package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The tables in the output of MPI and fabric benchmarks: Intel MPI Benchmarks 3 to 2021, OSU, NetPIPE, perftest,
 * ucx_perftest, nccl-tests, and the table of pairs of mpipingpong. Use it to read and judge the output of a benchmark, from a
 * file or from a job.
 *
 * <pre>{@code
 * for (BenchmarkReport report : Benchmarks.parse(output).reports()) {
 *     for (BenchmarkRow row : report.rows()) {
 *         System.out.println(row.value(Measure.BYTES) + " bytes: " + row.latencyMicros() + " us");
 *     }
 *     Verdict verdict = LatencyEnvelope.article().judge(report); // 3 us up to 512 bytes
 *     System.out.println(report.title() + ": " + verdict.status() + ", " + verdict.reasons());
 * }
 * }</pre>
 *
 * <p>The text may hold anything else too: noise around tables, warnings between rows, CR LF line ends, rank labels and
 * time stamps of launchers. A row that is cut or contradicts itself is left out with a finding: what is reported was printed.
 *
 * @param reports one per table, in the order of the text; empty when nothing was recognised
 * @param findings the findings about the text and each table
 */
public record Benchmarks(List<BenchmarkReport> reports, List<Finding> findings) {
    /** Copies the lists. */
    public Benchmarks {
        reports = List.copyOf(reports);
        findings = List.copyOf(findings);
    }

    /** One report with its verdict as an object, several as an array, of the maps and lists that any JSON library writes. */
    public Object toPlain(Function<BenchmarkReport, Verdict> judge) {
        List<Map<String, Object>> all = reports.stream()
                .map(report -> report.toMap(judge.apply(report)))
                .toList();
        return all.size() == 1 ? all.get(0) : all;
    }

    /** Reads a complete text. */
    public static Benchmarks parse(String text) {
        BenchmarkStream stream = new BenchmarkStream(row -> {});
        stream.feed(text);
        return stream.finish();
    }
}
