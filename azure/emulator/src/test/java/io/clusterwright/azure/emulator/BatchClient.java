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
final class BatchClient {
    static final String POOL = "{'id':'pool','vmSize':'Standard_HB120rs_v3','virtualMachineConfiguration':{"
            + "'nodeAgentSKUId':'batch.node.ubuntu-hpc','imageReference':{'publisher':'microsoft-dsvm',"
            + "'offer':'ubuntu-hpc','sku':'2204','version':'latest'}},'targetDedicatedNodes':2,"
            + "'enableInterNodeCommunication':%s,'startTask':{'commandLine':'/bin/true','waitForSuccess':true}}";
    static final String TASK = "{'id':'t','commandLine':'/bin/true','multiInstanceSettings':{"
            + "'numberOfInstances':2,'coordinationCommandLine':'/bin/true'}}";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private BatchClient() {}

    static JsonNode call(BatchEmulator emulator, int status, String method, String path, String body)
            throws IOException, InterruptedException {
        return send(emulator, status, method, path, body, "?api-version=2024-07-01.20.0");
    }

    static JsonNode send(BatchEmulator emulator, int status, String method, String path, String body, String query)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(emulator.url() + path + query))
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode())
                .as(method + " " + path + " " + response.body())
                .isEqualTo(status);
        boolean json = response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
        return ArmClient.JSON.readTree(json ? response.body() : "{}");
    }

    static String state(BatchEmulator emulator, String path) throws IOException, InterruptedException {
        return call(emulator, 200, "GET", path, "").path("state").asText();
    }

    static String code(JsonNode error) {
        return error.path("code").asText();
    }

    static List<String> ids(JsonNode list) {
        return list.path("value").findValuesAsText("id");
    }

    static JsonNode list(BatchEmulator emulator, int status, String path, String query) throws Exception {
        return send(emulator, status, "GET", path, "", "?api-version=2024-07-01.20.0" + query);
    }
}
