package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The node that is being worked on.
 *
 * @param session a session on it as the login user
 * @param spec what it is to become
 * @param progress takes lines for people
 */
public record NodeSetup(NodeSession session, ClusterSpec spec, Consumer<String> progress) {

    public Customization customization() {
        return spec.image().customize();
    }

    public void report(String line) {
        progress.accept(line);
    }

    /** Runs a command that must succeed; returns its standard output. */
    public String run(Command command) {
        return session.run(command).orThrow().stdout();
    }

    /** Runs a script as root that must succeed; returns its standard output. */
    public String runAsRoot(String script) {
        return run(Command.shell(script).elevate());
    }

    /** Runs a command whose lines of output are progress; returns its result with the last of the output. */
    public CommandResult stream(Command command) {
        long begin = System.nanoTime();
        Lines out = new Lines();
        Lines err = new Lines();
        try (RunningCommand running = session.start(
                command, (stream, bytes, length) -> (stream == Stream.STDOUT ? out : err).take(bytes, length))) {
            OptionalInt status = running.await(command.timeout());
            if (status.isEmpty()) {
                running.cancel(Duration.ofSeconds(5));
                throw new CommandException.TimedOut(
                        session.node(),
                        "on " + session.node() + ", `" + command + "` did not end within its timeout of "
                                + command.timeout().toSeconds() + " s, and was stopped; last output: "
                                + err.last().or(out::last).orElse("none"));
            }
            out.finish();
            err.finish();
            return new CommandResult(
                    session.node(),
                    command,
                    status.getAsInt(),
                    out.text(),
                    err.text(),
                    Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /** One stream of a command: each line is shown as it comes, and the last ones are kept. */
    private final class Lines {
        private static final int KEPT_LINES = 200;
        private static final int LONGEST_LINE = 4096;

        private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
        private final Deque<String> kept = new ArrayDeque<>();

        synchronized void take(byte[] bytes, int length) {
            for (int i = 0; i < length; i++) {
                if (bytes[i] == '\n' || bytes[i] == '\r') {
                    finish();
                } else if (unfinished.size() < LONGEST_LINE) {
                    unfinished.write(bytes[i]);
                }
            }
        }

        synchronized void finish() {
            String line = unfinished.toString(StandardCharsets.UTF_8);
            unfinished.reset();
            if (!line.isBlank()) {
                kept.addLast(line);
                if (kept.size() > KEPT_LINES) {
                    kept.removeFirst();
                }
                report("  " + line);
            }
        }

        synchronized String text() {
            return String.join("\n", kept);
        }

        synchronized Optional<String> last() {
            return Optional.ofNullable(kept.peekLast());
        }
    }
}
