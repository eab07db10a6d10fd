package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a program of this machine by its argument list, with an environment that holds nothing of ours. */
public final class HostCommand {
    static final Map<String, String> ENVIRONMENT = Map.of(
            "PATH", "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL", "C",
            // The newer mount interface limits an overlay's list of lower folders to 255 characters.
            "LIBMOUNT_FORCE_MOUNT2", "always");

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration UNTIL_READ = Duration.ofSeconds(10);
    private static final int SHOWN_LINES = 8;

    private static final Object STARTING = new Object();
    private static volatile Consumer<String> observer = change -> {};

    private final List<String> arguments;
    private String input = "";
    private Duration timeout = DEFAULT_TIMEOUT;
    private boolean changes = true;
    private boolean outside;
    private final Map<String, String> environment = new LinkedHashMap<>(ENVIRONMENT);

    private HostCommand(List<String> arguments) {
        this.arguments = List.copyOf(arguments);
    }

    static HostCommand of(String... arguments) {
        return new HostCommand(List.of(arguments));
    }

    static HostCommand of(List<String> arguments) {
        return new HostCommand(arguments);
    }

    /** Reports each later change of this machine to this observer, when it is done, so that a test can end its process after any of them. */
    public static void observeChanges(Consumer<String> next) {
        observer = next;
    }

    /** Reports that a change of this machine was made. */
    static void changed(String change) {
        observer.accept(change);
    }

    /** A program that changes nothing. */
    static HostCommand query(String... arguments) {
        return new HostCommand(List.of(arguments)).changesNothing();
    }

    /** Declares that the program changes nothing, so that it is not reported. */
    HostCommand changesNothing() {
        this.changes = false;
        return this;
    }

    /** Runs the program beside the namespace in which the nodes of an ordinary user are, as that user. */
    HostCommand outside() {
        this.outside = true;
        return this;
    }

    HostCommand input(String text) {
        this.input = text;
        return this;
    }

    HostCommand timeout(Duration limit) {
        this.timeout = limit;
        return this;
    }

    HostCommand environment(Map<String, String> more) {
        environment.putAll(more);
        return this;
    }

    /** Runs to the end; throws when it cannot be started, takes too long or this thread is interrupted. */
    Result run(String step) {
        ProcessBuilder builder = new ProcessBuilder(outside ? arguments : UserNamespace.enter(arguments));
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process;
        try {
            process = start(builder);
        } catch (IOException e) {
            throw LocalMachinesException.of(step, e);
        }
        try {
            CompletableFuture<String> stdout = text(process.getInputStream());
            CompletableFuture<String> stderr = text(process.getErrorStream());
            feed(process);
            if (!WaitTime.await(timeout, nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS))) {
                throw LocalMachinesException.of(
                        step, "`" + String.join(" ", arguments) + "` did not end within " + timeout.toMillis() + " ms");
            }
            Result result = new Result(arguments, process.exitValue(), await(stdout), await(stderr));
            if (changes) {
                changed(String.join(" ", arguments));
            }
            return result;
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted: could not " + step, e);
        } catch (ExecutionException | TimeoutException e) {
            throw LocalMachinesException.of(step, e);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Starts a program, one at a time.
     *
     * <p>A Java that is killed while it starts two leaves two launchers, each with the other's end of a pipe, that wait for
     * ever and hold every file and port that was open; a lone one ends (since JDK-8307990).
     */
    static Process start(ProcessBuilder builder) throws IOException {
        synchronized (STARTING) {
            return builder.start();
        }
    }

    /** How a program is started that goes on: in the root folder, with the environment of the programs that run to their end. */
    static ProcessBuilder goingOn(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().putAll(ENVIRONMENT);
        return builder;
    }

    /** Starts a program that goes on after the first line of its output, which is handed on; if that throws, the program is ended. */
    static <T> T startAnnounced(List<String> command, Announcement<T> announcement) throws IOException {
        Process process = start(goingOn(command).redirectErrorStream(true));
        boolean goesOn = false;
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            T taken = announcement.take(ProcessIdentity.find(process.pid()).orElse(null), line);
            goesOn = true;
            return taken;
        } finally {
            if (!goesOn) {
                process.destroyForcibly();
            }
        }
    }

    /** Takes what a started program says of itself. */
    @FunctionalInterface
    interface Announcement<T> {
        /**
         * Takes the first line.
         *
         * @param process null when it has ended
         * @param line null when there was none
         */
        T take(@Nullable ProcessIdentity process, @Nullable String line) throws IOException;
    }

    /** Runs to the end and answers standard output; throws when the exit status is not 0. */
    String orThrow(String step) {
        Result result = run(step);
        if (result.exitStatus() != 0) {
            throw result.failure(step);
        }
        return result.stdout();
    }

    private void feed(Process process) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException ignored) {
            // The program ended without reading; its exit status tells.
        }
    }

    private static String await(CompletableFuture<String> text)
            throws InterruptedException, ExecutionException, TimeoutException {
        return WaitTime.get(text, UNTIL_READ);
    }

    private static CompletableFuture<String> text(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Threads.start("local-output", () -> {
            try (stream) {
                text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return text;
    }

    static List<String> lastLines(String text) {
        List<String> lines =
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
    }

    /** The end of a program. */
    record Result(List<String> arguments, int exitStatus, String stdout, String stderr) {
        LocalMachinesException failure(String step) {
            return LocalMachinesException.of(
                    step,
                    "`" + String.join(" ", arguments) + "` ended with exit status " + exitStatus,
                    lastLines(stderr.isBlank() ? stdout : stderr));
        }
    }
}
