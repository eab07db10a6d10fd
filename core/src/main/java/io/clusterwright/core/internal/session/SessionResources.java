package io.clusterwright.core.internal.session;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Resources of a session beside its commands, such as a helper process on the node: made on first use, one of each type, and closed right
 * before the session. Each of our implementations of {@link NodeSession} is a {@link Holder}. Safe for use by several threads.
 */
public final class SessionResources implements AutoCloseable {
    private final Map<Class<?>, AutoCloseable> all = new LinkedHashMap<>();
    private boolean closed;

    /** The resources of a new session: none. */
    public SessionResources() {}

    /**
     * The resources of a session.
     *
     * @throws ClusterwrightException when the session is none of ours
     */
    public static SessionResources of(NodeSession session) {
        if (session instanceof Holder holder) {
            return holder.resources();
        }
        throw new ClusterwrightException("a session of " + session.getClass().getName()
                + " cannot run helper processes; use a session of a cluster's node");
    }

    /**
     * A resource that is kept with a session of ours, and made anew at each call for another.
     *
     * @throws ClusterwrightException when the session has been closed
     */
    public static <T extends AutoCloseable> T kept(NodeSession session, Class<T> type, Supplier<T> make) {
        return session instanceof Holder holder ? holder.resources().get(type, make) : make.get();
    }

    /**
     * The resource of this type.
     *
     * @param make makes it on first use; called at most once for a type, and must not call this object
     * @throws ClusterwrightException when the session has been closed
     */
    public synchronized <T extends AutoCloseable> T get(Class<T> type, Supplier<T> make) {
        if (closed) {
            throw new ClusterwrightException("the session is closed; call Cluster.session again");
        }
        return type.cast(all.computeIfAbsent(type, key -> make.get()));
    }

    /** Closes all, the last one first; suppresses exceptions, so that the session is closed in any case. */
    @Override
    public void close() {
        List<AutoCloseable> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(all.values());
            all.clear();
        }
        for (int i = left.size() - 1; i >= 0; i--) {
            try {
                left.get(i).close();
            } catch (Exception e) {
                // A resource that cannot be closed ends with its session.
            }
        }
    }

    /** A session with resources. */
    public interface Holder {
        /** Its resources, until it is closed. */
        SessionResources resources();
    }
}
