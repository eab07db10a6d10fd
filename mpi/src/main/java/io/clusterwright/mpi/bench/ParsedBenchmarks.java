package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * The benchmarks that were found in a text.
 *
 * @param reports one per table, in the order of the text; empty when nothing was recognised
 * @param findings what is to be said about the text and each table
 */
public record ParsedBenchmarks(List<BenchmarkReport> reports, List<Finding> findings) {
    /** Copies the lists. */
    public ParsedBenchmarks {
        reports = List.copyOf(reports);
        findings = List.copyOf(findings);
    }

    /** Whether nothing at all was recognised, not even a benchmark that failed. */
    public boolean isEmpty() {
        return reports.isEmpty() && findings.isEmpty();
    }
}
