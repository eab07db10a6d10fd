package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;

/** A command that is run to its end, and what is kept of it: the last 16 MiB of each stream. */
public final class CommandRun {
    /** The time between the polite end of a command and the forced one. */
    public static final Duration GRACE = Duration.ofSeconds(2);

    private static final int KEPT_BYTES = 16 * 1024 * 1024;
    private static final int SHOWN_LINES = 4;

    private final Command command;
    private final long begin = System.nanoTime();
    private final Deadline deadline;
    private final TailBuffer out = new TailBuffer(KEPT_BYTES);
    private final TailBuffer err = new TailBuffer(KEPT_BYTES);

    /** A command whose time begins now. */
    public CommandRun(Command command) {
        this.command = command;
        this.deadline = Deadline.in("command's timeout", command.timeout());
    }

    /** The command. */
    public Command command() {
        return command;
    }

    /** The end of the command's time. */
    public Deadline deadline() {
        return deadline;
    }

    /** Keeps what is written to this stream. */
    public TailBuffer output(Stream stream) {
        return stream == Stream.STDOUT ? out : err;
    }

    /** Takes output, as a listener does. */
    public void accept(Stream stream, byte[] bytes, int length) {
        output(stream).append(bytes, 0, length);
    }

    /** The result, after the last byte of output. */
    public CommandResult result(NodeName node, int status) {
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        return new CommandResult(node, command, status, out.output(), err.output(), time);
    }

    /**
     * Says that the time passed.
     *
     * @param then what has become of the command, such as {@code and has been ended}
     */
    public CommandException.TimedOut timedOut(NodeName node, String then) {
        StringBuilder message = new StringBuilder("on " + node + ", `" + command + "` did not end within the command's"
                + " timeout of " + Deadline.text(command.timeout()) + " " + then);
        if (command.sensitive()) {
            message.append(" (output withheld: it may hold a secret)");
        } else {
            message.append(lastSeen("standard error", err)).append(lastSeen("standard output", out));
        }
        return new CommandException.TimedOut(
                node,
                message.append("; raise the timeout: --timeout SECONDS (Command.timeout)")
                        .toString());
    }

    /** Ends a command, as the wait for it was interrupted; the exception reports the outcome, and sets the interrupt flag. */
    public static OperationInterruptedException interrupted(
            NodeName node, Command command, RunningCommand running, InterruptedException cause) {
        String message = "interrupted while `" + command + "` was running on " + node;
        try {
            // The exception sets the interrupt flag, so it is made after the command has been ended.
            running.cancel(GRACE);
            return new OperationInterruptedException(message + "; the command was stopped", cause);
        } catch (RuntimeException e) {
            OperationInterruptedException unfinished =
                    new OperationInterruptedException(message + "; the command may still run", cause);
            unfinished.addSuppressed(e);
            return unfinished;
        }
    }

    private static String lastSeen(String name, TailBuffer output) {
        List<String> lines = output.lastLines(SHOWN_LINES);
        return lines.isEmpty() ? "" : "; last on " + name + ": " + String.join(" | ", lines);
    }
}
