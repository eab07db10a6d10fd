package io.clusterwright.azure.emulator.internal.shared;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.Secret;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that serves a shared emulator, as its record file describes it to others.
 *
 * @param url its endpoint
 * @param subscription the id of its subscription
 * @param token the token that requests must carry; null in the record of an older program
 * @param pid the number of its process
 * @param startedMillis the start of the process, in milliseconds since 1970
 * @param whileUsed whether it ends when its last cluster has gone and no process uses it
 */
public record ServerProcess(
        URI url, String subscription, @Nullable Secret token, long pid, long startedMillis, boolean whileUsed) {
    /** The file of its output, in the folder of the emulator. */
    public static final String LOG = "emulator.log";

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    /** It stops and deletes all machines first. */
    private static final Duration END = Duration.ofMinutes(2);

    private static final int POLL_MILLIS = 50;
    private static final int LOG_LINES = 10;

    /** The start of a process is derived from the time of boot, which moves when the clock is set. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    public static ServerProcess ofThisProcess(ArmEmulator emulator, boolean whileUsed) {
        ProcessHandle self = ProcessHandle.current();
        Secret token = emulator.token().orElse(null);
        return new ServerProcess(
                emulator.url(), emulator.subscriptionId(), token, self.pid(), started(self), whileUsed);
    }

    public static Optional<ServerProcess> read(Path file) {
        try {
            PrivateFolder.requireOwn(file);
            JsonNode json = Json.MAPPER.readTree(Files.readString(file));
            String token = json.path("token").asText();
            return Optional.of(new ServerProcess(
                    URI.create(json.path("url").asText()),
                    json.path("subscriptionId").asText(),
                    token.isEmpty() ? null : Secret.of(token),
                    json.path("pid").asLong(),
                    json.path("startedMillis").asLong(),
                    json.path("whileUsed").asBoolean()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new ClusterwrightException("Cannot read " + file + "; delete it if it is damaged", e);
        }
    }

    public void write(Path file) {
        try {
            PrivateFiles.write(
                    file,
                    Json.object()
                            .put("url", url.toString())
                            .put("subscriptionId", subscription)
                            .put("token", token == null ? null : token.reveal())
                            .put("pid", pid)
                            .put("startedMillis", startedMillis)
                            .put("whileUsed", whileUsed)
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot write " + file, e);
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

    /** Starts it in a separate session, so that the end of a terminal does not end it, and waits for its record. */
    public static void start(List<String> command, Path folder, Path record) {
        Path log = folder.resolve(LOG);
        List<String> whole = new ArrayList<>(List.of("setsid"));
        whole.addAll(command);
        Process process;
        try {
            PrivateFolder.create(folder);
            Files.deleteIfExists(record);
            process = new ProcessBuilder(whole)
                    .directory(new File("/"))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot start the emulated Azure: " + e.getMessage(), e);
        }
        Deadline deadline = Deadline.in("start timeout", START);
        try {
            while (!Files.exists(record)) {
                boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (ended && !Files.exists(record)) {
                    throw new ClusterwrightException("The emulated Azure ended at once, with status "
                            + process.exitValue() + ". The end of " + log + ":\n" + tail(log));
                }
                if (deadline.passed()) {
                    process.destroyForcibly();
                    throw new ClusterwrightException("The emulated Azure did not start within " + deadline
                            + ". The end of " + log + ":\n" + tail(log));
                }
            }
        } catch (InterruptedException e) {
            process.destroy();
            throw new OperationInterruptedException("Interrupted while the emulated Azure was starting.", e);
        }
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(not readable: " + e.getMessage() + ")";
        }
    }

    /**
     * Asks the emulator for its subscription.
     *
     * @throws ClusterwrightException when something else listens there, or nothing answers
     */
    public void requireAnswer() {
        URI address = URI.create(url + "/subscriptions/" + subscription + "?api-version=2022-12-01");
        String problem;
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(ANSWER);
            if (token != null) {
                request.header("Authorization", "Bearer " + token.reveal());
            }
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(ANSWER)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == HttpURLConnection.HTTP_OK
                    && answer.body().contains(subscription)) {
                return;
            }
            problem = "answers " + answer.statusCode();
        } catch (IOException e) {
            problem = "does not answer: " + e;
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("Interrupted while the emulated Azure was asked for its state.", e);
        }
        throw new ClusterwrightException("The emulated Azure at " + url + " (process " + pid + ") " + problem
                + ". End it with `clusterwright emulator --stop`.");
    }

    /** Asks a process to end and waits until it did; an interrupt does not cut this short. */
    public static void end(ProcessHandle process) {
        process.destroy();
        boolean ended = Tasks.uninterruptibly(() -> process.onExit()
                .orTimeout(END.toSeconds(), TimeUnit.SECONDS)
                .handle((handle, late) -> late == null)
                .join());
        if (!ended) {
            throw new ClusterwrightException("The emulated Azure (process " + process.pid()
                    + ") was asked to end and still runs after " + Deadline.text(END) + ". End the process by hand.");
        }
    }
}
