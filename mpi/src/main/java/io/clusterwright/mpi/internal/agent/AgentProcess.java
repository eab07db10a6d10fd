package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.CommandException;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.Reconnection;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.LostNodeRule.BrokenConnection;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of an agent on its node, and the connection to it. The process runs apart from the connection. While a job uses it, a connection
 * that breaks is opened again, and input and output continue at the byte where they were.
 */
final class AgentProcess {
    private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);
    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final Duration GREETING = Duration.ofSeconds(20);
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final NodeName node;
    private final OutputListener output;
    private final String id = Nonce.next() + Nonce.next();
    private final Map<OutputListener.Stream, Long> received = new EnumMap<>(OutputListener.Stream.class);
    /** Input that the agent may not have yet, and the number of bytes before it. */
    private final ByteArrayOutputStream unread = new ByteArrayOutputStream();

    private long unreadFrom;
    private Connection connection;
    private @Nullable Supplier<NodeSession> sessions;
    private @Nullable BrokenConnection broken;
    private @Nullable NodeUnreachableException lost;
    private long beatNanos;
    private boolean dismissed;

    AgentProcess(NodeSession session, OutputListener output) {
        this.node = session.node();
        this.output = output;
        byte[] text = WatchdogScript.AGENT;
        this.connection = new Connection(session, "start", id, Integer.toString(text.length));
        send(text);
    }

    /** Opens the connection again over these sessions, from now on until {@link #settle}. */
    synchronized void keep(Supplier<NodeSession> over) {
        sessions = over;
        sendLine("b");
    }

    /** The agent has read all that was sent, and its job is over. */
    synchronized void settle() {
        sessions = null;
        unreadFrom += unread.size();
        unread.reset();
        sendLine("i");
    }

    synchronized void send(byte[] bytes) {
        unread.writeBytes(bytes);
        if (broken == null) {
            connection.send(bytes);
        }
    }

    /** Ends the agent's input. */
    synchronized void dismiss() {
        dismissed = true;
        sendLine("q");
    }

    private void sendLine(String line) {
        if (broken == null) {
            beatNanos = WaitTime.RUNNING.nanos();
            connection.running.send((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /**
     * Waits for the end of the agent.
     *
     * @return its exit status; empty while it runs, and while its connection is being opened again
     * @throws NodeUnreachableException when the connection broke for good
     */
    OptionalInt await(Duration limit) {
        Connection current;
        synchronized (this) {
            if (lost != null) {
                throw lost;
            }
            if (broken != null) {
                return OptionalInt.empty();
            }
            if (sessions != null && WaitTime.RUNNING.nanos() - beatNanos > BEAT.toNanos()) {
                sendLine("b");
            }
            current = connection;
        }
        try {
            return current.running.await(limit);
        } catch (NodeUnreachableException e) {
            noteBroken(current, e);
            return OptionalInt.empty();
        }
    }

    private synchronized void noteBroken(Connection which, NodeUnreachableException cause) {
        Supplier<NodeSession> over = sessions;
        if (which != connection || broken != null) {
            return;
        }
        broken = BrokenConnection.now(cause);
        if (over == null || dismissed || !which.isKept()) {
            lost = cause;
            throw cause;
        }
        LOG.debug("the connection to an agent on {} broke, and is opened again", node, cause);
        Threads.start("reopen-" + node, () -> reopen(over, cause));
    }

    /** The break of the connection; empty while it is in order. */
    synchronized Optional<BrokenConnection> broken() {
        return Optional.ofNullable(broken);
    }

    private void reopen(Supplier<NodeSession> over, NodeUnreachableException cause) {
        Reconnection reconnection = new Reconnection(WaitTime.RUNNING);
        RuntimeException last = cause;
        while (!reconnection.isOver() && !isDismissed()) {
            long begunNanos = WaitTime.RUNNING.nanos();
            try {
                if (attach(over.get())) {
                    return;
                }
                lose(cause, "its agent is not there any more: the node was started again, or the agent was ended");
                return;
            } catch (NodeUnreachableException | CommandException.TimedOut e) {
                last = e;
                failed(begunNanos);
            } catch (RuntimeException e) {
                lose(cause, Reason.of(e));
                return;
            }
            try {
                reconnection.pause();
            } catch (InterruptedException e) {
                break;
            }
        }
        lose(
                cause,
                "it could not be opened again within " + Deadline.text(Reconnection.LIMIT) + ": " + Reason.of(last));
    }

    private synchronized void failed(long begunNanos) {
        broken = Objects.requireNonNull(broken).afterFailure(begunNanos);
    }

    private synchronized boolean isDismissed() {
        return dismissed;
    }

    private synchronized void lose(NodeUnreachableException cause, String why) {
        lost = new NodeUnreachableException(node, cause.getMessage() + "; " + why, cause);
    }

    /** Whether there is an agent to attach to. */
    private boolean attach(NodeSession session) {
        Connection next = new Connection(
                session,
                "attach",
                id,
                Long.toString(received(OutputListener.Stream.STDOUT)),
                Long.toString(received(OutputListener.Stream.STDERR)));
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "answer of the agent", GREETING);
        while (!next.accepted.isDone()) {
            OptionalInt status = next.running.await(SLICE);
            if (status.isPresent() && !next.accepted.isDone()) {
                return false;
            }
            if (deadline.passed()) {
                next.running.close();
                throw new NodeUnreachableException(node, "the agent on " + node + " did not answer within " + deadline);
            }
        }
        synchronized (this) {
            byte[] all = unread.toByteArray();
            connection = next;
            broken = null;
            long accepted = next.accepted.join();
            byte[] rest = Arrays.copyOfRange(all, (int) (accepted - unreadFrom), all.length);
            unreadFrom = accepted;
            unread.reset();
            unread.writeBytes(rest);
            next.send(rest);
            sendLine(dismissed ? "q" : "b");
            return true;
        }
    }

    private long received(OutputListener.Stream stream) {
        synchronized (received) {
            return received.getOrDefault(stream, 0L);
        }
    }

    /** Ends the agent with all processes of its session: first asked, after the grace forced. */
    void cancel(Duration grace) {
        Connection current;
        boolean kept;
        synchronized (this) {
            if (broken != null) {
                throw new NodeUnreachableException(node, "there is no connection to " + node + " now");
            }
            dismissed = true;
            current = connection;
            kept = current.isKept();
            if (kept) {
                sendLine("k " + grace.toMillis() / 1000.0);
            }
        }
        if (!kept || current.running.await(grace.plus(AFTER_KILL)).isEmpty()) {
            current.running.cancel(grace);
        }
    }

    /** One connection to the agent. Both streams begin with a line that says how much input the agent's holder has; what comes before is not of it. */
    private final class Connection {
        private final CompletableFuture<Long> accepted = new CompletableFuture<>();
        private final Map<OutputListener.Stream, ByteArrayOutputStream> before =
                new EnumMap<>(OutputListener.Stream.class);
        private final Pattern held = Pattern.compile("\nclusterwright-held " + id + " (-?\\d{1,18})\n");
        private final RunningCommand running;

        Connection(NodeSession session, String... arguments) {
            for (OutputListener.Stream stream : OutputListener.Stream.values()) {
                before.put(stream, new ByteArrayOutputStream());
            }
            running = session.start(WatchdogScript.hold(arguments), this::accept);
        }

        /** Whether the agent outlives this connection. */
        boolean isKept() {
            return accepted.isDone() && accepted.join() >= 0;
        }

        void send(byte[] bytes) {
            byte[] head = ("d " + bytes.length + "\n").getBytes(StandardCharsets.US_ASCII);
            byte[] all = Arrays.copyOf(head, head.length + bytes.length);
            System.arraycopy(bytes, 0, all, head.length, bytes.length);
            running.send(all);
        }

        private void accept(OutputListener.Stream stream, byte[] bytes, int length) {
            ByteArrayOutputStream head = before.get(stream);
            if (head == null) {
                pass(stream, bytes, length);
                return;
            }
            head.write(bytes, 0, length);
            byte[] all = head.toByteArray();
            Matcher found = held.matcher(head.toString(StandardCharsets.ISO_8859_1));
            if (found.find()) {
                before.remove(stream);
                byte[] rest = Arrays.copyOfRange(all, found.end(), all.length);
                pass(stream, rest, rest.length);
                accepted.complete(Long.valueOf(found.group(1)));
            }
        }

        private void pass(OutputListener.Stream stream, byte[] bytes, int length) {
            synchronized (received) {
                received.merge(stream, (long) length, Long::sum);
            }
            if (length > 0) {
                output.onOutput(stream, bytes, length);
            }
        }
    }
}
