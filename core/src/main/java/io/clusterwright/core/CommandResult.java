package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    private final String stdout;
    private final String stderr;
    private final Duration duration;

    /**
     * A result.
     *
     * @param node the node that the command ran on
     * @param exitStatus 0 to 255; a command ended by signal n reports 128 + n
     * @param stdout standard output, decoded as UTF-8
     * @param stderr standard error, decoded as UTF-8
     * @param duration from the request to the last byte of output
     */
    public CommandResult(
            NodeName node, Command command, int exitStatus, String stdout, String stderr, Duration duration) {
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

    /** Standard output, decoded as UTF-8. */
    public String stdout() {
        return stdout;
    }

    /** Standard error, decoded as UTF-8. */
    public String stderr() {
        return stderr;
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

    /** The node, the exit status, the whole output, also of a sensitive command, and the time in ms. */
    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("node", node)
                .and("exit", exitStatus)
                .and("stdout", stdout)
                .and("stderr", stderr)
                .and("millis", duration.toMillis());
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
        append(text, "standard error", stderr);
        append(text, "standard output", stdout);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, String output) {
        List<String> lines = output.strip().lines().toList();
        if (!lines.isEmpty()) {
            int from = Math.max(0, lines.size() - SHOWN_LINES);
            text.append("; ").append(name).append(from > 0 ? " ends: " : ": ");
            text.append(String.join(" | ", lines.subList(from, lines.size())));
        }
    }
}
