package io.clusterwright.mpi.bench;

/** The tool whose output was read. */
public enum BenchmarkFormat {
    /** Intel MPI Benchmarks. */
    IMB("imb"),
    /** OSU Micro-Benchmarks. */
    OSU("osu"),
    /** NetPIPE over MPI. */
    NETPIPE("netpipe"),
    /** Microsoft's {@code mpipingpong}. */
    MPIPINGPONG("mpipingpong"),
    /** The verbs benchmarks {@code ib_write_bw}, {@code ib_write_lat} and their kin. */
    PERFTEST("perftest"),
    /** UCX's own benchmark. */
    UCX_PERFTEST("ucx_perftest");

    private final String key;

    BenchmarkFormat(String key) {
        this.key = key;
    }

    /** The name in JSON, such as {@code imb}. */
    public String key() {
        return key;
    }
}
