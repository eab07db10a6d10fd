package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.core.internal.http.LoopbackServer;
import io.clusterwright.core.internal.http.Recorder;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.QueuedJob;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** All requests to Batch, compared with Microsoft's description of the service. */
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
    void requestsAndAnswersMatchTheServicesDescription() {
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

    @Test
    void everyRequestThatMakesSomethingMayLoseItsAnswer() {
        AtomicInteger posts = new AtomicInteger();
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            HttpPipelinePolicy losing = (context, next) -> next.process().flatMap(answer -> {
                boolean post = context.getHttpRequest().getHttpMethod() == HttpMethod.POST;
                return post && posts.incrementAndGet() % 2 == 1
                        ? Mono.error(new IOException("the connection was reset"))
                        : Mono.just(answer);
            });
            HttpPipeline pipeline = new HttpPipelineBuilder().policies(losing).build();
            AzureBatch batch = AzureBatch.connect(pipeline, emulator.url(), Duration.ofMillis(20));

            BatchPool pool = batch.createPool(spec(false));
            assertThatThrownBy(() -> batch.createPool(spec(false)))
                    .as("the pool of another call")
                    .hasMessageContaining("PoolExists");
            life(pool);

            assertThat(emulator.resources()).isEmpty();
        }
        assertThat(posts).hasValueGreaterThan(6);
    }

    @Test
    void aPoolWhoseProgramEndedIsFoundAndDeleted() {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            HttpPipeline pipeline = new HttpPipelineBuilder().build();
            AzureBatch.connect(pipeline, emulator.url(), Duration.ofMillis(20)).createPool(spec(true));

            AzureBatch later = AzureBatch.connect(pipeline, emulator.url(), Duration.ofMillis(20));
            assertThat(later.pools()).containsExactly("cheap");
            later.deletePool("cheap");
            later.deletePool("cheap");

            assertThat(later.pools()).isEmpty();
            assertThat(emulator.resources()).isEmpty();
        }
    }

    @Test
    void aRefusalThatIsNoJsonIsReportedAtOnce() {
        AtomicInteger requests = new AtomicInteger();
        Reply refusal = Reply.text(403, "<html>blocked by the proxy</html>", "text/html");
        try (LoopbackServer proxy = new LoopbackServer(
                "proxy",
                0,
                null,
                null,
                new Recorder(null),
                call -> Optional.of(
                        requests.incrementAndGet() == 1
                                ? Reply.ok(Json.object().set("value", Json.array()))
                                : refusal))) {
            URI account = URI.create("http://127.0.0.1:" + proxy.port());
            AzureBatch batch = AzureBatch.connect(new HttpPipelineBuilder().build(), account, Duration.ofMillis(20));
            assertThat(batch.pools()).isEmpty();

            assertThatThrownBy(batch::pools)
                    .isInstanceOfSatisfying(
                            AzureException.class,
                            e -> assertThat(e.reason()).isEqualTo(AzureException.Reason.FORBIDDEN))
                    .hasMessageContaining("list the pools")
                    .hasMessageContaining("HTTP status 403");
        }
        assertThat(requests).hasValue(2);
    }

    private static void life(BatchPool pool) {
        assertThat(pool.awaitReady(SOON)).hasSize(2);
        MpiJob job = MpiJob.of("solver", "case 1.xml").ranksPerNode(4).environment("OMP_NUM_THREADS", "30");
        MpiInstallation mpi = new MpiInstallation(MpiFlavour.HPC_X, "2.18", "/opt/hpcx/ompi/bin/mpirun");
        QueuedJob queued = job.on(pool.target(mpi, "sh", "-c", "true")).submit(Duration.ofHours(2));
        assertThat(queued.await(SOON))
                .hasValueSatisfying(status -> assertThat(status.succeeded()).isTrue());
        assertThat(queued.output()).isNotNull();
        queued.cancel();
        pool.deleteJob(queued.id());
        pool.delete();
    }
}
