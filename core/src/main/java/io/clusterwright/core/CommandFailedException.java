package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** A command ended with an exit status other than 0; the message has the node, the command, the status and the last lines. */
public final class CommandFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_LINES = 8;

    private final transient CommandResult result;

    /** Creates the exception for a result. */
    public CommandFailedException(CommandResult result) {
        super(describe(result));
        this.result = result;
    }

    /** The result of the command. */
    public CommandResult result() {
        return result;
    }

    private static String describe(CommandResult result) {
        StringBuilder text = new StringBuilder("on ")
                .append(result.node())
                .append(", `")
                .append(result.command())
                .append("` ended with exit status ")
                .append(result.exitStatus());
        if (result.command().sensitive()) {
            return text.append(" (output withheld: it may hold a secret)").toString();
        }
        append(text, "standard error", result.stderr());
        append(text, "standard output", result.stdout());
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
