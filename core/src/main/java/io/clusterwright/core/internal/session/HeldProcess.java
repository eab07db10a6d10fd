package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process on a node that outlives the connection to it: a shell that runs a script. While somebody waits for it ({@link #keep}), a connection
 * that breaks is opened again, and input and output continue at the byte where they were. A node without Python holds no process: there it ends
 * with its connection. Safe for use by several threads.
 */
public final class HeldProcess {
    private static final Logger LOG = LoggerFactory.getLogger(HeldProcess.class);
    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final Duration GREETING = Duration.ofSeconds(20);
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final Duration AFTER_END = Duration.ofSeconds(2);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);
    /** The status of the holder's script where there is no such process. */
    private static final int NOT_HERE = 97;

    private static final Pattern STATUS = Pattern.compile("\\d{1,3}");
    private static final String BOOT = "eval \"$(head -c \"$1\")\"";
    private static final String HOLD = read("hold.sh");
    private static final String HOLDER = read("holder.py");

    private final NodeName node;
    private final UnaryOperator<Command> hold;
    private final boolean isCommand;
    private final OutputListener output;
    private final String id = Nonce.next() + Nonce.next();
    private final Map<OutputListener.Stream, Long> received = new EnumMap<>(OutputListener.Stream.class);
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    /** Input that the process may not have yet, and the number of bytes before it. */
    private final ByteArrayOutputStream unread = new ByteArrayOutputStream();

    private volatile boolean listenerFailed;
    private long unreadFrom;
    private Connection connection;
    private @Nullable Supplier<NodeSession> sessions;
    private @Nullable BrokenConnection broken;
    private @Nullable NodeUnreachableException lost;
    private String lossReason = "";
    private long beatNanos;
    private boolean acknowledged;
    private boolean inputEnded;
    private boolean dismissed;
    /** The request of {@link #cancel}, which a broken connection delays. */
    private @Nullable String kill;

    /**
     * Starts a process.
     *
     * @param start how to start the command that holds it: with the input open, for example elevated
     * @param isCommand whether it is a command of a user: its output is complete when it is closed, and after a broken connection it waits for
     *     its client in any case
     * @param script what the shell runs; the rest of its input is for the script
     * @param output gets the output, as from {@link NodeSession#start}
     */
    public HeldProcess(
            NodeSession session,
            UnaryOperator<Command> start,
            boolean isCommand,
            byte[] script,
            OutputListener output) {
        this.node = session.node();
        this.hold = start;
        this.isCommand = isCommand;
        this.output = output;
        this.connection = new Connection(
                session, "start", id, Integer.toString(script.length), isCommand ? "/bin/sh" : "clusterwright-agent");
        sendKind();
        send(script);
    }

    private static String read(String name) {
        return TextResource.read(HeldProcess.class.getResourceAsStream(name), name);
    }

    private static String length(String text) {
        return Integer.toString(text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Opens the connection again over these sessions, from now on until {@link #settle}. */
    public synchronized void keep(Supplier<NodeSession> over) {
        sessions = over;
        sendLine("b");
    }

    private void sendKind() {
        if (isCommand) {
            sendLine("c");
        }
    }

    /** The process has read all that was sent, and no caller waits for it. */
    public synchronized void settle() {
        sessions = null;
        unreadFrom += unread.size();
        unread.reset();
        sendLine("i");
    }

    /** Adds to the input of the process. */
    public synchronized void send(byte[] bytes) {
        unread.writeBytes(bytes);
        if (broken == null) {
            connection.send(bytes);
        }
    }

    /** Ends the input of the process, and opens its connection no more. */
    public synchronized void dismiss() {
        dismissed = true;
        endInput();
    }

    /** Ends the input of the process. */
    synchronized void endInput() {
        inputEnded = true;
        sendLine("q");
    }

    private void sendLine(String line) {
        if (broken == null) {
            beatNanos = WaitTime.RUNNING.nanos();
            connection.running.send((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /**
     * Waits for the end of the process.
     *
     * @return its exit status; empty while it runs, and while its connection is being opened again
     * @throws NodeUnreachableException when the connection broke for good
     */
    public OptionalInt await(Duration limit) {
        if (limit.isZero()) {
            return status();
        }
        try {
            return awaitInterruptibly(limit);
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while a process was running on " + node, e);
        }
    }

    OptionalInt awaitInterruptibly(Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "wait for a process", limit);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            OptionalInt status = status();
            if (status.isPresent() || deadline.passed()) {
                return status;
            }
            if (ended.isDone()) {
                // The connection over which the end came is about to be taken.
                WaitTime.RUNNING.sleep(deadline.remaining(SLICE));
                continue;
            }
            try {
                WaitTime.get(ended, deadline.remaining(SLICE));
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                throw new IllegalStateException("reading the end of a process never fails", e);
            }
        }
    }

    private OptionalInt status() {
        Connection current;
        boolean known;
        synchronized (this) {
            current = connection;
            known = ended.isDone() && (broken == null || lost != null);
            if (known && acknowledged) {
                return OptionalInt.of(ended.join());
            }
            if (known) {
                acknowledged = true;
                sendLine("e");
            } else if (lost != null) {
                throw lost;
            } else if (broken != null) {
                return OptionalInt.empty();
            } else if (sessions != null && WaitTime.RUNNING.nanos() - beatNanos > BEAT.toNanos()) {
                sendLine("b");
            }
        }
        if (known) {
            awaitHolder(current);
            return OptionalInt.of(ended.join());
        }
        return status(current);
    }

    private OptionalInt status(Connection current) {
        try {
            OptionalInt status = current.running.await(Duration.ZERO);
            if (current.malformed) {
                lose(
                        new NodeUnreachableException(node, "the connection to " + node + " was given up"),
                        "what came over it is not of the process");
                return OptionalInt.empty();
            }
            if (status.isPresent() && !current.accepted.isDone()) {
                current.handWhatCameBefore();
            }
            if (status.isEmpty() || !current.isKept()) {
                return status;
            }
            noteBroken(current, new NodeUnreachableException(node, node + " ended the connection to a process"));
        } catch (NodeUnreachableException e) {
            noteBroken(current, e);
        }
        return OptionalInt.empty();
    }

    /** The holder ends when it hears that the end of the process is known. */
    private void awaitHolder(Connection last) {
        Supplier<NodeSession> over;
        synchronized (this) {
            over = sessions;
        }
        boolean told = last.hasEnded();
        for (int tries = 0; !told && over != null && isCommand && tries < 3; tries++) {
            try {
                WaitTime.RUNNING.sleep(AFTER_END.dividedBy(4));
                told = !attach(over.get()) || connection().hasEnded();
            } catch (ClusterwrightException e) {
                LOG.debug("the holder of a process on {} does not hear of its end", node, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private synchronized Connection connection() {
        return connection;
    }

    private synchronized void noteBroken(Connection which, NodeUnreachableException cause) {
        Supplier<NodeSession> over = sessions;
        if (which != connection || broken != null || ended.isDone()) {
            return;
        }
        broken = BrokenConnection.now(cause);
        if (over == null || dismissed || !which.isKept()) {
            lost = cause;
            throw cause;
        }
        LOG.debug("the connection to a process on {} broke, and is opened again", node, cause);
        Threads.start("reopen-" + node, () -> {
            try {
                reopen(over, cause);
            } catch (RuntimeException | Error e) {
                lose(cause, Reason.of(e));
            }
        });
    }

    /** The break of the connection; empty while it is in order. */
    public synchronized Optional<BrokenConnection> broken() {
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
                lose(cause, "its process is not there any more: the node was started again, or the process was ended");
                return;
            } catch (SessionsClosedException e) {
                lose(cause, Reason.of(e));
                return;
            } catch (OperationInterruptedException e) {
                break;
            } catch (ClusterwrightException e) {
                last = e;
                failed(begunNanos);
                if (e instanceof NodeUnreachableException gone
                        && gone.machineState().isPresent()) {
                    lose(
                            gone,
                            "it ended with the machine, which "
                                    + Sessions.inWords(gone.machineState().get()));
                    return;
                }
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
        lossReason = why;
        lost = new NodeUnreachableException(node, cause.getMessage() + "; " + why, cause);
    }

    /** Why a broken connection was not opened again; empty without an attempt. */
    synchronized String lossReason() {
        return lossReason;
    }

    /** Whether the exit status is known, or never will be. */
    synchronized boolean isOver() {
        return ended.isDone() || lost != null;
    }

    /** Whether there is a process to attach to. */
    private boolean attach(NodeSession session) {
        Connection next = new Connection(
                session,
                "attach",
                id,
                Long.toString(received(OutputListener.Stream.STDOUT)),
                Long.toString(received(OutputListener.Stream.STDERR)));
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "answer of the process", GREETING);
        OptionalInt end = next.unansweredEnd(deadline);
        if (end.equals(OptionalInt.of(NOT_HERE))) {
            return false;
        }
        if (end.isPresent()) {
            throw new NodeUnreachableException(
                    node, "attaching to the process on " + node + " ended with status " + end.getAsInt());
        }
        if (next.isGivenUp()) {
            throw new NodeUnreachableException(node, "the process on " + node + " did not answer within " + deadline);
        }
        synchronized (this) {
            byte[] all = unread.toByteArray();
            long accepted = next.accepted.join();
            if (accepted < unreadFrom || accepted > unreadFrom + all.length) {
                next.refuse();
                throw new NodeUnreachableException(
                        node, "the process on " + node + " answered with input that it was never sent");
            }
            connection = next;
            broken = null;
            byte[] rest = Arrays.copyOfRange(all, (int) (accepted - unreadFrom), all.length);
            unreadFrom = accepted;
            unread.reset();
            unread.writeBytes(rest);
            sendKind();
            next.send(rest);
            sendLine("b");
            if (inputEnded) {
                sendLine("q");
            }
            if (kill != null) {
                sendLine(kill);
            }
            if (acknowledged) {
                sendLine("e");
            }
            return true;
        }
    }

    private long received(OutputListener.Stream stream) {
        synchronized (received) {
            return received.getOrDefault(stream, 0L);
        }
    }

    /**
     * Ends the process with all processes of its session: first asked, after the grace forced.
     *
     * @throws NodeUnreachableException while its connection is broken; the process is ended when the connection is open again
     * @throws ClusterwrightException when it did not end
     */
    public void cancel(Duration grace) {
        Connection current;
        synchronized (this) {
            kill = "k " + grace.toMillis() / 1000.0;
            if (broken != null) {
                throw new NodeUnreachableException(node, "there is no connection to " + node + " now");
            }
            dismissed = true;
            current = connection;
            sendLine(kill);
        }
        // Some time after its start, it is known whether the process outlives this connection.
        current.unansweredEnd(Deadline.in(WaitTime.RUNNING, "answer of the process", AFTER_KILL));
        boolean ended = current.isKept() && await(grace.plus(AFTER_KILL)).isPresent();
        if (!ended) {
            current.running.cancel(grace);
        }
        if (!ended && current.isKept()) {
            throw new ClusterwrightException("on " + node
                    + ", a process hangs in the kernel, or one in a session of its own" + " holds the output open");
        }
    }

    /**
     * One connection to the process. Its output begins with a line that says how much input the holder has; what comes before is not of it. The
     * holder's frames follow. Where there is no holder, both streams begin so, and the output of the process follows.
     */
    private final class Connection {
        private static final int HEAD = 5;
        private static final int LONGEST_FRAME = 65536;
        private static final int LONGEST_LINE = 64;
        private static final int MOST_BEFORE = 65536;
        private static final int STDOUT = 1;
        private static final int STDERR = 2;
        private static final int ENDED = 4;

        private final CompletableFuture<Long> accepted = new CompletableFuture<>();
        private final Map<OutputListener.Stream, ByteArrayOutputStream> before =
                new EnumMap<>(OutputListener.Stream.class);
        private final Pattern held = Pattern.compile("\nclusterwright-held " + id + " (-?\\d{1,18})\n");
        private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
        private final RunningCommand running;
        private volatile boolean malformed;
        private volatile boolean abandoned;

        Connection(NodeSession session, String... arguments) {
            for (OutputListener.Stream stream : OutputListener.Stream.values()) {
                before.put(stream, new ByteArrayOutputStream());
            }
            List<String> words = new ArrayList<>(
                    List.of("/bin/sh", "-c", BOOT, "clusterwright-holder", length(HOLD), length(HOLDER)));
            words.addAll(List.of(arguments));
            running = session.start(
                    hold.apply(Command.of(words).input(HOLD + HOLDER).openInput()), this::accept);
        }

        /** Whether the process outlives this connection. */
        boolean isKept() {
            return accepted.isDone() && accepted.join() >= 0;
        }

        /**
         * Waits until the holder has answered, the connection has ended, or the time has passed.
         *
         * @return the status with which it ended without an answer
         */
        OptionalInt unansweredEnd(Deadline deadline) {
            while (!accepted.isDone() && !deadline.passed()) {
                OptionalInt status = running.await(SLICE);
                if (status.isPresent()) {
                    return accepted.isDone() ? OptionalInt.empty() : status;
                }
            }
            return OptionalInt.empty();
        }

        /** Gives it up unless the holder has answered: what it brings later comes over another connection. */
        boolean isGivenUp() {
            synchronized (accepted) {
                if (accepted.isDone()) {
                    return false;
                }
                abandoned = true;
            }
            close();
            return true;
        }

        /** Takes nothing more from it. */
        void refuse() {
            malformed = true;
            close();
        }

        private void close() {
            try {
                running.close();
            } catch (ClusterwrightException e) {
                LOG.debug("a connection to a process on {} could not be closed in the ordinary way", node, e);
            }
        }

        /** Whether the connection ends soon. */
        boolean hasEnded() {
            try {
                return running.await(AFTER_END).isPresent();
            } catch (ClusterwrightException e) {
                return false;
            }
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
            Matcher found = held.matcher(new String(all, StandardCharsets.ISO_8859_1));
            if (found.find()) {
                synchronized (accepted) {
                    if (abandoned) {
                        return;
                    }
                    accepted.complete(Long.valueOf(found.group(1)));
                }
                before.remove(stream);
                byte[] rest = Arrays.copyOfRange(all, found.end(), all.length);
                pass(stream, rest, rest.length);
            } else if (all.length > MOST_BEFORE) {
                head.reset();
                head.write(all, all.length - LONGEST_LINE - id.length(), LONGEST_LINE + id.length());
            }
        }

        /** There was no holder: what was said is the answer. */
        private void handWhatCameBefore() {
            before.forEach((stream, said) -> {
                if (said.size() > 0) {
                    hand(stream, said.toByteArray());
                }
            });
            before.clear();
        }

        private void pass(OutputListener.Stream stream, byte[] bytes, int length) {
            if (isKept()) {
                takeFrames(bytes, length);
            } else if (length > 0) {
                output.onOutput(stream, bytes, length);
            }
        }

        private void takeFrames(byte[] bytes, int length) {
            if (malformed) {
                return;
            }
            ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
            if (frame.size() > 0) {
                frame.write(bytes, 0, length);
                rest = ByteBuffer.wrap(frame.toByteArray());
                frame.reset();
            }
            while (rest.remaining() >= HEAD) {
                int size = rest.getInt(rest.position() + 1);
                if (size < 0 || size > LONGEST_FRAME) {
                    malformed = true;
                    return;
                }
                if (rest.remaining() - HEAD < size) {
                    break;
                }
                byte kind = rest.get();
                byte[] content = new byte[rest.getInt()];
                rest.get(content);
                takeFrame(kind, content);
            }
            frame.write(rest.array(), rest.position(), rest.remaining());
        }

        private void takeFrame(int kind, byte[] content) {
            if (kind == ENDED) {
                String status = new String(content, StandardCharsets.US_ASCII);
                malformed = !STATUS.matcher(status).matches();
                if (!malformed) {
                    ended.complete(Integer.valueOf(status));
                }
            } else if (kind == STDOUT || kind == STDERR) {
                OutputListener.Stream stream =
                        kind == STDOUT ? OutputListener.Stream.STDOUT : OutputListener.Stream.STDERR;
                synchronized (received) {
                    received.merge(stream, (long) content.length, Long::sum);
                }
                hand(stream, content);
            }
        }

        private void hand(OutputListener.Stream stream, byte[] content) {
            if (listenerFailed) {
                return;
            }
            try {
                output.onOutput(stream, content, content.length);
            } catch (RuntimeException | Error e) {
                listenerFailed = true;
                LOG.debug("the listener of a process on {} failed and gets no more output", node, e);
            }
        }
    }
}
