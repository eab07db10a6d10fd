package io.clusterwright.azure.emulator.internal.machines;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Record of what an emulator creates on its machine host, written before each creation, so that a killed emulator leaves no orphan. */
public final class ResourceLedger {
    private final Path file;

    public ResourceLedger(Path file) {
        this.file = file;
    }

    void network(ClusterId id, String subnetId, AddressRange subnet) {
        append(Json.object()
                .put("network", id.name().value())
                .put("id", id.id())
                .put("subnetId", subnetId)
                .put("subnet", subnet.toString()));
    }

    /** Forgets a network that was deleted. */
    synchronized void deleted(ClusterName network) {
        List<JsonNode> rest = entries().stream()
                .filter(entry -> !entry.path("network").asText().equals(network.value()))
                .toList();
        if (rest.isEmpty()) {
            forget();
            return;
        }
        String text = rest.stream().map(entry -> entry + "\n").collect(Collectors.joining());
        try {
            PrivateFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot write " + file, e);
        }
    }

    void image(String name) {
        append(Json.object().put("image", name));
    }

    private synchronized void append(JsonNode entry) {
        try (FileOutputStream stream = new FileOutputStream(file.toFile(), true)) {
            stream.write((entry + "\n").getBytes(StandardCharsets.UTF_8));
            stream.getFD().sync();
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot write " + file, e);
        }
    }

    public List<Network> networks() {
        List<Network> networks = new ArrayList<>();
        for (JsonNode entry : entries()) {
            if (entry.has("network")) {
                networks.add(new Network(
                        new ClusterId(
                                ClusterName.of(entry.path("network").asText()),
                                entry.path("id").asText()),
                        entry.path("subnetId").asText(),
                        AddressRange.of(entry.path("subnet").asText())));
            }
        }
        return networks;
    }

    public List<String> images() {
        return entries().stream()
                .filter(entry -> entry.has("image"))
                .map(entry -> entry.path("image").asText())
                .distinct()
                .toList();
    }

    /** The complete lines; an incomplete line announces work that did not begin. */
    private List<JsonNode> entries() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            String text = Files.readString(file);
            List<JsonNode> entries = new ArrayList<>();
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                entries.add(Json.MAPPER.readTree(line));
            }
            return entries;
        } catch (JsonProcessingException e) {
            throw new ClusterwrightException(file + " is damaged. Delete it.", e);
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot read " + file, e);
        }
    }

    /** Whether nothing was created, or everything was deleted. */
    public boolean isEmpty() {
        return !Files.exists(file);
    }

    /** Forgets everything. */
    public void forget() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot delete " + file, e);
        }
    }

    /**
     * A subnet that is a network of the machine host.
     *
     * @param id its name and id on the host
     * @param subnetId its id in Resource Manager
     * @param subnet its own addresses
     */
    public record Network(ClusterId id, String subnetId, AddressRange subnet) {}
}
