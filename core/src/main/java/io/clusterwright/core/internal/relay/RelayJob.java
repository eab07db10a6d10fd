package io.clusterwright.core.internal.relay;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.relay.RelayAnswer.State;
import io.clusterwright.core.internal.relay.RelayShell.End;
import io.clusterwright.core.internal.relay.RelayShell.Input;
import io.clusterwright.core.internal.relay.RelayShell.Launch;
import io.clusterwright.core.internal.relay.RelayShell.Look;
import io.clusterwright.core.internal.relay.RelayShell.Request;
import io.clusterwright.core.internal.relay.RelayShell.Stage;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;

/** A command that was started by a script and is looked at by further ones. */
final class RelayJob implements RunningCommand {
    /** The time that the script of a new command waits for its end: most commands need one script only. */
    private static final Duration FIRST_WAIT = Duration.ofSeconds(5);

    private final RelayLine line;
    private final Command command;
    private final String id;
    private final OutputListener output;
    private final long kept;
    private final Map<Stream, Long> lost = new EnumMap<>(Stream.class);
    private final Runnable over;
    private long out;
    private long err;
    private OptionalInt status = OptionalInt.empty();
    private boolean ended;
    private volatile boolean cancelled;

    /**
     * A job that is not started yet.
     *
     * @param kept how much of the end of each stream is of interest, in bytes
     * @param over called when it has ended
     */
    RelayJob(RelayLine line, Command command, String id, OutputListener output, long kept, Runnable over) {
        this.line = line;
        this.command = command;
        this.id = id;
        this.output = output;
        this.kept = kept;
        this.over = over;
    }

    /** Starts it and waits for its end, as long as one script may. */
    void launch(UserName user, Duration limit) {
        byte[] input = command.input();
        int piece = line.inputBytes();
        int from = 0;
        for (; input.length - from > piece; from += piece) {
            ask(new Stage(id, input(input, from, from + piece)), Duration.ZERO);
        }
        Duration wait = wait(wait(limit, line.longestWait()), FIRST_WAIT);
        Input rest = input(input, from, input.length);
        ask(new Launch(id, command, user, rest, line.window(wait, 0, 0)), wait);
    }

    private static Input input(byte[] bytes, int from, int to) {
        return new Input(from, pack(bytes, from, to));
    }

    private static byte[] pack(byte[] bytes, int from, int to) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes, from, to - from);
        } catch (IOException e) {
            throw new IllegalStateException("memory takes every byte", e);
        }
        return packed.toByteArray();
    }

    @Override
    public OptionalInt await(Duration limit) {
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "wait for the command", limit);
        for (boolean asked = false; ; asked = true) {
            Duration left = deadline.remaining();
            synchronized (this) {
                // Once the command has ended, fetching its output takes no time of the command's.
                boolean over = ended || cancelled || asked && left.isZero() && status.isEmpty();
                if (over) {
                    return status;
                }
                Duration wait = status.isPresent() ? Duration.ZERO : wait(left, line.longestWait());
                ask(new Look(id, line.window(wait, out, err)), wait);
            }
        }
    }

    private static Duration wait(Duration limit, Duration longest) {
        Duration wait = limit.compareTo(longest) > 0 ? longest : limit;
        return Duration.ofSeconds(Math.max(0, wait.toSeconds()));
    }

    private synchronized void ask(Request request, Duration wait) {
        if (ended) {
            return;
        }
        try {
            take(line.ask(request, wait));
        } catch (ClusterwrightException e) {
            if (Thread.currentThread().isInterrupted()) {
                endQuietly();
                throw new OperationInterruptedException("interrupted while `" + command + "` ran on " + line.node(), e);
            }
            throw e;
        }
    }

    private void take(RelayAnswer answer) {
        if (answer.state() == State.LOST) {
            finish();
            throw new NodeUnreachableException(
                    line.node(),
                    "`" + command + "` is no longer running on " + line.node()
                            + ": the node restarted, or someone killed the command");
        }
        out = hand(Stream.STDOUT, answer.out(), out);
        err = hand(Stream.STDERR, answer.err(), err);
        if (answer.state() == State.ENDED) {
            status = OptionalInt.of(answer.status());
            if (out == answer.out().total() && err == answer.err().total()) {
                finish();
            }
        }
    }

    /** Hands a piece on, and answers where the next one begins: not before what is of interest. */
    private long hand(Stream stream, RelayAnswer.Piece piece, long from) {
        if (piece.bytes().length > 0) {
            output.onOutput(stream, piece.bytes(), piece.bytes().length);
        }
        long next = from + piece.bytes().length;
        long skipped = Math.max(0, piece.total() - kept - next);
        lost.merge(stream, skipped, Long::sum);
        return next + skipped;
    }

    /** The bytes of a stream that were not of interest and were left out. */
    synchronized long lost(Stream stream) {
        return lost.getOrDefault(stream, 0L);
    }

    private void finish() {
        if (!ended) {
            ended = true;
            over.run();
        }
    }

    @Override
    public void send(byte[] bytes) {
        throw new IllegalStateException("a command over a relay takes no input after its start");
    }

    @Override
    public void endInput() {}

    @Override
    public void cancel(Duration grace) {
        boolean interrupted = Thread.interrupted();
        cancelled = true;
        try {
            synchronized (this) {
                if (!ended) {
                    RelayAnswer last = line.ask(new End(id, grace, line.window(Duration.ZERO, out, err)), grace);
                    if (last.state() == State.ENDED && status.isEmpty()) {
                        status = OptionalInt.of(last.status());
                    }
                    finish();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void endQuietly() {
        try {
            cancel(Duration.ZERO);
        } catch (ClusterwrightException e) {
            // The interrupt is reported; that its command may run on is as far as a relay goes.
        }
    }

    @Override
    public void close() {
        cancel(Duration.ZERO);
    }
}
