package io.clusterwright.linux.internal.ssh;

import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.future.ConnectFuture;
import java.util.EnumSet;
import java.time.Duration;
import java.net.InetSocketAddress;
import java.io.IOException;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.NodeTransport;
import org.apache.sshd.client.SshClient;

/** Sessions over SSH: one client for all of them, whose threads do not grow with the number of sessions. */
public final class SshTransport implements NodeTransport {
    private final SshThreads threads = new SshThreads();
    private final SshClient client = SshClients.start(threads);

    @Override
    public NodeSession connect(Target target) {
        SshDialer dialer = new SshDialer(client, target);
        return new SshNodeSession(target, new SshLinks(target.node(), dialer), threads);
    }

    /**
     * The host key that a server shows now, without logging in.
     *
     * @throws ClusterwrightException when there is no answer in time
     */
    public SshPublicKey shownKey(Endpoint endpoint, Duration limit) {
        PinnedHostKey none = new PinnedHostKey(Ed25519Keys.generate("none").publicKey());
        Deadline deadline = Deadline.in("connect timeout", limit);
        String what = "cannot read the host key of " + endpoint + ": ";
        try {
            ConnectFuture future = client.connect(
                    "none", new InetSocketAddress(endpoint.host(), endpoint.port()), none.asContext(), null);
            if (!SshFutures.await(future, deadline.remaining())) {
                future.cancel();
                throw new ClusterwrightException(what + "no answer within " + deadline);
            }
            future.verify();
            try (ClientSession session = future.getSession()) {
                // The key is refused, which ends the connection.
                session.waitFor(EnumSet.of(ClientSession.ClientSessionEvent.CLOSED), deadline.remaining());
            }
        } catch (IOException e) {
            throw new ClusterwrightException(what + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while reading the host key of " + endpoint, e);
        }
        SshPublicKey shown = none.refused();
        if (shown == null) {
            throw new ClusterwrightException(what + "the server showed none within " + deadline);
        }
        return shown;
    }

    @Override
    public void close() {
        client.close(true);
        threads.close();
    }
}
