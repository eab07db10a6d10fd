package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.session.TailBuffer;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process on the node that starts commands, over one channel for all of them: a command costs one process there, while a channel for
 * each costs one of sshd, a login shell and a shell besides. It ends with the session.
 */
final class CommandAgent {
    private static final Logger LOG = LoggerFactory.getLogger(CommandAgent.class);
    private static final Duration UNTIL_READY = Duration.ofSeconds(20);
    private static final int MAX_BEFORE = 64 * 1024;

    /** Its arguments stand at its end and in {@link #LOADER}. For Python 3.8 and newer. */
    private static final byte[] SCRIPT = TextResource.read(
                    CommandAgent.class.getResourceAsStream("command-agent.py"), "command-agent.py")
            .getBytes(StandardCharsets.UTF_8);

    /** $1 is the length of the script, which comes on standard input, $2 a nonce. */
    private static final String LOADER = "if [ -x /usr/bin/python3 ]; then set -- /usr/bin/python3 \"$@\";"
            + " else set -- python3 \"$@\"; fi; cw_python=$1; shift; exec \"$cw_python\" -I -S -c"
            + " 'import sys; exec(sys.stdin.buffer.read(int(sys.argv[2])))' clusterwright-commands \"$@\"";

    private final ExecChannel channel;
    private final ExecChannel.Input input;
    private final byte[] mark;
    private final AgentFrames frames = new AgentFrames();
    private final ByteArrayOutputStream before = new ByteArrayOutputStream();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final Map<Integer, AgentCommand> commands = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private volatile boolean over;

    private CommandAgent(ExecChannel channel, String nonce) {
        this.channel = channel;
        this.mark = ("\nclusterwright-commands ready " + nonce + "\n").getBytes(StandardCharsets.US_ASCII);
        this.input = new ExecChannel.Input(channel, SCRIPT);
        channel.err()
                .start(Runnable::run, (bytes, offset, length) -> LOG.debug("a command agent printed {} bytes", length));
        channel.out().start(Runnable::run, this::received).thenRun(this::end);
    }

    /**
     * Starts an agent.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when there is no channel for it
     */
    static CommandAgent start(SshExec exec) {
        String nonce = Nonce.next();
        String line = ExecLine.plain(List.of("/bin/sh", "-c", LOADER, "sh", Integer.toString(SCRIPT.length), nonce));
        return new CommandAgent(
                exec.open(line, Purpose.COMMAND, Deadline.in("limit on starting a command agent", UNTIL_READY)), nonce);
    }

    /** Completes when the agent takes commands, and exceptionally when it ended before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Whether it has ended or is about to. */
    boolean isOver() {
        return over;
    }

    /** Whether its connection broke as the node did not answer. */
    boolean endedInSilence() {
        return channel.endedInSilence();
    }

    /** Whether it takes commands now. */
    boolean isReady() {
        return !over && ready.isDone() && !ready.isCompletedExceptionally();
    }

    /** Starts a command; returns null, with nothing started, when the agent takes none any more. */
    @Nullable
    AgentCommand launch(byte[] request, TailBuffer out, TailBuffer err) {
        AgentCommand command = new AgentCommand(last.incrementAndGet(), out, err, this);
        commands.put(command.number(), command);
        try {
            if (!over) {
                input.send(AgentFrames.run(command.number(), request));
                return command;
            }
        } catch (IllegalStateException e) {
            LOG.debug("a command agent was being closed");
        }
        commands.remove(command.number());
        return null;
    }

    /** Takes no more output of a command, whose status stays unknown. */
    void forget(AgentCommand command) {
        if (commands.remove(command.number()) != null) {
            command.lose();
            try {
                input.send(AgentFrames.forget(command.number()));
            } catch (IllegalStateException e) {
                LOG.debug("a command agent was being closed, which ends what it reads");
            }
        }
    }

    /** Ends the agent, which ends no command; {@link #awaitGone} waits for it. */
    void dismiss() {
        over = true;
        input.end();
    }

    /** Waits until its process has ended, at most this long. */
    void awaitGone(Duration limit) {
        SshFutures.awaitQuietly(gone, limit);
        channel.close(true);
    }

    private void received(byte[] bytes, int offset, int length) {
        if (over && commands.isEmpty()) {
            return;
        }
        try {
            if (ready.isDone()) {
                frames.accept(bytes, offset, length, this::answered);
            } else {
                prepare(bytes, offset, length);
            }
        } catch (RuntimeException e) {
            LOG.debug("a command agent sent a malformed answer", e);
            end();
            channel.close(true);
        }
    }

    /** What a login script prints comes before the mark. */
    private void prepare(byte[] bytes, int offset, int length) {
        before.write(bytes, offset, length);
        String text = before.toString(StandardCharsets.ISO_8859_1);
        int at = text.indexOf(new String(mark, StandardCharsets.ISO_8859_1));
        if (at >= 0) {
            ready.complete(null);
        } else if (text.length() > MAX_BEFORE) {
            throw new IllegalStateException("the agent said nothing in " + text.length() + " bytes");
        }
    }

    private void answered(byte type, int number, ByteBuffer content) {
        AgentCommand command = commands.get(number);
        if (command != null && command.accept(type, content)) {
            commands.remove(number);
        }
    }

    private void end() {
        over = true;
        ready.completeExceptionally(new IllegalStateException("the agent ended"));
        commands.values().forEach(AgentCommand::lose);
        commands.clear();
        gone.complete(null);
    }
}
