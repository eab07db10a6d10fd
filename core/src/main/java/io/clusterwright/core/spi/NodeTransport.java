package io.clusterwright.core.spi;

import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.util.function.Supplier;

/** Opens sessions to nodes. Safe for use by several threads; whoever opened it closes it. */
public interface NodeTransport extends AutoCloseable {

    /**
     * Opens a session, once: the caller decides about another try.
     *
     * @throws io.clusterwright.core.cluster.NodeUnreachableException when there is no answer in time, the login is
     *     refused, or the node shows another host key than the pinned one
     */
    NodeSession connect(Target target);

    @Override
    void close();

    /**
     * A node to reach.
     *
     * @param node its name, for messages
     * @param endpoint gives what to dial; called right before dialling
     * @param user the account
     * @param identity the key that logs in
     * @param hostKey the only host key accepted
     * @param timeout for connecting and logging in, together
     */
    record Target(
            NodeName node,
            Supplier<Endpoint> endpoint,
            UserName user,
            KeyPairText identity,
            SshPublicKey hostKey,
            Duration timeout) {}
}
