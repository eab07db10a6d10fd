package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.OpenApiDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The requests and answers of a test, held against Microsoft's descriptions. */
final class RecordedTraffic {
    private static final OpenApiDocuments DOCUMENTS = new OpenApiDocuments();

    private final Path folder;

    RecordedTraffic(Path folder) {
        this.folder = folder;
    }

    List<JsonNode> all() {
        try (Stream<Path> files = Files.list(folder)) {
            List<JsonNode> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                all.add(ArmClient.JSON.readTree(file.toFile()));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The described operations that were carried out, as method and path. */
    Set<String> operations() {
        Set<String> seen = new TreeSet<>();
        all().stream()
                .filter(recording -> recording.at("/response/status").asInt() < 400)
                .forEach(recording -> DOCUMENTS.operation(recording).ifPresent(seen::add));
        return seen;
    }

    /** What the descriptions, which are older than the SDK, do not know. */
    Set<String> newer() {
        Set<String> newer = new TreeSet<>();
        all().forEach(recording -> check(recording, newer));
        return newer;
    }

    /** Fails where a request or an answer is not as described, or has something newer that nobody looked at. */
    void requireValid() {
        Set<String> newer = new TreeSet<>();
        List<String> wrong = new ArrayList<>();
        for (JsonNode recording : all()) {
            wrong.addAll(check(recording, newer));
        }
        assertThat(wrong).as("not as Microsoft describes it").isEmpty();
        assertThat(listed()).as("newer than the descriptions, and listed").containsAll(newer);
    }

    private static List<String> check(JsonNode recording, Set<String> newer) {
        return DOCUMENTS.check(recording, newer).orElse(List.of());
    }

    /** What is newer than the descriptions and known to be real. */
    static List<String> listed() {
        List<String> listed = new ArrayList<>(list("newer-than-described.txt"));
        listed.addAll(list("newer-in-deployments.txt"));
        listed.addAll(list("newer-in-existing-networks.txt"));
        return listed;
    }

    /** The lines of a resource of the tests. */
    static List<String> list(String name) {
        try (InputStream list = RecordedTraffic.class.getResourceAsStream(name)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
