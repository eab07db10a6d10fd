package io.clusterwright.windows.hpcpack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What an emulated head node has recorded. */
final class Recordings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Recordings() {}

    static List<JsonNode> of(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<JsonNode> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                all.add(JSON.readTree(file.toFile()));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
