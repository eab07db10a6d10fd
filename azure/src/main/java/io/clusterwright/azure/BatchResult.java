package io.clusterwright.azure;

import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.ParsedBenchmarks;
import java.util.OptionalInt;

/**
 * What became of a job on Batch.
 *
 * @param succeeded whether Batch calls it a success
 * @param exitCode the exit code of the launcher; absent when it was ended or never ran
 * @param failure what Batch says about a failure; empty for none
 * @param output standard output of all ranks
 * @param errors standard error of all ranks
 */
public record BatchResult(boolean succeeded, OptionalInt exitCode, String failure, String output, String errors) {

    /** The tables that benchmarks printed. */
    public ParsedBenchmarks benchmarks() {
        return Benchmarks.parse(output + "\n" + errors);
    }
}
