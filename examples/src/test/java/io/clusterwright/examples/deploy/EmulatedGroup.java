package io.clusterwright.examples.deploy;

import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.resources.ResourceManager;
import com.azure.resourcemanager.resources.models.Deployment;
import com.azure.resourcemanager.resources.models.DeploymentMode;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A resource group of an emulated Azure, with the SDK's client of deployments. */
final class EmulatedGroup {
    private static final int MOST_STEPS = 200;

    private final ArmEmulator emulator;
    private final String name;
    private final HttpClient http = HttpClient.newHttpClient();

    EmulatedGroup(ArmEmulator emulator, String name, String region) throws IOException, InterruptedException {
        this.emulator = emulator;
        this.name = name;
        put(id(""), "2021-04-01", "{'location':'" + region + "'}");
    }

    /** The id of a resource of the group, or of the group itself. */
    String id(String resource) {
        return "/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/" + name
                + (resource.isEmpty() ? "" : "/providers/" + resource);
    }

    /** Single quotes stand for double ones. */
    JsonNode put(String id, String version, String body) throws IOException, InterruptedException {
        return send(request(id, version)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    JsonNode get(String resource, String version) throws IOException, InterruptedException {
        return send(request(id(resource), version));
    }

    private HttpRequest.Builder request(String id, String version) {
        return HttpRequest.newBuilder(
                URI.create(emulator.url() + id + (id.contains("?") ? "&" : "?") + "api-version=" + version));
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() > 299) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return Json.MAPPER.readTree(answer.body());
    }

    /** Deploys a template at once, without the waits of a client; the refusal, or the deployment as it ended. */
    String outcome(String template, String parameters) throws IOException, InterruptedException {
        ObjectNode body = Json.object();
        ObjectNode properties = body.putObject("properties").put("mode", "Incremental");
        properties.set("template", Json.MAPPER.readTree(template));
        properties.set("parameters", Json.MAPPER.readTree(parameters));
        String id = id("Microsoft.Resources/deployments/hpcpack");
        HttpResponse<String> answer = http.send(
                request(id, "2021-04-01")
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build(),
                BodyHandlers.ofString());
        for (int i = 0; answer.statusCode() < 300 && i < MOST_STEPS; i++) {
            emulator.advance(Duration.ofMinutes(10));
            answer = http.send(request(id, "2021-04-01").build(), BodyHandlers.ofString());
            if (!answer.body().contains("\"provisioningState\":\"Running\"")) {
                return answer.body();
            }
        }
        return answer.body();
    }

    /** Deploys a template as {@code az deployment group create} does, and waits for its end. */
    Deployment deploy(String template, String parameters) throws IOException {
        Map<String, String> endpoints = new HashMap<>(AzureEnvironment.AZURE.getEndpoints());
        endpoints.put("resourceManagerEndpointUrl", emulator.url().toString());
        endpoints.put("managementEndpointUrl", emulator.url().toString());
        AzureProfile profile = new AzureProfile(
                "11111111-1111-1111-1111-111111111111", emulator.subscriptionId(), new AzureEnvironment(endpoints));
        return ResourceManager.authenticate(
                        new HttpPipelineBuilder().policies(new RetryPolicy()).build(), profile)
                .withSubscription(emulator.subscriptionId())
                .deployments()
                .define("hpcpack")
                .withExistingResourceGroup(name)
                .withTemplate(template)
                .withParameters(parameters)
                .withMode(DeploymentMode.INCREMENTAL)
                .create();
    }
}
