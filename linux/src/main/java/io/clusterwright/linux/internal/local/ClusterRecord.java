package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.linux.internal.local.host.DurableFiles;
import io.clusterwright.linux.internal.local.host.LocalMachinesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What is written down about a cluster's network when all that its nodes share is there. */
record ClusterRecord(AddressRange addressSpace, AddressRange subnet) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILE = "cluster.json";

    public static Optional<ClusterRecord> read(Path clusterFolder) {
        try {
            JsonNode json = JSON.readTree(Files.readString(clusterFolder.resolve(FILE)));
            return Optional.of(new ClusterRecord(
                    AddressRange.parse(json.path("addressSpace").asText()),
                    AddressRange.parse(json.path("subnet").asText())));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw LocalMachinesException.of("read what is known about the cluster in " + clusterFolder, e);
        }
    }

    public void write(Path clusterFolder) throws IOException {
        DurableFiles.write(
                clusterFolder.resolve(FILE),
                JSON.createObjectNode()
                                .put("addressSpace", addressSpace.toString())
                                .put("subnet", subnet.toString())
                                .toPrettyString()
                        + "\n");
    }
}
