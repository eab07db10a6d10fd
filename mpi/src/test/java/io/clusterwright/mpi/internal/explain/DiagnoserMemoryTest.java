package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.job.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("It measures the memory of this JVM.")
class DiagnoserMemoryTest {
    @Test
    void aLogOfAHundredMegabytesIsReadInLittleMemory() throws IOException {
        byte[] line = "step 4711: residual 1.3e-7 after 12 iterations, all ranks are well and quick\n"
                .getBytes(StandardCharsets.UTF_8);
        int before = 1_300_000;
        InputStream log = new DiagnoserReadingTest.Repeated(line, before, "Host key verification failed.\n");
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long used = runtime.totalMemory() - runtime.freeMemory();

        List<Diagnosis> found = Diagnoser.diagnose(log);

        System.gc();
        assertThat(found).singleElement().extracting(Diagnosis::line).isEqualTo(before + 1);
        assertThat(runtime.totalMemory() - runtime.freeMemory() - used).isLessThan(20L << 20);
    }
}
