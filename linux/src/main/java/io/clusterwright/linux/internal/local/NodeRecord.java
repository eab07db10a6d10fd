package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Record of a node, by which another process can find it, stop it and boot it again.
 *
 * @param address its address
 * @param link its interface on this machine
 * @param user its login user
 * @param authorizedKeys the public keys that it is given when it starts; empty when it has them
 * @param layers the checksums of the image layers it stands on, the upper first, and the path of another system than this machine's
 * @param process the process whose end ends the node; null while it does not run
 * @param first the first process in the node; null while it does not run
 */
record NodeRecord(
        Ipv4Address address,
        String link,
        UserName user,
        List<String> authorizedKeys,
        List<String> layers,
        @Nullable ProcessIdentity process,
        @Nullable ProcessIdentity first) {
    static final String FILE = "node.json";

    NodeRecord {
        authorizedKeys = List.copyOf(authorizedKeys);
        layers = List.copyOf(layers);
    }

    NodeRecord running(ProcessIdentity outer, ProcessIdentity inner) {
        return new NodeRecord(address, link, user, authorizedKeys, layers, outer, inner);
    }

    /** From now on the node's own disk says who may log in. */
    NodeRecord seeded() {
        return new NodeRecord(address, link, user, List.of(), layers, process, first);
    }

    NodeRecord stopped() {
        return new NodeRecord(address, link, user, authorizedKeys, layers, null, null);
    }

    /** Whether the node runs: both its first process and the one outside that holds it. */
    boolean isAlive() {
        return process != null && process.isAlive() && first != null && first.isAlive() && UserNamespace.has(process);
    }

    /** Whether what the node consists of is there, so that it can be booted. */
    boolean isWhole(Path nodeFolder, Path layerFolders) {
        return Files.isDirectory(nodeFolder.resolve("up"), LinkOption.NOFOLLOW_LINKS)
                && Files.isDirectory(BaseSystem.below(layers).root())
                && BaseSystem.above(layers).stream()
                        .allMatch(layer -> Files.isDirectory(layerFolders.resolve(NodeProcess.layerFolder(layer))));
    }

    static Optional<NodeRecord> read(Path nodeFolder) {
        Path file = nodeFolder.resolve(FILE);
        try {
            return DurableFiles.read(file)
                    .map(json -> new NodeRecord(
                            Ipv4Address.of(json.path("address").asText()),
                            json.path("link").asText(),
                            UserName.of(json.path("user").asText()),
                            strings(json.path("authorizedKeys")),
                            strings(json.path("layers")),
                            identity(json.path("process")),
                            identity(json.path("first"))));
        } catch (IOException | ClusterwrightException | IllegalArgumentException e) {
            throw LocalMachinesException.damaged(file, e, "delete the node and create it again");
        }
    }

    void write(Path nodeFolder) {
        ObjectNode json = Json.object();
        json.put("address", address.toString()).put("link", link).put("user", user.value());
        authorizedKeys.forEach(json.withArray("authorizedKeys")::add);
        layers.forEach(json.withArray("layers")::add);
        if (process != null) {
            json.set("process", process.json());
        }
        if (first != null) {
            json.set("first", first.json());
        }
        try {
            DurableFiles.write(nodeFolder.resolve(FILE), json);
        } catch (IOException e) {
            throw LocalMachinesException.of("write the record of a node", e);
        }
    }

    private static @Nullable ProcessIdentity identity(JsonNode json) {
        return json.isObject() ? ProcessIdentity.of(json) : null;
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.asText()));
        return strings;
    }
}
