package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.LatencyEnvelope;
import io.clusterwright.mpi.bench.Measure;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.mpi.job.Diagnosis;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.VersionRange;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of benchmarks and presets, run. */
class MpiSnippetsTest extends Snippets {
    private static final Path SAMPLE =
            Path.of("src", "test", "resources", "samples", "01_azure_2015_imb40u1_pingpong_A9_dapl.txt");

    @Test
    void readsABenchmark() throws Exception {
        String output = Files.readString(SAMPLE);
        // Javadoc of Benchmarks
        for (BenchmarkReport report : Benchmarks.parse(output).reports()) {
            for (BenchmarkRow row : report.rows()) {
                show(row.value(Measure.BYTES) + " bytes: " + row.latencyMicros() + " us");
            }
            Verdict verdict = LatencyEnvelope.article().judge(report); // 3 us up to 512 bytes
            show(report.title() + ": " + verdict.status() + ", " + verdict.reasons());
        }

        assertThat(shown()).contains("PASSED");
    }

    @Test
    void readsABenchmarkWhileItRuns() throws Exception {
        String output = Files.readString(SAMPLE);
        // Javadoc of BenchmarkStream
        BenchmarkStream stream = new BenchmarkStream(row -> show(row)); // each row as soon as it is complete
        output.lines().forEach(line -> stream.feed(line + "\n"));
        Benchmarks all = stream.finish();

        assertThat(all.reports()).hasSize(1);
        assertThat(shown()).isNotEmpty();
    }

    @Test
    void choosesAPreset() {
        // Javadoc of MpiPresets
        MpiPresets.PresetChoice choice = MpiPresets.choose(Interconnect.SRIOV_INFINIBAND, MpiFlavour.OPEN_MPI, "4.1.4");
        MpiPreset preset = choice.preset();
        Map<String, String> variables = preset.environment("4.1.4", Interconnect.SRIOV_INFINIBAND);
        show(preset.name() + ": " + choice.reason() + ", " + variables);

        // Javadoc of VersionRange
        boolean affected = VersionRange.of(">=2019 <2021.19").contains("2021.9");

        assertThat(shown()).contains("open-mpi");
        assertThat(affected).isTrue();
    }

    @Test
    void knowsTheLimitsOfASize() {
        // Javadoc of FabricEnvelope
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
        FabricEnvelope limits = FabricEnvelope.of(size).withLatency(2.0, 512, "acceptance test of our site");
        show(limits.maxMicros() + " us, " + limits.minBytesPerSecond() + " bytes/s");

        assertThat(limits.latencySource()).isEqualTo("acceptance test of our site");
    }

    @Test
    void recognisesAFailure() throws Exception {
        InputStream output = new ByteArrayInputStream(
                ("solver: error while loading shared libraries: libmpi.so.40: cannot open shared object file: No such"
                                + " file or directory\n")
                        .getBytes(StandardCharsets.UTF_8));
        // Javadoc of Diagnosis
        for (Diagnosis diagnosis : Diagnosis.of(output)) { // the output of a job, of any scheduler
            show("line " + diagnosis.line() + ": " + diagnosis.cause() + "; " + diagnosis.remedy());
        }

        assertThat(shown()).startsWith("line 1: ");
    }
}
