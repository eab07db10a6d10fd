package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.jspecify.annotations.Nullable;

/** Opens logged-in connections to one node. Never tries twice. */
final class SshDialer {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration AUTHENTICATION_TIMEOUT = Duration.ofSeconds(30);

    private final SshClient client;
    private final Target target;
    private final KeyPair identity;
    private volatile @Nullable SshNodeSession lastGateway;

    SshDialer(SshClient client, Target target) {
        this.client = client;
        this.target = target;
        this.identity = Ed25519Keys.load(target.identity());
    }

    ClientSession dial() {
        return dial(Deadline.in("session timeout", target.timeout()));
    }

    /** The same, before a deadline. */
    ClientSession dial(Deadline deadline) {
        Deadline whole = deadline.within("session timeout", target.timeout());
        SshNodeSession gateway = gateway();
        Endpoint endpoint = target.endpoint().get();
        PinnedHostKey hostKey = new PinnedHostKey(target.hostKey());
        DialFailure failure = new DialFailure(target, endpoint, hostKey, gateway);
        ClientSession session =
                connect(endpoint, gateway, hostKey, whole.within("connect timeout", CONNECT_TIMEOUT), failure);
        boolean loggedIn = false;
        try {
            logIn(session, whole.within("authentication timeout", AUTHENTICATION_TIMEOUT), failure);
            loggedIn = true;
            return session;
        } finally {
            if (!loggedIn) {
                session.close(true);
            }
        }
    }

    private @Nullable SshNodeSession gateway() {
        NodeSession session = target.gateway().map(Supplier::get).orElse(null);
        if (session != null && !(session instanceof SshNodeSession)) {
            throw new ClusterwrightException(target.node() + " cannot be reached through " + session.node()
                    + ": the session to " + session.node() + " is not an SSH session");
        }
        lastGateway = (SshNodeSession) session;
        return lastGateway;
    }

    /** The session through which the last connection was dialled; null for none. */
    @Nullable
    SshNodeSession lastGateway() {
        return lastGateway;
    }

    private ClientSession connect(
            Endpoint endpoint,
            @Nullable SshNodeSession gateway,
            PinnedHostKey hostKey,
            Deadline deadline,
            DialFailure failure) {
        try {
            ClientSession way = gateway == null ? null : gateway.connection();
            return connect(client, target.user().value(), endpoint, hostKey.asContext(way), deadline);
        } catch (TimeoutException e) {
            throw failure.connectTimedOut(deadline);
        } catch (IOException e) {
            throw failure.notConnected(e);
        } catch (InterruptedException e) {
            throw interrupted(endpoint, e);
        }
    }

    /** A connection on which no one is logged in yet. */
    static ClientSession connect(
            SshClient client, String user, Endpoint endpoint, AttributeRepository context, Deadline deadline)
            throws IOException, InterruptedException, TimeoutException {
        ConnectFuture future =
                client.connect(user, new InetSocketAddress(endpoint.host(), endpoint.port()), context, null);
        boolean connected = false;
        try {
            if (!SshFutures.await(future, deadline.remaining())) {
                throw new TimeoutException("no answer within " + deadline);
            }
            future.verify();
            connected = true;
            return future.getSession();
        } finally {
            if (!connected) {
                future.addListener(SshDialer::discard);
                future.cancel();
            }
        }
    }

    private void logIn(ClientSession session, Deadline deadline, DialFailure failure) {
        try {
            session.addPublicKeyIdentity(identity);
            AuthFuture future = session.auth();
            if (!SshFutures.await(future, deadline.remaining())) {
                throw failure.logInTimedOut(deadline);
            }
            future.verify();
        } catch (IOException e) {
            throw failure.notLoggedIn(e);
        } catch (InterruptedException e) {
            throw interrupted(failure.endpoint(), e);
        }
    }

    private OperationInterruptedException interrupted(Endpoint endpoint, InterruptedException e) {
        return new OperationInterruptedException(
                "interrupted while connecting to " + target.node() + " (" + endpoint + ")", e);
    }

    private static void discard(ConnectFuture future) {
        if (future.isConnected()) {
            future.getSession().close(true);
        }
    }
}
