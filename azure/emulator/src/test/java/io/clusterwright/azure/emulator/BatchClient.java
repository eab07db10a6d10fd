package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Requests to an emulated Batch account, by plain HTTP, with the status that is expected. */
final class BatchClient implements AutoCloseable {
    static final String POOL = "{'id':'pool','vmSize':'Standard_HB120rs_v3','virtualMachineConfiguration':{"
            + "'nodeAgentSKUId':'batch.node.ubuntu-hpc','imageReference':{'publisher':'microsoft-dsvm',"
            + "'offer':'ubuntu-hpc','sku':'2204','version':'latest'}},'targetDedicatedNodes':2,"
            + "'enableInterNodeCommunication':%s,'startTask':{'commandLine':'/bin/true','waitForSuccess':true}}";
    static final String TASK = "{'id':'t','commandLine':'/bin/true','multiInstanceSettings':{"
            + "'numberOfInstances':2,'coordinationCommandLine':'/bin/true'}}";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final BatchEmulator emulator;

    BatchClient(BatchEmulator emulator) {
        this.emulator = emulator;
    }

    JsonNode call(int status, String method, String path, String body) {
        return send(status, method, path + "?api-version=2024-07-01.20.0", body);
    }

    JsonNode get(String path) {
        return call(200, "GET", path, "");
    }

    JsonNode post(int status, String path, String body) {
        return call(status, "POST", path, body);
    }

    /** A request to a path with its query. */
    JsonNode send(int status, String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(emulator.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode())
                    .as(method + " " + path + " " + response.body())
                    .isEqualTo(status);
            boolean json =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
            return ArmClient.JSON.readTree(json ? response.body() : "{}");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(method + " " + path, e);
        }
    }

    JsonNode list(int status, String path, String query) {
        return send(status, "GET", path + "?api-version=2024-07-01.20.0" + query, "");
    }

    String state(String path) {
        return get(path).path("state").asText();
    }

    @Override
    public void close() {
        emulator.close();
    }

    static String code(JsonNode error) {
        return error.path("code").asText();
    }

    static List<String> ids(JsonNode list) {
        return list.path("value").findValuesAsText("id");
    }
}
