package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The emulated Batch account, by plain HTTP, held against Microsoft's own description of the service. */
class BatchEmulatorTest {
    private static final String POOL = "{'id':'pool','vmSize':'Standard_HB120rs_v3','virtualMachineConfiguration':{"
            + "'nodeAgentSKUId':'batch.node.ubuntu-hpc','imageReference':{'publisher':'microsoft-dsvm',"
            + "'offer':'ubuntu-hpc','sku':'2204','version':'latest'}},'targetDedicatedNodes':2,"
            + "'enableInterNodeCommunication':%s,'startTask':{'commandLine':'/bin/true','waitForSuccess':true}}";
    private static final String TASK = "{'id':'t','commandLine':'/bin/true','multiInstanceSettings':{"
            + "'numberOfInstances':2,'coordinationCommandLine':'/bin/true'}}";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private JsonNode call(BatchEmulator emulator, int status, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(emulator.url() + path + "?api-version=2024-07-01.20.0"))
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode())
                .as(method + " " + path + " " + response.body())
                .isEqualTo(status);
        boolean json = response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
        return ArmClient.JSON.readTree(json ? response.body() : "{}");
    }

    @Test
    void matchesThePublishedDescription() throws IOException, InterruptedException {
        try (BatchEmulator emulator = BatchEmulator.builder().recordTo(folder).start()) {
            assertThat(call(emulator, 200, "GET", "/supportedimages", "").path("value"))
                    .isNotEmpty();
            call(emulator, 201, "POST", "/pools", POOL.formatted(true));
            assertThat(call(emulator, 200, "GET", "/pools/pool", "")
                            .path("allocationState")
                            .asText())
                    .isEqualTo("steady");
            assertThat(call(emulator, 200, "GET", "/pools/pool/nodes", "").path("value"))
                    .hasSize(2)
                    .allSatisfy(node -> assertThat(node.path("state").asText()).isEqualTo("idle"));
            call(emulator, 201, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
            assertThat(call(emulator, 200, "GET", "/jobs/j", "").path("state").asText())
                    .isEqualTo("active");
            call(emulator, 201, "POST", "/jobs/j/tasks", TASK);
            JsonNode task = call(emulator, 200, "GET", "/jobs/j/tasks/t", "");
            assertThat(task.path("executionInfo").path("exitCode").asInt(-1)).isZero();
            call(emulator, 200, "GET", "/jobs/j/tasks/t/files/stdout.txt", "");
            call(emulator, 204, "POST", "/jobs/j/tasks/t/terminate", "{}");
            call(emulator, 202, "DELETE", "/jobs/j", "");
            call(emulator, 202, "DELETE", "/pools/pool", "");
        }
        OpenApiDocuments documents = new OpenApiDocuments();
        List<String> wrong = new ArrayList<>();
        Set<String> unknown = new TreeSet<>();
        int checked = 0;
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                var result = documents.check(ArmClient.JSON.readTree(file.toFile()), unknown);
                checked += result.isPresent() ? 1 : 0;
                wrong.addAll(result.orElse(List.of()));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(unknown).isEmpty();
        assertThat(checked).isEqualTo(12);
    }

    @Test
    void refusesWithTheCodesOfTheService() throws IOException, InterruptedException {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            assertThat(code(call(emulator, 404, "GET", "/pools/none", ""))).isEqualTo("PoolNotFound");
            assertThat(code(call(emulator, 404, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'none'}}")))
                    .isEqualTo("PoolNotFound");
            call(emulator, 201, "POST", "/pools", POOL.formatted(false));
            assertThat(code(call(emulator, 409, "POST", "/pools", POOL.formatted(false))))
                    .isEqualTo("PoolExists");
            call(emulator, 201, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
            assertThat(call(emulator, 409, "POST", "/jobs/j/tasks", TASK)
                            .path("message")
                            .path("value")
                            .asText())
                    .contains("enableInterNodeCommunication");
            assertThat(code(call(emulator, 404, "GET", "/jobs/j/tasks/t", ""))).isEqualTo("TaskNotFound");
            assertThat(code(call(
                            emulator,
                            400,
                            "POST",
                            "/jobs/j/tasks",
                            "{'id':'t','commandLine':'true','constraints':{'maxWallClockTime':'soon'}}")))
                    .isEqualTo("InvalidPropertyValue");
        }
    }

    @Test
    void startsATaskWhenEnoughNodesAreIdle() throws IOException, InterruptedException {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            call(emulator, 201, "POST", "/pools", POOL.formatted(true));
            call(emulator, 201, "POST", "/jobs", "{'id':'j','poolInfo':{'poolId':'pool'}}");
            call(
                    emulator,
                    201,
                    "POST",
                    "/jobs/j/tasks",
                    "{'id':'big','commandLine':'true','multiInstanceSettings':{'numberOfInstances':3,"
                            + "'coordinationCommandLine':'true'}}");
            assertThat(call(emulator, 200, "GET", "/jobs/j/tasks/big", "")
                            .path("state")
                            .asText())
                    .isEqualTo("active");
            call(emulator, 204, "POST", "/jobs/j/tasks/big/terminate", "{}");
            assertThat(call(emulator, 200, "GET", "/jobs/j/tasks/big", "")
                            .path("executionInfo")
                            .path("result")
                            .asText())
                    .isEqualTo("failure");
        }
    }

    private static String code(JsonNode error) {
        return error.path("code").asText();
    }
}
