package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An emulated Azure for one test. What was asked and answered is held against Microsoft's descriptions when it is closed, so that every
 * test of the provider checks its requests too.
 */
final class TestAzure implements AutoCloseable {
    private static final int WORDS_OF_RESOURCE = 9;

    private final RecordedTraffic traffic;
    private final ArmEmulator emulator;
    private final ArmClient client;
    private int forgotten;

    TestAzure() {
        this(builder -> builder);
    }

    /** @param setup changes how the emulator is set up: fast, with 12,000 cores of each family, and without faults */
    TestAzure(UnaryOperator<ArmEmulator.Builder> setup) {
        try {
            Path all = Files.createDirectories(Path.of("target", "recordings"));
            Path own = Files.createTempDirectory(all, "test");
            ArmEmulator.Builder builder = ArmEmulator.builder()
                    .coresPerFamily(12_000)
                    .retryAfter(Duration.ZERO)
                    .recordTo(own);
            this.emulator = setup.apply(builder).start();
            this.client = new ArmClient(emulator);
            this.traffic = new RecordedTraffic(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI endpoint() {
        return emulator.url();
    }

    Optional<Secret> token() {
        return emulator.token();
    }

    String subscription() {
        return emulator.subscriptionId();
    }

    RecordedTraffic traffic() {
        return traffic;
    }

    /** The id of the resource group that the specs of {@link AzureFixture} mean. */
    String group() {
        return "/subscriptions/" + subscription() + "/resourceGroups/cluster-rg";
    }

    /** Method and path of each request, without the query. */
    List<String> requests() {
        List<SeenRequest> seen = emulator.requests();
        return seen.subList(forgotten, seen.size()).stream()
                .map(request -> request.method() + " " + request.path())
                .toList();
    }

    /** When each operation was asked for, by the path of the operation. */
    Map<String, List<Duration>> polls() {
        return emulator.requests().stream()
                .filter(request -> request.path().contains("/operations/"))
                .collect(Collectors.groupingBy(
                        SeenRequest::path, Collectors.mapping(SeenRequest::at, Collectors.toList())));
    }

    void advance(Duration time) {
        emulator.advance(time);
    }

    long writes() {
        return requests().stream()
                .filter(request -> request.startsWith("PUT ") || request.startsWith("POST "))
                .count();
    }

    void forgetRequests() {
        forgotten = emulator.requests().size();
    }

    /** Whether a token came with any request; recordings hide which. */
    boolean anyToken() {
        return traffic.all().stream()
                .anyMatch(recording -> recording.at("/request/headers").has("authorization"));
    }

    void faults(Fault... faults) {
        emulator.faults(faults);
    }

    /** The ids of groups and of resources that are in no other, in lower case and in order. */
    List<String> ids() {
        return emulator.resources().stream()
                .filter(id -> id.split("/", -1).length <= WORDS_OF_RESOURCE)
                .map(id -> id.toLowerCase(Locale.ROOT))
                .sorted()
                .toList();
    }

    JsonNode get(String path) {
        return client.get(path).body();
    }

    /** A resource by its id below the group, such as {@code /providers/Microsoft.Compute/virtualMachines/cluster11}. */
    JsonNode resource(String end) {
        return get(group() + end);
    }

    JsonNode network(String end) {
        return resource("/providers/Microsoft.Network/" + end);
    }

    JsonNode compute(String end) {
        return resource("/providers/Microsoft.Compute/" + end);
    }

    /** Makes something that the provider did not ask for; single quotes stand for double ones. */
    void put(String path, String json) {
        String status = client.finish(client.put(path, json));
        if (!status.equals("Succeeded")) {
            throw new AssertionError(path + " is " + status);
        }
    }

    /** Replaces the tags of a resource below the group; single quotes stand for double ones. */
    void tag(String end, String tags) {
        client.finish(client.send("PATCH", group() + end, "{'tags':" + tags + "}"));
    }

    @Override
    public void close() {
        emulator.close();
        traffic.requireValid();
    }
}
