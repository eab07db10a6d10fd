package io.clusterwright.linux.internal.ssh;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.client.session.ClientSession;

/** One connection of a session, and how many channels it still takes. */
final class SshLink {
    /** OpenSSH's default of MaxSessions. */
    private static final int CHANNELS = 10;

    /** Kept free for ending commands and for copying files. */
    private static final int RESERVED = 2;

    private final ClientSession session;
    private final AtomicInteger inUse = new AtomicInteger();
    private volatile int limit = CHANNELS;
    private volatile boolean everOpened;

    SshLink(ClientSession session) {
        this.session = session;
    }

    ClientSession session() {
        return session;
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

    /** The purpose of a channel. */
    enum Purpose {
        /** A command of the caller. */
        COMMAND,
        /** Ending commands, copying files. */
        CONTROL
    }
}
