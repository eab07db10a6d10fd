package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.CommandRun;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/** A command that runs on a node. */
final class SshRunningCommand implements RunningCommand {
    /** Limits on the wait for the process id of a command, and for the end of its output. */
    static final Duration UNTIL_MARKED = Duration.ofSeconds(5);

    static final Duration UNTIL_CLOSED = Duration.ofSeconds(5);

    private final NodeName node;
    private final Command command;
    private final Carrier carrier;
    private final ProcessSessionEnder ender;
    private final ReentrantLock ending = new ReentrantLock();

    SshRunningCommand(NodeName node, Command command, Carrier carrier, ProcessSessionEnder ender) {
        this.node = node;
        this.command = command;
        this.carrier = carrier;
        this.ender = ender;
    }

    /** Completes after the last byte of output, with no status when the connection broke. */
    CompletableFuture<OptionalInt> ended() {
        return carrier.ended();
    }

    boolean elevated() {
        return command.elevated();
    }

    /** The processes to end; empty when the command ended or never printed its process id in time. */
    List<Leader> leaders(Duration limit) {
        boolean known = SshFutures.awaitQuietly(carrier.leader(), limit)
                && !carrier.leader().isCompletedExceptionally();
        return carrier.isOver() || !known ? List.of() : List.of(carrier.leader().join());
    }

    /** Gives up what a command whose processes have been ended may still bring. */
    void discard(Duration limit) {
        carrier.discard(limit);
    }

    @Override
    public OptionalInt await(Duration limit) {
        if (limit.isZero() && !carrier.ended().isDone()) {
            return OptionalInt.empty();
        }
        try {
            OptionalInt status = WaitTime.get(carrier.ended(), limit);
            if (status.isEmpty()) {
                throw lost();
            }
            return status;
        } catch (TimeoutException e) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading the end of a command never fails", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private NodeUnreachableException lost() {
        if (carrier.isRefused()) {
            return new NodeUnreachableException(
                    node,
                    node + " did not start `" + command + "`: its SSH server could not create a process;"
                            + " check the node's memory, its limit of processes and the log of sshd");
        }
        String message = "the connection to " + node + " broke while `" + command
                + "` was running: its result is unknown, and it may still run";
        return carrier.endedInSilence()
                ? new NodeUnreachableException(node, message, new SocketTimeoutException(node + " did not answer"))
                : new NodeUnreachableException(node, message);
    }

    @Override
    public void send(byte[] bytes) {
        carrier.send(bytes);
    }

    @Override
    public void endInput() {
        carrier.endInput();
    }

    /** Ends the command, as the wait for it was interrupted. */
    OperationInterruptedException interrupted(InterruptedException cause) {
        return CommandRun.interrupted(node, command, this, cause);
    }

    @Override
    public void cancel(Duration grace) {
        ending.lock();
        try {
            if (carrier.isOver()) {
                return;
            }
            ender.end(leaders(UNTIL_MARKED), elevated(), grace);
            discard(UNTIL_CLOSED);
        } finally {
            ending.unlock();
        }
    }

    @Override
    public void close() {
        cancel(Duration.ZERO);
    }

    /** Takes one command to its node, and brings back its output, the leader of its session and its end. */
    interface Carrier {
        /** Completes after the last byte of output, with no status when the connection broke. */
        CompletableFuture<OptionalInt> ended();

        /** The leader of the command's session; completes exceptionally when it will never be known. */
        CompletableFuture<Leader> leader();

        /** Whether nothing more will come, as the command has ended or was given up. */
        boolean isOver();

        /** Whether the node refused to start the command. */
        boolean isRefused();

        /** Whether the connection broke as the node did not answer; otherwise the node closed it. */
        boolean endedInSilence();

        /** Gives the command input. */
        void send(byte[] bytes);

        /** Gives the command no more input. */
        void endInput();

        /** Waits for the end of a command whose processes have been ended, at most this long, and then gives it up. */
        void discard(Duration limit);
    }
}
