package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpPipelineBuilder;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiJob;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that Batch is asked for, held against Microsoft's description of the service. */
class BatchTrafficTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static ClusterSpec spec(boolean spot) {
        return ClusterSpec.builder(spot ? "cheap" : "pool")
                .region("westeurope")
                .nodes(n -> n.count(2).size("Standard_HB120rs_v3").spot(s -> s.enabled(spot)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest")
                        .customize(c -> c.packages("nfs-common", "numactl")))
                .putTag("owner", "cfd")
                .build();
    }

    @Test
    void everyOperationIsDescribedAndItsRequestsAndAnswersAreValid() {
        try (BatchEmulator emulator = BatchEmulator.builder().recordTo(folder).start()) {
            AzureBatch batch =
                    AzureBatch.connect(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
            life(batch.createPool(spec(false), "echo own"));
            life(batch.createPool(spec(true)));
            assertThatThrownBy(() -> batch.pool(spec(false)).nodes()).isInstanceOf(AzureException.class);
        }
        RecordedTraffic traffic = new RecordedTraffic(folder);
        assertThat(traffic.operations()).containsExactlyElementsOf(RecordedTraffic.list("batch-operations.txt"));
        assertThat(traffic.newer()).as("newer than the description of 2019").isEmpty();
        traffic.requireValid();
        assertThat(traffic.all()).allSatisfy(recording -> {
            assertThat(recording.at("/request/query/api-version").asText())
                    .matches("\\d{4}-\\d{2}-\\d{2}\\.\\d+\\.\\d+");
            if (recording.at("/request/method").asText().equals("POST")) {
                assertThat(recording.at("/request/headers/content-type").asText())
                        .isEqualTo("application/json; odata=minimalmetadata");
            }
        });
    }

    private static void life(BatchPool pool) {
        assertThat(pool.awaitReady(SOON)).hasSize(2);
        MpiJob job = MpiJob.of("solver", "case 1.xml").ranksPerNode(4).environment("OMP_NUM_THREADS", "30");
        BatchRun run = pool.submit(BatchTask.of(job, MpiFlavour.HPC_X, 2)
                .launcher("/opt/hpcx/ompi/bin/mpirun")
                .coordination("sh", "-c", "true")
                .limit(Duration.ofHours(2)));
        assertThat(run.await(SOON))
                .hasValueSatisfying(result -> assertThat(result.succeeded()).isTrue());
        run.cancel();
        run.delete();
        pool.delete();
    }
}
