package io.clusterwright.azure.emulator.internal.shared;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The process of a shared emulator, as others see it. */
public final class ServerProcess {
    /** Where its output goes, in the folder of the emulator. */
    public static final String LOG = "emulator.log";

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    /** It stops and deletes all machines first. */
    private static final Duration END = Duration.ofMinutes(2);

    private static final int POLL_MILLIS = 50;
    private static final int LOG_LINES = 10;

    private ServerProcess() {}

    /** Starts it in a session of its own, so that what ends a terminal does not end it, and waits for its record. */
    public static void start(List<String> command, Path folder, Path record) {
        Path log = folder.resolve(LOG);
        List<String> whole = new ArrayList<>(List.of("setsid"));
        whole.addAll(command);
        Process process;
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(record);
            process = new ProcessBuilder(whole)
                    .directory(new File("/"))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new ClusterwrightException("cannot start the emulated Azure: " + e.getMessage(), e);
        }
        long end = System.nanoTime() + START.toNanos();
        try {
            while (!Files.exists(record)) {
                boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (ended && !Files.exists(record)) {
                    throw new ClusterwrightException("the emulated Azure ended at once, with status "
                            + process.exitValue() + "; the end of " + log + ":\n" + tail(log));
                }
                if (System.nanoTime() >= end) {
                    process.destroyForcibly();
                    throw new ClusterwrightException("the emulated Azure did not start in " + START.toSeconds()
                            + " s; the end of " + log + ":\n" + tail(log));
                }
            }
        } catch (InterruptedException e) {
            process.destroy();
throw new OperationInterruptedException("interrupted while the emulated Azure was starting", e);
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
    public static void requireAnswer(ServerRecord server) {
        URI address = URI.create(server.url() + "/subscriptions/" + server.subscription() + "?api-version=2022-12-01");
        String problem;
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(ANSWER)
                    .build()
                    .send(
                            HttpRequest.newBuilder(address).timeout(ANSWER).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == HttpURLConnection.HTTP_OK
                    && answer.body().contains(server.subscription())) {
                return;
            }
            problem = "answers " + answer.statusCode();
        } catch (IOException e) {
            problem = "does not answer: " + e;
        } catch (InterruptedException e) {
throw new OperationInterruptedException("interrupted while asking the emulated Azure", e);
        }
        throw new ClusterwrightException("the emulated Azure at " + server.url() + " (process " + server.pid() + ") "
                + problem + "; `clusterwright emulator --stop` ends it");
    }

    /** Asks it to end and waits until it did. */
    public static void end(ProcessHandle process) {
        process.destroy();
        boolean interrupted = false;
        long end = System.nanoTime() + END.toNanos();
        try {
            while (true) {
                try {
                    process.onExit().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new ClusterwrightException(
                            "the emulated Azure (process " + process.pid() + ") was asked to end and still runs after "
                                    + END.toSeconds() + " s; end it by hand",
                            e);
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
