package io.clusterwright.core;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;

/** Opens sessions to the nodes of one cluster and keeps them. Safe for use by several threads. */
public interface SessionSource extends AutoCloseable {

    /**
     * The session to a node as a user, opened if there is none or the one there was is no longer open.
     *
     * @throws NodeUnreachableException when the node cannot be reached or does not let that user in
     */
    NodeSession session(NodeName node, UserName user);

    /**
     * A new session to a node as a user, which the caller closes.
     *
     * @throws NodeUnreachableException when the node cannot be reached or does not let that user in
     */
    NodeSession open(NodeName node, UserName user);

    /** Closes all sessions that are kept. */
    @Override
    void close();
}
