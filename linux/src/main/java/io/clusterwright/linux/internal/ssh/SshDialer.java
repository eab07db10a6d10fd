package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.client.session.ClientSession;

/** Opens logged-in connections to one node. Never tries twice. */
final class SshDialer {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration AUTHENTICATION_TIMEOUT = Duration.ofSeconds(30);

    private final SshClient client;
    private final Target target;
    private final KeyPair identity;

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
        Endpoint endpoint = target.endpoint().get();
        PinnedHostKey hostKey = new PinnedHostKey(target.hostKey());
        DialFailure failure = new DialFailure(target, endpoint, hostKey);
        ClientSession session = connect(endpoint, hostKey, whole.within("connect timeout", CONNECT_TIMEOUT), failure);
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

    private ClientSession connect(Endpoint endpoint, PinnedHostKey hostKey, Deadline deadline, DialFailure failure) {
        try {
            return connect(client, target.user().value(), endpoint, hostKey, deadline);
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
            SshClient client, String user, Endpoint endpoint, PinnedHostKey hostKey, Deadline deadline)
            throws IOException, InterruptedException, TimeoutException {
        ConnectFuture future = client.connect(
                user, new InetSocketAddress(endpoint.host(), endpoint.port()), hostKey.asContext(), null);
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
