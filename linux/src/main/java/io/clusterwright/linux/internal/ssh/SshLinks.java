package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.Reconnection;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.future.CloseFuture;

/**
 * The connections of one session. There is one until more channels are wanted at once than a node takes on one
 * connection; then further ones are opened, and stay open as long as the session. When the first one breaks, the session is over.
 */
final class SshLinks implements AutoCloseable {
    private static final int COMMANDS_AT_ONCE = 64;
    private static final int MAX_REFUSALS = 10;
    private static final Duration SETTLED = Duration.ofSeconds(1);
    private static final Duration DIAL = Duration.ofSeconds(20);
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final NodeName node;
    private final SshDialer dialer;
    private final Link first;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final ReentrantLock taking = new ReentrantLock();
    private final Semaphore commands = new Semaphore(COMMANDS_AT_ONCE, true);
    private volatile boolean closed;

    SshLinks(NodeName node, SshDialer dialer) {
        this.node = node;
        this.dialer = dialer;
        this.first = new Link(dialer.dial());
        links.add(first);
    }

    /** Waits for its turn, 64 commands run at once; returns false when the time passed. */
    boolean awaitTurn(Duration limit) throws InterruptedException {
        return WaitTime.await(limit, nanos -> commands.tryAcquire(nanos, TimeUnit.NANOSECONDS));
    }

    /** Takes a turn that needs no wait; returns false where all are taken. */
    boolean tryTurn() {
        return commands.tryAcquire();
    }

    void endTurn() {
        commands.release();
    }

    /**
     * Opens a channel on a connection that takes one more; where the node refuses, on another one.
     *
     * @throws NodeUnreachableException when the session is over or the node refuses even a connection's first channel
     */
    <C extends ClientChannel> C open(Purpose purpose, Deadline deadline, Opener<C> opener) throws IOException {
        for (int refusals = 0; ; refusals++) {
            Link link = take(purpose, deadline);
            try {
                C channel = opener.open(link.session);
                link.opened();
                channel.addCloseFutureListener(closed -> link.giveBack());
                return channel;
            } catch (IOException e) {
                if (!isRefusal(e)) {
                    link.giveBack();
                    throw e;
                }
                if (!link.refused() || refusals == MAX_REFUSALS) {
                    throw new NodeUnreachableException(
                            node, node + " refuses to open a channel: raise MaxSessions in its sshd_config", e);
                }
            } catch (IllegalStateException e) {
                link.giveBack();
                throw new IOException("the connection is closing", e);
            } catch (ClusterwrightException e) {
                link.giveBack();
                throw e;
            }
        }
    }

    private Link take(Purpose purpose, Deadline deadline) {
        try {
            if (!WaitTime.await(deadline.remaining(), nanos -> taking.tryLock(nanos, TimeUnit.NANOSECONDS))) {
                throw new NodeUnreachableException(
                        node, "another connection to " + node + " was not opened within " + deadline);
            }
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while a connection to " + node + " was opened", e);
        }
        try {
            requireOpen();
            links.removeIf(link -> !link.isOpen());
            for (Link link : links) {
                if (link.tryTake(purpose)) {
                    return link;
                }
            }
            Link further = new Link(dialer.dial(deadline));
            further.tryTake(purpose);
            links.add(further);
            if (closed) {
                further.session.close(true);
                requireOpen();
            }
            return further;
        } finally {
            taking.unlock();
        }
    }

