package io.clusterwright.core.spi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens sessions to nodes. Implement it for nodes that are reached in another way than by SSH. Safe for use by
 * several threads; the caller that opened it closes it.
 *
 * @see NodeBackend
 */
public interface NodeTransport extends AutoCloseable {

    /**
     * Opens a session, once: the caller decides about another try.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when there is no answer in time, the login is
     *     refused, or the node shows another host key than the pinned one
     */
    NodeSession connect(Target target);

    @Override
    void close();

    /** A node to reach. Immutable. */
    final class Target {
        private final NodeName node;
        private final Supplier<Endpoint> endpoint;
        private final UserName user;
        private final SshKeyPair identity;
        private final SshPublicKey hostKey;
        private final Duration timeout;
        private final Supplier<ScriptChannel> relay;
        private final @Nullable Supplier<NodeSession> gateway;

        /**
         * A node to reach over the network.
         *
         * @param node its name, for messages
         * @param endpoint gives what to dial; called right before dialling
         * @param user the account
         * @param identity the key that logs in
         * @param hostKey the only host key accepted
         * @param timeout for connecting and logging in, together
         */
        public Target(
                NodeName node,
                Supplier<Endpoint> endpoint,
                UserName user,
                SshKeyPair identity,
                SshPublicKey hostKey,
                Duration timeout) {
            this.node = node;
            this.endpoint = endpoint;
            this.user = user;
            this.identity = identity;
            this.hostKey = hostKey;
            this.timeout = timeout;
            this.relay = () -> {
                throw new ClusterwrightException(
                        "cannot run scripts on " + node + " without a network connection to it");
            };
            this.gateway = null;
        }

        private Target(Target other, Supplier<ScriptChannel> relay, @Nullable Supplier<NodeSession> gateway) {
            this.node = other.node;
            this.endpoint = other.endpoint;
            this.user = other.user;
            this.identity = other.identity;
            this.hostKey = other.hostKey;
            this.timeout = other.timeout;
            this.relay = relay;
            this.gateway = gateway;
        }

        /** Adds a channel that runs scripts on the node without a connection to it. */
        public Target relayedBy(Supplier<ScriptChannel> channel) {
            return new Target(this, channel, gateway);
        }

        /**
         * Connects to the node from another node: over the connection of that session, which must be of the same transport and stays
         * open as long as the new session. The node's own host key is checked all the same, so that the other one sees ciphertext only.
         *
         * @param session gives the session; called right before dialling, and may throw what {@link NodeTransport#connect} throws
         */
        public Target through(Supplier<NodeSession> session) {
            return new Target(this, relay, session);
        }

        /** Its name, for messages. */
        public NodeName node() {
            return node;
        }

        /** Gives what to dial; called right before dialling. */
        public Supplier<Endpoint> endpoint() {
            return endpoint;
        }

        /** The account. */
        public UserName user() {
            return user;
        }

        /** The key that logs in. */
        public SshKeyPair identity() {
            return identity;
        }

        /** The only host key accepted. */
        public SshPublicKey hostKey() {
            return hostKey;
        }

        /** The limit for connecting and logging in, together. */
        public Duration timeout() {
            return timeout;
        }

        /** Gives what runs scripts on the node where it is not dialled. */
        public Supplier<ScriptChannel> relay() {
            return relay;
        }

        /** Gives the session to the node from which this one is dialled; empty where it is dialled from here. */
        public Optional<Supplier<NodeSession>> gateway() {
            return Optional.ofNullable(gateway);
        }
    }
}
