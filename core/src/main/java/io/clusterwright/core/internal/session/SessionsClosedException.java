package io.clusterwright.core.internal.session;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/** A call that came after its cluster was closed, perhaps by another thread: no attempt to open a connection again helps. */
public final class SessionsClosedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception of a call to a node. */
    public SessionsClosedException(NodeName node) {
        super("there is no connection to " + node + ": the cluster has been closed; open it again");
    }
}
