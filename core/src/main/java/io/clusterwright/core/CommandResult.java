package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command that ended by itself. Use it to read the exit status and the output of one node. Immutable.
 *
 * @see NodeSession
 */
public final class CommandResult implements HasJson {
    private static final int SHOWN_LINES = 8;

    private final NodeName node;
    private final Command command;
    private final int exitStatus;
    private final Output stdout;
    private final Output stderr;
    private final Duration duration;

    /**
     * A result whose output is text.
     *
     * @param node the node that the command ran on
     * @param exitStatus 0 to 255; a command ended by signal n reports 128 + n
     * @param stdout standard output
     * @param stderr standard error
     * @param duration from the request to the last byte of output
     */
    public CommandResult(
            NodeName node, Command command, int exitStatus, String stdout, String stderr, Duration duration) {
        this(node, command, exitStatus, Output.of(stdout), Output.of(stderr), duration);
    }

    /**
     * A result.
     *
     * @param node the node that the command ran on
     * @param exitStatus 0 to 255; a command ended by signal n reports 128 + n
     * @param stdout what was kept of standard output
     * @param stderr what was kept of standard error
     * @param duration from the request to the last byte of output
     */
    public CommandResult(
            NodeName node, Command command, int exitStatus, Output stdout, Output stderr, Duration duration) {
        this.node = Objects.requireNonNull(node, "node");
        this.command = Objects.requireNonNull(command, "command");
        this.exitStatus = exitStatus;
        this.stdout = Objects.requireNonNull(stdout, "stdout");
        this.stderr = Objects.requireNonNull(stderr, "stderr");
        this.duration = Objects.requireNonNull(duration, "duration");
    }

    /** The node that it ran on. */
    public NodeName node() {
        return node;
    }

    /** The command. */
    public Command command() {
        return command;
    }

    /** The exit status, 0 to 255; a command ended by signal n reports 128 + n. */
    public int exitStatus() {
        return exitStatus;
    }

    /** Standard output decoded as UTF-8; U+FFFD stands for bytes that are not UTF-8. */
    public String stdout() {
        return stdout.text();
    }

    /** Standard error decoded as UTF-8; U+FFFD stands for bytes that are not UTF-8. */
    public String stderr() {
        return stderr.text();
    }

    /** The bytes of standard output that were kept. */
    public byte[] stdoutBytes() {
        return stdout.bytes.clone();
    }

    /** The bytes of standard error that were kept. */
    public byte[] stderrBytes() {
        return stderr.bytes.clone();
    }

    /**
     * The number of bytes that are missing at the beginning of both streams, because a session keeps the last 16 MiB of each; 0 where all
     * output is here. {@link NodeSession#start} hands on output of any size.
     */
    public long lostBytes() {
        return stdout.lost + stderr.lost;
    }

    /** The time from the request to the last byte of output. */
    public Duration duration() {
        return duration;
    }

    /** Whether the exit status is 0. */
    public boolean succeeded() {
        return exitStatus == 0;
    }

    /**
     * This result when the command succeeded.
     *
     * @throws CommandException.Failed when the exit status is not 0
     */
    public CommandResult orThrow() {
        if (!succeeded()) {
            throw new CommandException.Failed(this);
        }
        return this;
    }

    /**
     * The node, the exit status, the output, also of a sensitive command, and the time in ms. A stream that is not UTF-8 is there as text
     * with U+FFFD, and to the byte as {@code stdoutBase64} or {@code stderrBase64}. Where output is missing, {@code truncated} is true, and
     * {@code lostBytes} says how much.
     */
    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("node", node)
                .and("exit", exitStatus)
                .andBytes("stdout", stdout.bytes)
                .andBytes("stderr", stderr.bytes)
                .and("millis", duration.toMillis())
                .andIf(lostBytes() > 0, "truncated", true)
                .andIf(lostBytes() > 0, "lostBytes", lostBytes());
    }

    /** The node, the command and its exit status; where that is not 0, the last lines of its output as well, unless it is sensitive. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("on ")
                .append(node)
                .append(", `")
                .append(command)
                .append("` ended with exit status ")
                .append(exitStatus);
        if (succeeded()) {
            return text.toString();
        }
        if (command.sensitive()) {
            return text.append(" (output withheld: it may hold a secret)").toString();
        }
        append(text, "standard error", stderr());
        append(text, "standard output", stdout());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, String output) {
        List<String> lines = output.strip().lines().toList();
        if (!lines.isEmpty()) {
            int from = Math.max(0, lines.size() - SHOWN_LINES);
            text.append("; ").append(name).append(from > 0 ? " ends: " : ": ");
            text.append(lines.subList(from, lines.size()).stream()
                    .map(PrintableText::line)
                    .collect(Collectors.joining(" | ")));
        }
    }

    /** The part of one output stream that was kept. */
    public static final class Output {
        private final byte[] bytes;
        private final long lost;
        private @Nullable String text;

        /**
         * An output.
         *
         * @param bytes the last bytes; not copied
         * @param lost the number of bytes before those
         */
        public Output(byte[] bytes, long lost) {
            this.bytes = bytes;
            this.lost = lost;
        }

        private static Output of(String text) {
            return new Output(text.getBytes(StandardCharsets.UTF_8), 0);
        }

        private String text() {
            String known = text;
            if (known == null) {
                known = new String(bytes, StandardCharsets.UTF_8);
                text = known;
            }
            return known;
        }
    }
}