    static boolean isRefusal(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof SshChannelOpenException) {
                return true;
            }
        }
        return false;
    }

    boolean isOpen() {
        return !closed && first.isOpen();
    }

    /** The connection that the session lives with. */
    ClientSession connection() {
        return first.session;
    }

    /** Whether the session's connection is gone, for someone whose work on it failed: that may be seen before the connection is. */
    boolean broken() {
        return !isOpen() || isGone(first.session);
    }

    /** Whether a connection is gone, for someone whose work on it failed: that may be seen before the connection is. */
    static boolean isGone(ClientSession session) {
        return isGone(session, SETTLED);
    }

    /** The same, for someone who waits this long to know it. */
    static boolean isGone(ClientSession session, Duration limit) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        session.addCloseFutureListener(closed -> over.complete(null));
        return SshFutures.awaitQuietly(over, limit);
    }

    /**
     * Dials another connection for one piece of work when a connection broke, again and again until the time is over; the caller closes it.
     *
     * @param between called before each attempt
     * @throws NodeUnreachableException when the time passed, or the session has been closed
     */
    ClientSession redial(Reconnection reconnection, Between between) throws IOException {
        while (true) {
            between.step();
            if (closed) {
                requireOpen();
            }
            try {
                return dialer.dial(Deadline.in(WaitTime.RUNNING, "connect timeout", DIAL));
            } catch (NodeUnreachableException e) {
                if (reconnection.isOver()) {
                    throw e;
                }
            }
            pause(reconnection);
        }
    }

    /** Waits before the next attempt. */
    void pause(Reconnection reconnection) {
        try {
            reconnection.pause();
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while a connection to " + node + " was opened", e);
        }
    }

    /** A step between two attempts. */
    interface Between {
        void step() throws IOException;
    }

    /** Fails when the session's connection is gone. */
    void requireOpen() {
        if (!isOpen()) {
            throw new NodeUnreachableException(
                    node, "the connection to " + node + " is closed: " + whyClosed() + "; open a new one");
        }
    }

    private String whyClosed() {
        SshNodeSession gateway = dialer.lastGateway();
        return closed || gateway == null || gateway.isOpen()
                ? "it was lost or this session has been closed"
                : "that to " + gateway.node() + ", through which it went, was lost";
    }

    @Override
    public void close() {
        closed = true;
        List<Link> all = List.copyOf(links);
        List<CloseFuture> closing =
                all.stream().map(link -> link.session.close(false)).toList();
        Deadline deadline = Deadline.in("goodbye", GOODBYE);
        for (int i = 0; i < all.size(); i++) {
            if (!SshFutures.awaitQuietly(closing.get(i), deadline.remaining())) {
                all.get(i).session.close(true);
            }
        }
    }

    /** Opens a channel. */
    interface Opener<C> {
        C open(ClientSession session) throws IOException;
    }

    /** The purpose of a channel. */
    enum Purpose {
        /** A command of the caller. */
        COMMAND,
        /** Ending commands, copying files. */
        CONTROL
    }

    /** One connection, and how many channels it still takes. */
    private static final class Link {
        /** OpenSSH's default of MaxSessions. */
        private static final int CHANNELS = 10;

        /** Kept free for ending commands and for copying files. */
        private static final int RESERVED = 2;

        private final ClientSession session;
        private final AtomicInteger inUse = new AtomicInteger();
        private volatile int limit = CHANNELS;
        private volatile boolean everOpened;

        Link(ClientSession session) {
            this.session = session;
        }

        boolean isOpen() {
            return session.isOpen() && !session.isClosing();
        }

        /** Takes a channel; returns false when there is none left for this purpose. */
        boolean tryTake(Purpose purpose) {
            int allowed = purpose == Purpose.COMMAND ? Math.max(1, limit - RESERVED) : limit;
            int taken = inUse.getAndUpdate(count -> count < allowed ? count + 1 : count);
            return taken < allowed;
        }

        void giveBack() {
            inUse.decrementAndGet();
        }

        /** A channel that was taken is open. */
        void opened() {
            everOpened = true;
        }

        /**
         * The node refused a channel that was taken: it takes no more than the others, for now. Returns false when it has
         * never taken one.
         */
        boolean refused() {
            limit = Math.max(1, Math.min(limit, inUse.decrementAndGet()));
            return everOpened;
        }
    }
}
