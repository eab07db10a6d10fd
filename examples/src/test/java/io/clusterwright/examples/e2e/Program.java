package io.clusterwright.examples.e2e;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A started process, its output as it comes, and the signals it can be sent. */
final class Program implements AutoCloseable {
    /** More than the longest limit of a test. */
    private static final Duration LONGEST = Duration.ofMinutes(16);

    private final List<String> command;
    private final Process process;
    private final StringBuffer stdout = new StringBuffer();
    private final StringBuffer stderr = new StringBuffer();
    private final List<Thread> readers;

    Program(ProcessBuilder builder, String input) {
        this.command = List.copyOf(builder.command());
        try {
            process = builder.start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        readers = List.of(reader(process.getInputStream(), stdout), reader(process.getErrorStream(), stderr));
    }

    private static Thread reader(InputStream stream, StringBuffer text) {
        Thread reader = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    text.append(line).append('\n');
                }
            } catch (IOException e) {
                text.append(e).append('\n');
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    String stderr() {
        return stderr.toString();
    }

    String stdout() {
        return stdout.toString();
    }

    /** Waits until either stream holds this text; fails when the program ends without having said it. */
    void awaitText(String text) {
        await("\"" + text + "\" of " + command)
                .atMost(LONGEST)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    boolean said = stderr().contains(text) || stdout().contains(text);
                    if (!said && !process.isAlive() && readers.stream().noneMatch(Thread::isAlive)) {
                        throw new AssertionError("it ended without saying \"" + text + "\": " + end());
                    }
                    return said;
                });
    }

    /** Sends a signal to the process alone. */
    void signal(String name) {
        kill(name, Long.toString(process.pid()));
    }

    /** Sends a signal to the process and its children in the foreground, as a terminal does. */
    void signalGroup(String name) {
        kill(name, "-" + process.pid());
    }

    private static void kill(String signal, String target) {
        Ended kill = new Program(new ProcessBuilder("kill", "-" + signal, "--", target), "").end();
        if (kill.status() != 0) {
            throw new AssertionError("cannot send " + signal + " to " + target + ": " + kill);
        }
    }

    /** Waits for the end. */
    Ended end() {
        try {
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(command + " still runs after " + LONGEST + "; it said: " + stdout + stderr);
            }
            for (Thread reader : readers) {
                reader.join(TimeUnit.SECONDS.toMillis(20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the wait for " + command + " was ended; it said: " + stdout() + stderr(), e);
        }
        return new Ended(process.exitValue(), stdout(), stderr());
    }

    /** Ends the process if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** How a process ended; a status of more than 128 is a signal. */
    record Ended(int status, String stdout, String stderr) {}
}
