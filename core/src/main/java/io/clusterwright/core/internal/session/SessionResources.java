package io.clusterwright.core.internal.session;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What works over a session beside its commands, such as a helper process on the node: made when it is first asked for, one
 * of each type, and closed right before the session is. Whoever implements {@link NodeSession} holds one of these. Safe for use by
 * several threads.
 */
public final class SessionResources implements AutoCloseable {
    private final Map<Class<?>, AutoCloseable> all = new LinkedHashMap<>();
    private boolean closed;

    /** For a session that has no companions yet. */
    public SessionResources() {}

    /**
     * The companion of this type.
     *
     * @param make makes it where there is none; called at most once for a type, and must not call this object
     * @throws ClusterwrightException when the session has been closed
     */
    public synchronized <T extends AutoCloseable> T get(Class<T> type, Supplier<T> make) {
        if (closed) {
            throw new ClusterwrightException("the session has been closed; ask the cluster for another one");
        }
        return type.cast(all.computeIfAbsent(type, key -> make.get()));
    }

    /** Closes all, the last one first; what one of them throws is suppressed, so that the session is closed in any case. */
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
                // A companion that cannot be closed ends with its session.
            }
        }
    }
}
