package io.clusterwright.azure.emulator.internal.shared;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Who runs the shared emulator.
 *
 * @param url where it listens
 * @param subscription the id of its subscription
 * @param pid the number of its process
 * @param startedMillis when the process was started, in milliseconds since 1970
 * @param whileUsed whether it ends when its last cluster has gone and nobody uses it
 */
public record ServerRecord(URI url, String subscription, long pid, long startedMillis, boolean whileUsed) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The start of a process is derived from the time of boot, which moves when the clock is set. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    public static ServerRecord ofThisProcess(URI url, String subscription, boolean whileUsed) {
        ProcessHandle self = ProcessHandle.current();
        return new ServerRecord(url, subscription, self.pid(), started(self), whileUsed);
    }

    public static Optional<ServerRecord> read(Path file) {
        try {
            JsonNode json = JSON.readTree(Files.readString(file));
            return Optional.of(new ServerRecord(
                    URI.create(json.path("url").asText()),
                    json.path("subscriptionId").asText(),
                    json.path("pid").asLong(),
                    json.path("startedMillis").asLong(),
                    json.path("whileUsed").asBoolean()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + "; delete it if it is damaged", e);
        }
    }

    public void write(Path file) {
        try {
            Path temporary = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(
                    temporary,
                    JSON.createObjectNode()
                            .put("url", url.toString())
                            .put("subscriptionId", subscription)
                            .put("pid", pid)
                            .put("startedMillis", startedMillis)
                            .put("whileUsed", whileUsed)
                            .toString());
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** The process, when it is still the one that wrote this. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> Math.abs(started(process) - startedMillis) <= TOLERANCE.toMillis());
    }

    public Instant started() {
        return Instant.ofEpochMilli(startedMillis);
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
