package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.CommandTimeoutException;
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
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The node that is being worked on.
 *
 * @param session a session on it as the login user
 * @param spec what it is to become
 * @param progress takes lines for people
 */
public record Site(NodeSession session, ClusterSpec spec, Consumer<String> progress) {

    public Customization customization() {
        return spec.image().customize();
    }

    public void say(String line) {
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
        try (LineStream lines = new LineStream(this, command)) {
            return lines.await();
        }
    }

    /** A command whose output is shown line by line as it comes, and whose last lines are kept. */
    private static final class LineStream implements AutoCloseable {
        private static final int KEPT_LINES = 200;
        private static final int LONGEST_LINE = 4096;

        private final Site site;
        private final Command command;
        private final long begin = System.nanoTime();
        private final Map<Stream, ByteArrayOutputStream> unfinished = new EnumMap<>(Stream.class);
        private final Map<Stream, Deque<String>> kept = new EnumMap<>(Stream.class);
        private final RunningCommand running;

        LineStream(Site site, Command command) {
            this.site = site;
            this.command = command;
            for (Stream stream : Stream.values()) {
                unfinished.put(stream, new ByteArrayOutputStream());
                kept.put(stream, new ArrayDeque<>());
            }
            this.running = site.session().start(command, this::take);
        }

        CommandResult await() {
            OptionalInt status = running.await(command.timeout());
            if (status.isEmpty()) {
                running.cancel(Duration.ofSeconds(5));
                throw new CommandTimeoutException(
                        site.session().node(),
                        "on " + site.session().node() + ", `" + command + "` did not end within its timeout of "
                                + command.timeout().toSeconds() + " s and has been ended; last output: " + last());
            }
            flush();
            return new CommandResult(
                    site.session().node(),
                    command,
                    status.getAsInt(),
                    text(Stream.STDOUT),
                    text(Stream.STDERR),
                    Duration.ofNanos(System.nanoTime() - begin));
        }

        private synchronized void take(Stream stream, byte[] bytes, int length) {
            ByteArrayOutputStream line = of(unfinished, stream);
            for (int i = 0; i < length; i++) {
                if (bytes[i] == '\n' || bytes[i] == '\r') {
                    finish(stream);
                } else if (line.size() < LONGEST_LINE) {
                    line.write(bytes[i]);
                }
            }
        }

        private synchronized void flush() {
            for (Stream stream : Stream.values()) {
                finish(stream);
            }
        }

        private void finish(Stream stream) {
            ByteArrayOutputStream bytes = of(unfinished, stream);
            String line = bytes.toString(StandardCharsets.UTF_8);
            bytes.reset();
            if (line.isBlank()) {
                return;
            }
            Deque<String> lines = of(kept, stream);
            lines.addLast(line);
            if (lines.size() > KEPT_LINES) {
                lines.removeFirst();
            }
            site.say("  " + line);
        }

        private synchronized String text(Stream stream) {
            return String.join("\n", of(kept, stream));
        }

        private String last() {
            String out = text(Stream.STDOUT);
            String err = text(Stream.STDERR);
            String all = err.isEmpty() ? out : err;
            return all.isEmpty() ? "none" : all.substring(all.lastIndexOf('\n') + 1);
        }

        private static <T> T of(Map<Stream, T> map, Stream stream) {
            T found = map.get(stream);
            if (found == null) {
                throw new IllegalStateException("no " + stream);
            }
            return found;
        }

        @Override
        public void close() {
            running.close();
        }
    }
}
