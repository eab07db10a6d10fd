package io.clusterwright.mpi.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Real outputs; the first line of each names its source. */
public final class Samples {
    public static final String ARTICLE = "01_azure_2015_imb40u1_pingpong_A9_dapl.txt";
    public static final List<String> TABLES = List.of(
            ARTICLE,
            "02_imb41_aarch64_ompi_five_benchmarks.txt",
            "05_imb2021_3_hpcx_azure_batch.txt",
            "06_osu70_bcast_azure_batch.txt",
            "09_osu543_bw_mvapich2_100g_ib.txt",
            "11_osu563_latency_100g_ib.txt",
            "15_osu75_latency_validation_column.txt",
            "18_ib_write_bw_irdma_10g.txt",
            "21_ucx_perftest_tag_lat_threads.txt",
            "netpipe_mpich402_veth.txt");

    private Samples() {}

    public static String read(String name) {
        try (InputStream in = Samples.class.getResourceAsStream("samples/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static BenchmarkReport only(String text) {
        List<BenchmarkReport> reports = Benchmarks.parse(text).reports();
        if (reports.size() != 1) {
            throw new AssertionError("expected one report, got " + reports);
        }
        return reports.get(0);
    }
}
