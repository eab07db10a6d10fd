package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command on a node that outlives the connection to it, as {@link Command#outliveConnection()} says. */
public final class HeldCommand implements RunningCommand {
    /** Longer arguments are refused by the session, which says how many bytes Linux takes. */
    private static final int MAX_BYTES = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(HeldCommand.class);

    /** The command that holds the process, in a message of the session. */
    private static final Pattern HOLDER = Pattern.compile("`/bin/sh -c eval [^`]*`");

    private final NodeName node;
    private final Command command;
    private final HeldProcess process;

    private HeldCommand(
            NodeSession session,
            Supplier<NodeSession> sessions,
            Command command,
            String script,
            OutputListener output) {
        this.node = session.node();
        this.command = command;
        this.process = new HeldProcess(
                session,
                holder -> (command.elevated() ? holder.elevate() : holder).timeout(command.timeout()),
                true,
                script.getBytes(StandardCharsets.UTF_8),
                output);
        process.keep(sessions);
        process.send(command.input());
        process.endInput();
    }

    /**
     * Starts a command.
     *
     * @param sessions opens the session again
     */
    public static RunningCommand start(
            NodeSession session, Supplier<NodeSession> sessions, Command command, OutputListener output) {
        String script = PosixShell.exports(command.environment()) + "exec " + PosixShell.quote(command.arguments())
                + (command.input().length == 0 ? " </dev/null" : "");
        boolean refused = command.inputOpen()
                || script.length() > MAX_BYTES
                || script.indexOf('\0') >= 0
                || !StandardCharsets.UTF_8.newEncoder().canEncode(script)
                || !command.environment().keySet().stream().allMatch(PosixShell::isVariable);
        if (refused) {
            return session.start(command, output);
        }
        try {
            return new HeldCommand(session, sessions, command, script, output);
        } catch (NodeUnreachableException e) {
            throw new NodeUnreachableException(e.node(), naming(command, e), e);
        } catch (CommandException.TimedOut e) {
            throw new CommandException.TimedOut(session.node(), naming(command, e));
        }
    }

    /** The message of a session about a command that holds another. */
    private static String naming(Command command, ClusterwrightException e) {
        return HOLDER.matcher(e.getMessage()).replaceFirst(Matcher.quoteReplacement("`" + command + "`"));
    }

    /** Runs a command to its end, as {@link NodeSession#run} does. */
    public static CommandResult run(NodeSession session, Supplier<NodeSession> sessions, Command command) {
        CommandRun run = new CommandRun(command);
        RunningCommand running = start(session, sessions, command, run::accept);
        running.endInput();
        OptionalInt status = running.await(run.deadline().remaining());
        if (status.isPresent()) {
            return run.result(session.node(), status.getAsInt());
        }
        throw run.timedOut(session.node(), end(running));
    }

    /** Ends a command whose time has passed; says what has become of it. */
    private static String end(RunningCommand running) {
        try {
            running.cancel(CommandRun.GRACE);
            return "and has been ended";
        } catch (ClusterwrightException e) {
            return "and may still run (" + e.getMessage() + ")";
        }
    }

    @Override
    public OptionalInt await(Duration limit) {
        try {
            return process.awaitInterruptibly(limit);
        } catch (NodeUnreachableException e) {
            throw new NodeUnreachableException(node, message(e), e);
        } catch (InterruptedException e) {
            throw CommandRun.interrupted(node, command, this, e);
        }
    }

    private String message(NodeUnreachableException cause) {
        return process.lossReason().isEmpty()
                ? naming(command, cause)
                : "the connection to " + node + " broke while `" + command + "` was running; " + process.lossReason()
                        + ": its result is unknown"
                        + (cause.machineState().isPresent() ? "" : ", and it may still run");
    }

    @Override
    public boolean isConnected() {
        return process.broken().isEmpty();
    }

    @Override
    public void send(byte[] bytes) {
        throw new IllegalStateException("`" + command + "` was started without openInput()");
    }

    @Override
    public void endInput() {
        // It was ended when the command was started.
    }

    @Override
    public void cancel(Duration grace) {
        if (!process.isOver()) {
            process.cancel(grace);
        }
    }

    @Override
    public void close() {
        try {
            cancel(Duration.ZERO);
        } catch (ClusterwrightException e) {
            LOG.debug("`{}` may still run on {}", command, node, e);
        } finally {
            process.dismiss();
        }
    }
}
