package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands for a cluster on an emulated Azure whose description names an emulated head node. */
@Timeout(120)
class HpcPackClusterTest {
    private final HpcPackEmulator head = HpcPackEmulator.builder()
            .plainHttp()
            .addNode("WIN-01", 8)
            .addNode("WIN-02", 8)
            .addNode("OTHER", 8)
            .tasksRunBy(HpcPackCommandTest::play)
            .start();
    private final ArmEmulator azure = ArmEmulator.builder()
            .retryAfter(Duration.ZERO)
            .emulatedPowerShell(new PlayedNodes())
            .start();

    @TempDir
    private Path folder;

    @BeforeEach
    void create() throws IOException {
        assertThat(System.getenv("CLUSTERWRIGHT_STATE"))
                .as("the cluster is recorded in the state folder: name one with CLUSTERWRIGHT_STATE, as the build does")
                .isNotNull();
        Files.createFile(
                folder.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(folder.resolve("password"), head.password().reveal());
        ClusterSpec spec = SpecReader.read(Files.writeString(folder.resolve("spec.yaml"), """
                name: lab
                region: westeurope
                operatingSystem: windows
                nodes: {count: 2, size: Standard_HB120rs_v3, namePattern: 'WIN-%%01%%'}
                network: {addressSpace: 10.57.0.0/16, ssh: {external: none}}
                login: {user: hpcadmin}
                image: {base: "MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest", capture: false}
                scheduler: hpc-pack
                hpcPack:
                  version: 2019
                  scenario: resource-manager
                  resourceManager: {clusterName: hpc1, certificate: {keyVault: hpc1-kv, secretName: hpc}}
                  head: {address: "%s", user: 'HPC\\hpcadmin', password: {secret: file:password}}
                """.formatted(head.url())));
        try (ClusterManager manager = ClusterManager.builder(connect())
                .stateStore(StateStore.standard())
                .build()) {
            manager.create(spec).close();
        }
    }

    private AzureMachines connect() {
        HttpPipeline pipeline =
                new HttpPipelineBuilder().policies(new RetryPolicy()).build();
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", azure.url().toString());
        endpoints.put("managementEndpointUrl", azure.url().toString());
        AzureProfile profile = new AzureProfile(
                "22222222-2222-2222-2222-222222222222", azure.subscriptionId(), new AzureEnvironment(endpoints));
        return AzureMachines.builder(pipeline, profile)
                .pollInterval(Duration.ofMillis(5))
                .build();
    }

    @AfterEach
    void close() {
        clusterwright(0, "destroy", "lab");
        azure.close();
        head.close();
    }

    @Test
    void jobsAndChecksGoThroughTheQueueOfItsHeadNode() throws Exception {
        assertThat(clusterwright(0, "mpi", "lab", "--ppn", "1", "--", "app.exe", "a b"))
                .isEqualTo(
                        "emulated, not run: mpiexec -c 1 -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all app.exe \"a b\"\n");
        assertThat(head.requests()).contains("POST /hpc/jobs/1/submit 204");

        // The played figures are those of the article, on a network that is five times slower than that of the size.
        String verified = clusterwright(3, "verify", "lab");
        assertThat(verified)
                .contains(
                        "verdict: passed\n  all 1 pairs are within",
                        "verdict: failed\n  31.1 Gb/s between WIN-01 and WIN-02")
                .doesNotContain("OTHER");

        String id = clusterwright(0, "submit", "lab", "--", "app.exe").strip();
        JsonNode end = Json.MAPPER.readTree(clusterwright(0, "mpi", "lab", "--attach", id, "--json"));
        assertThat(end.path("outcome").asText()).isEqualTo("ended");
        assertThat(end.path("id").asText()).isEqualTo(id);
        assertThat(end.path("output").get(0).asText()).contains("app.exe");
        assertThat(clusterwright(0, "output", "lab", id, "--follow")).contains("app.exe");
    }

    /** Runs the program, which must end with this status; gives what it printed. */
    private String clusterwright(int status, String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        int words = command.indexOf("--");
        command.addAll(
                words < 0 ? command.size() : words,
                List.of("--endpoint", azure.url().toString()));
        InThisJvm.Ran ran = InThisJvm.run(command.toArray(String[]::new));
        assertThat(ran.status()).as(ran.toString()).isEqualTo(status);
        return ran.stdout();
    }
}
