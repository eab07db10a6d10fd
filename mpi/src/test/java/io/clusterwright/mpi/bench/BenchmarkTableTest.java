package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarkTableTest {

    @Test
    void hasTheColumnsThatWerePrinted() {
        BenchmarkReport report = Samples.only("""
                #    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part
                # Benchmarking Allreduce
                # #processes = 4
                       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                            0         1000         0.03         0.05         0.04
                      4194304           10      1401.21      1403.30      1402.25
                """);

        assertThat(report.title()).isEqualTo("Allreduce, 4 processes (Intel(R) MPI Benchmarks 2019 Update 6)");
        assertThat(report.toTable()).isEqualTo("""
                       bytes  repetitions    min [us]    max [us]    avg [us]
                           0         1000        0.03        0.05        0.04
                     4194304           10     1401.21     1403.30     1402.25
                """);
    }

    @Test
    void showsRatesInOneUnit() {
        BenchmarkReport report = Samples.only(Samples.read("01_azure_2015_imb40u1_pingpong_A9_dapl.txt"));

        assertThat(report.toTable())
                .startsWith("       bytes  repetitions  latency [us]  bandwidth [MB/s]\n")
                .endsWith("     4194304           10       1082.94           3873.05\n");
    }

    @Test
    void showsADashForWhatWasNotPrinted() {
        BenchmarkReport report = Samples.only("""
                                    Send BW Test
                 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
                 2          1000             7.10              6.92                0.003000
                """);

        assertThat(report.title()).isEqualTo("Send BW (perftest)");
        assertThat(report.toTable()).isEqualTo("""
                       bytes  repetitions  bandwidth [MB/s]  peak [MB/s]  messages [1/s]
                           2         1000              7.26         7.44            3000
                """);
    }
}
