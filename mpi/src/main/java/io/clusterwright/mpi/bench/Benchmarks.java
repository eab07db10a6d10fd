package io.clusterwright.mpi.bench;

import java.nio.charset.StandardCharsets;

/**
 * Reads the output of MPI and fabric benchmarks: Intel MPI Benchmarks 3 to 2021, OSU, NetPIPE, perftest, ucx_perftest,
 * and partly mpipingpong.
 *
 * <p>The text may hold anything else too: noise around tables, warnings between rows, CR LF line ends, rank labels of
 * launchers. A row that is cut or contradicts itself is left out with a finding: what is reported was printed.
 */
public final class Benchmarks {
    private Benchmarks() {}

    /** Reads a complete text. */
    public static ParsedBenchmarks parse(String text) {
        BenchmarkStream stream = new BenchmarkStream(row -> {});
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stream.feed(bytes, bytes.length);
        return stream.finish();
    }
}
