package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.BatchJob;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** All requests to Batch, compared with Microsoft's description of the service. */
class BatchTrafficTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final MpiInstallation HPC_X = new MpiInstallation(MpiFlavour.HPC_X, "4.1.7", "mpirun");
    private static final String SUBNET = "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/hub"
            + "/providers/Microsoft.Network/virtualNetworks/hub/subnets/hpc";
    private static final String KEY = "a2V5IG9mIHRoZSBzdG9yYWdlIGFjY291bnQ=";

    private static final Set<HttpMethod> CHANGES = Set.of(HttpMethod.POST, HttpMethod.PATCH);

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
            grow(batch);
            cancel(batch);
            assertThatThrownBy(() -> batch.pool(spec(false)).nodes()).isInstanceOf(AzureException.class);
        }
        RecordedTraffic traffic = new RecordedTraffic(folder);
        assertThat(traffic.operations()).containsExactlyElementsOf(RecordedTraffic.list("batch-operations.txt"));
        assertThat(traffic.newer()).as("newer than the description of 2019").isEmpty();
        traffic.requireValid();
        assertThat(traffic.all()).allSatisfy(recording -> {
            assertThat(recording.at("/request/query/api-version").asText())
                    .matches("\\d{4}-\\d{2}-\\d{2}\\.\\d+\\.\\d+");
            assertThat(recording.path("response").toString()).doesNotContain(KEY);
            if (recording.at("/request/method").asText().equals("POST")) {
                assertThat(recording.at("/request/headers/content-type").asText())
                        .isEqualTo("application/json; odata=minimalmetadata");
            }
        });
    }

    @Test
    void aPoolHasTheSettingsAndAJobThePresetAndVariablesOfTheDescription() {
        try (BatchEmulator emulator = BatchEmulator.builder().recordTo(folder).start()) {
            AzureBatch batch =
                    AzureBatch.connect(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
            grow(batch);
            ClusterSpec tuned = spec(true).toBuilder()
                    .network(n -> n.addressSpace("10.0.0.0/16")
                            .subnet(s -> s.id(SUBNET).range("10.0.0.0/24")))
                    .mpi(m -> m.preset("open-mpi/tcp").ranksPerNode(3).putEnv("UCX_LOG_LEVEL", "info"))
                    .build();
            assertThat(script(emulator, batch.createPool(tuned)))
                    .contains("OMPI_MCA_pml=ob1", "UCX_LOG_LEVEL=info", "-np 6")
                    .doesNotContain("OMPI_MCA_pml=ucx", "link_layer");
            BatchPool pool = batch.createPool(spec(false));
            assertThat(script(emulator, pool))
                    .as("the preset of the size, after the scripts of the MPI")
                    .contains("hpcx_load", "OMPI_MCA_pml=ucx", "link_layer")
                    .doesNotContain("--bind-to");
            MpiJob threaded = MpiJob.of("solver").ranksPerNode(1).threadsPerRank(32);
            assertThat(script(emulator, pool, threaded))
                    .as("Open MPI binds each of two ranks to one core")
                    .contains("OMP_NUM_THREADS=32", "--bind-to none -np");
            assertThat(script(emulator, pool, threaded.launcherArguments("--map-by", "slot:pe=32")))
                    .contains("--map-by 'slot:pe=32' -np");
        }
        List<JsonNode> made = posts("/pools");
        JsonNode first = made.get(0);
        assertThat(first.at("/networkConfiguration/subnetId").asText()).isEqualTo(SUBNET);
        assertThat(first.at("/mountConfiguration").findValuesAsText("relativeMountPath"))
                .containsExactly("files", "in/blobs", "cases");
        assertThat(first.at("/mountConfiguration/0/azureFileShareConfiguration/accountName")
                        .asText())
                .isEqualTo("account1");
        assertThat(first.at("/mountConfiguration/1/azureBlobFileSystemConfiguration/containerName")
                        .asText())
                .isEqualTo("input");
        assertThat(first.has("targetDedicatedNodes")).isFalse();
        assertThat(first.path("autoScaleEvaluationInterval").asText()).isEqualTo("PT5M");
        assertThat(made.get(1).at("/networkConfiguration/subnetId").asText()).isEqualTo(SUBNET);
    }

    /** The script of a job on a pool. */
    private static String script(BatchEmulator emulator, BatchPool pool) {
        return script(emulator, pool, MpiJob.of("solver"));
    }

    private static String script(BatchEmulator emulator, BatchPool pool, MpiJob described) {
        pool.awaitReady(SOON);
        QueuedJob job = described.on(pool.target(HPC_X)).submit();
        BatchCalls calls = new BatchCalls(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
        return calls.list("list the tasks", "/jobs/" + job.id() + "/tasks")
                .get(0)
                .at("/environmentSettings/0/value")
                .asText();
    }

    private List<JsonNode> posts(String end) {
        return posts(folder, end);
    }

    private static List<JsonNode> posts(Path recordings, String end) {
        return new RecordedTraffic(recordings)
                .all().stream()
                        .map(recording -> recording.path("request"))
                        .filter(request -> request.path("method").asText().equals("POST"))
                        .filter(request -> request.path("path").asText().endsWith(end))
                        .map(request -> request.path("body"))
                        .toList();
    }

    @Test
    void refusesSettingsThatBatchWouldRefuse() {
        BatchPool pool = AzureBatch.connect(
                        new HttpPipelineBuilder().build(), URI.create("http://127.0.0.1:9"), Duration.ofMillis(20))
                .pool(spec(false));
        URI share = URI.create("https://account1.file.core.windows.net/share");
        BatchPool mounted = pool.mountAzureFiles(share, Secret.of(KEY), "data", "");
        assertThatThrownBy(() -> pool.subnet("hpc")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> pool.mountBlobs(share, Secret.of(KEY), "data", ""))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid container of Azure Blob Storage ")
                .hasMessageContaining("https://ACCOUNT.blob.core.windows.net/CONTAINER");
        assertThatThrownBy(() -> mounted.mountNfs("server:/export", "data", ""))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(
                        "the pool mounts https://account1.file.core.windows.net/share in folder data already");
        assertThatThrownBy(() -> pool.mountNfs("server:/export", "../data", ""))
                .hasMessageContaining("a relative path without '..'");
        assertThatThrownBy(() -> pool.mountNfs("/export", "data", "")).hasMessageContaining("server:/path");
        assertThatThrownBy(() -> pool.autoScale("$Nodes = 3;", Duration.ofMinutes(5)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("a formula that sets $TargetDedicatedNodes or $TargetLowPriorityNodes");
        assertThatThrownBy(() -> pool.autoScale("$TargetDedicatedNodes = 3;", Duration.ofMinutes(4)))
                .hasMessageContaining("PT5M to PT168H");
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.westeurope.batch.azure.com, https://batch.core.windows.net//.default",
        "https://a.chinanorth3.batch.chinacloudapi.cn, https://batch.chinacloudapi.cn//.default",
        "https://a.usgovvirginia.batch.usgovcloudapi.net, https://batch.core.usgovcloudapi.net//.default"
    })
    void asksForTokensOfTheCloudOfTheAccount(URI account, String scope) {
        List<String> scopes = new CopyOnWriteArrayList<>();
        AzureBatch batch = AzureBatch.connect(
                request -> {
                    scopes.addAll(request.getScopes());
                    return Mono.error(new AssertionError("no token for a test"));
                },
                account);

        assertThatThrownBy(batch::pools).hasMessageContaining("no token for a test");
        assertThat(scopes).contains(scope).containsOnly(scope);
    }

    @Test
    void refusesACredentialForAnAccountOfAnUnknownCloud() {
        assertThatThrownBy(() -> AzureBatch.connect(request -> Mono.empty(), URI.create("https://batch.example")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(
                        "a host name that ends in .batch.azure.com or .batch.chinacloudapi.cn or .batch.usgovcloudapi.net");
    }

    @Test
    void everyRequestThatMakesSomethingMayLoseItsAnswer() {
        AtomicInteger posts = new AtomicInteger();
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            HttpPipelinePolicy losing = (context, next) -> next.process().flatMap(answer -> {
                boolean change = CHANGES.contains(context.getHttpRequest().getHttpMethod());
                return change && posts.incrementAndGet() % 2 == 1
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
                    .satisfies(AzureFixture.is(AzureException.Reason.FORBIDDEN))
                    .hasMessageContaining("list the pools")
                    .hasMessageContaining("HTTP status 403");
        }
        assertThat(requests).hasValue(2);
    }

    @Test
    void outputKeepsItsBytesAndReplacesALink(@TempDir Path folder) throws IOException {
        byte[] noise = {(byte) 0xff, 0, (byte) 0xc3, '\n', (byte) 0x80};
        Path kept = Files.writeString(folder.resolve("kept"), "kept");
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
        try (LoopbackServer batch = new LoopbackServer(
                "batch",
                0,
                null,
                null,
                new Recorder(null),
                call -> Optional.of(
                        call.path().endsWith("/stdout.txt")
                                ? Reply.file(noise)
                                : call.path().endsWith("/stderr.txt")
                                        ? Reply.text(404, "{\"code\":\"FileNotFound\"}", "application/json")
                                        : Reply.ok(Json.object().put("state", "completed"))))) {
            BatchCalls calls = new BatchCalls(
                    new HttpPipelineBuilder().build(),
                    URI.create("http://127.0.0.1:" + batch.port()),
                    Duration.ofMillis(20));
            BatchJob job = BatchJob.find(calls, "job");
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            ByteArrayOutputStream polled = new ByteArrayOutputStream();

            job.writeOutput(written);
            job.poll((stream, bytes, length) -> polled.write(bytes, 0, length));
            job.downloadOutput(link);

            assertThat(written.toByteArray()).isEqualTo(noise);
            assertThat(polled.toByteArray()).isEqualTo(noise);
        }
        assertThat(Files.readAllBytes(link)).isEqualTo(noise);
        assertThat(kept).hasContent("kept");
    }

    /** A pool with every setting, whose nodes come with its first job and go after it. */
    private static void grow(AzureBatch batch) {
        BatchPool pool = batch.pool(spec(false))
                .subnet(SUBNET)
                .mountAzureFiles(
                        URI.create("https://account1.file.core.windows.net/share"),
                        Secret.of(KEY),
                        "files",
                        "-o vers=3.1.1")
                .mountBlobs(URI.create("https://account1.blob.core.windows.net/input"), Secret.of(KEY), "in/blobs", "")
                .mountNfs("10.32.8.4:/export", "cases", "-o vers=4.2")
                .autoScale(
                        "$TargetDedicatedNodes = min(4, 2 * avg($PendingTasks.GetSample(1)));", Duration.ofMinutes(5))
                .startScript("echo own")
                .create();
        assertThat(pool.toString()).isEqualTo("pool pool");
        assertThat(pool.awaitReady(SOON)).isEmpty();
        run(pool);
        assertThat(pool.awaitReady(SOON)).isEmpty();
        pool.delete();
        pool.delete();
    }

    /** A job that waits for nodes. */
    private static void cancel(AzureBatch batch) {
        BatchPool pool = batch.pool(spec(true))
                .autoScale("$TargetLowPriorityNodes = 0;", Duration.ofHours(1))
                .create();
        QueuedJob queued = MpiJob.of("solver").on(pool.target(HPC_X)).submit();
        assertThat(QueuedJob.list(pool.target(HPC_X)))
                .isEqualTo(batch.jobs())
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.id()).isEqualTo(queued.id());
                    assertThat(job.name()).isEqualTo("solver");
                    assertThat(job.user()).isEqualTo("hpcuser");
                    assertThat(job.status().state()).isEqualTo(QueuedJobStatus.State.WAITING);
                    assertThat(job.nodes()).isEmpty();
                });
        QueuedJob waiting = MpiJob.of("solver").on(pool.target(HPC_X)).submit();
        queued.cancel();
        assertThat(queued.await(SOON))
                .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(QueuedJobStatus.State.CANCELLED));
        pool.deleteJob(queued.id());
        pool.delete();
        assertThat(waiting.await(SOON))
                .as("a job does not outlive its pool")
                .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(QueuedJobStatus.State.CANCELLED));
        pool.deleteJob(waiting.id());
    }

    @Test
    void aJobThatHasRunIsListedAndActiveNoLonger() {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch =
                    AzureBatch.connect(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
            BatchPool pool = batch.createPool(spec(false));
            pool.awaitReady(SOON);
            JobTarget target = pool.target(HPC_X);
            String id = MpiJob.of("/opt/app/solver").on(target).submit().id();
            assertThat(QueuedJob.list(target)).singleElement().satisfies(job -> {
                assertThat(job.id()).isEqualTo(id);
                assertThat(job.name()).isEqualTo("solver");
                assertThat(job.status().succeeded()).isTrue();
                assertThat(job.nodes()).startsWith("tvm-");
            });
            BatchCalls calls = new BatchCalls(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
            JsonNode ended = calls.get("read the job", "/jobs/" + id);
            assertThat(ended.path("state").asText()).isEqualTo("completed");
            assertThat(ended.at("/executionInfo/terminateReason").asText()).isEqualTo("AllTasksComplete");
        }
    }

    @Test
    void commonFilesOfAJobGoThroughAContainerOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("case 1.xml"), "case");
        Path recordings = folder.resolve("recordings");
        try (BatchEmulator emulator =
                BatchEmulator.builder().recordTo(recordings).start()) {
            BatchPool pool = AzureBatch.connect(
                            new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20))
                    .createPool(spec(false));
            pool.awaitReady(SOON);
            MpiJob job = MpiJob.of("solver").stageIn(file, "case.xml").stageIn(file, "/scratch/case.xml");
            assertThatThrownBy(() -> job.on(pool.target(HPC_X)).submit())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("Azure Batch nodes can read files from storage only")
                    .hasMessageContaining("BatchPool.storage");
            assertThatThrownBy(() -> MpiJob.of("solver")
                            .stageIn(file, "stdout.txt")
                            .on(pool.storage(emulator.container("files", "rcw")).target(HPC_X))
                            .submit())
                    .hasMessageContaining("Azure Batch reserves stdout.txt");
            assertThatThrownBy(() -> MpiJob.of("solver")
                            .stageIn(file, "~/case.xml")
                            .on(pool.storage(emulator.container("files", "rcw")).target(HPC_X))
                            .submit())
                    .hasMessage("this scheduler copies no file to ~/case.xml: write case.xml, which is below the folder"
                            + " in which the ranks start");
            BatchPool unsigned = pool.storage(
                    Secret.of(emulator.container("files", "rcw").reveal().replaceFirst("sig=", "sig=x")));
            assertThatThrownBy(() -> job.on(unsigned.target(HPC_X)).submit())
                    .satisfies(AzureFixture.is(AzureException.Reason.FORBIDDEN))
                    .hasMessageContaining("may not read, create and write (sp=rcw)")
                    .hasMessageNotContaining("sig=");
            assertThat(emulator.resources()).as("no job is left behind").containsExactly("pools/pool");
            job.on(pool.storage(emulator.container("files", "rcw"))
                            .commonFiles("cases", "run1/", "in")
                            .target(HPC_X))
                    .submit();
            // Without the permission to write: the content is there.
            job.on(pool.storage(emulator.container("files", "r")).target(HPC_X)).submit();
        }
        RecordedTraffic traffic = new RecordedTraffic(recordings);
        traffic.requireValid();
        JsonNode many = posts(recordings, "/tasks").get(0).path("multiInstanceSettings");
        JsonNode files = many.path("commonResourceFiles");
        assertThat(files.findValuesAsText("filePath")).containsExactly("in", "case.xml", ".clusterwright-files/1");
        assertThat(files.at("/0/autoStorageContainerName").asText()).isEqualTo("cases");
        assertThat(files.at("/1/httpUrl").asText())
                .matches("http://127.0.0.1:\\d+/files/clusterwright/[0-9a-f]{32}/case%201.xml\\?.*");
        assertThat(many.path("coordinationCommandLine").asText()).contains("CLUSTERWRIGHT_COORDINATION");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://account.blob.core.windows.net/box",
                "https://account.blob.core.windows.net/?sp=rcw&sig=secret",
                "https://account.blob.core.windows.net/Box?sp=rcw&sig=secret",
                "http://account.blob.core.windows.net/box?sp=rcw&sig=secret"
            })
    void refusesAContainerWithoutASignatureOrOverPlainHttp(String container) {
        BatchPool pool = AzureBatch.connect(
                        new HttpPipelineBuilder().build(), URI.create("http://127.0.0.1:9"), Duration.ofMillis(20))
                .pool(spec(false));
        assertThatThrownBy(() -> pool.storage(Secret.of(container)))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> pool.commonFile(URI.create("case.xml"), "case.xml"))
                .hasMessageContaining("an http or https URL");
        assertThatThrownBy(() -> pool.commonFile(URI.create("https://a.example/b"), "../b"))
                .hasMessageContaining("a relative path without '..'");
        assertThatThrownBy(() -> pool.commonFiles("No_Name", "", "")).hasMessageContaining("lower-case letters");
    }

    @Test
    void aPoolOfWindowsNodesIsRefusedWithWhatToUseInstead() {
        ClusterSpec image = spec(false).toBuilder()
                .image(i -> i.base(Images.WINDOWS_SERVER_2019.toString()))
                .build();
        ClusterSpec system = ClusterSpec.builder("pool")
                .region("westeurope")
                .operatingSystem(OperatingSystem.WINDOWS)
                .nodes(n -> n.count(2).size("Standard_HB120rs_v3"))
                .build();
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch =
                    AzureBatch.connect(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(20));
            String remedy = "for MS-MPI a cluster of HPC Pack (scheduler: hpc-pack)";
            assertThatThrownBy(() -> batch.createPool(image))
                    .isInstanceOf(AzureException.class)
                    .hasMessageContaining("create pool pool: its image is a Windows image")
                    .hasMessageContaining(remedy);
            assertThatThrownBy(() -> batch.createPool(system))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("jobs of Batch start on Linux nodes only")
                    .hasMessageContaining(remedy);
            assertThat(emulator.resources()).isEmpty();
        }
    }

    private static void life(BatchPool pool) {
        assertThat(pool.awaitReady(SOON)).hasSize(2);
        run(pool);
        pool.delete();
    }

    private static void run(BatchPool pool) {
        MpiJob job = MpiJob.of("solver", "case 1.xml").ranksPerNode(4).environment("OMP_NUM_THREADS", "30");
        QueuedJob queued = job.on(pool.target(HPC_X, "sh", "-c", "true")).submit(Duration.ofHours(2));
        assertThat(queued.await(SOON))
                .hasValueSatisfying(status -> assertThat(status.succeeded()).isTrue());
        assertThat(queued.output()).isNotNull();
        queued.cancel();
        pool.deleteJob(queued.id());
    }
}
