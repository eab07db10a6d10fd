package io.clusterwright.linux.internal.ssh;

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

    @Override
    public void close() {
        client.close(true);
        threads.close();
    }
}
