package io.clusterwright.mpi.bench;

/**
 * A unit in which benchmarks print a data rate.
 *
 * <p>The words on the page do not tell: {@code Mbytes/sec} is {@link #MIB_PER_SECOND} in Intel MPI Benchmarks up to 4.1
 * and {@link #MEGABYTE_PER_SECOND} from 2018 on. What each tool means was found by dividing its bytes by its times.
 */
public enum RateUnit {
    /** 2<sup>20</sup> bytes per second: IMB 3 and 4, perftest, ucx_perftest. */
    MIB_PER_SECOND("MiB/s", 1024.0 * 1024.0),
    /** 10<sup>6</sup> bytes per second: IMB 2018 and later, OSU. */
    MEGABYTE_PER_SECOND("MB/s", 1e6),
    /** 2<sup>20</sup> bits per second: NetPIPE. */
    MEBIBIT_PER_SECOND("Mibit/s", 1024.0 * 1024.0 / 8),
    /** 10<sup>9</sup> bits per second: perftest with {@code --report_gbits}. */
    GIGABIT_PER_SECOND("Gbit/s", 1e9 / 8);

    private final String symbol;
    private final double bytesPerSecond;

    RateUnit(String symbol, double bytesPerSecond) {
        this.symbol = symbol;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** The unit as it is written, such as {@code MiB/s}. */
    public String symbol() {
        return symbol;
    }

    /** A rate of this unit in bytes per second. */
    public double toBytesPerSecond(double rate) {
        return rate * bytesPerSecond;
    }
}
