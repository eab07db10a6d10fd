package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntry;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.client.future.DefaultConnectFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.future.SshFutureListener;
import org.apache.sshd.common.io.DefaultIoConnectFuture;
import org.apache.sshd.common.io.IoConnectFuture;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.ConnectionService;

/**
 * A client whose connections may lead through another connection: over a direct-tcpip channel of that one, without a listening socket
 * on this machine, which other users of it could connect to.
 */
final class TunnelClient extends SshClient {
    /** The connection through which one leads, in the context of the latter. */
    static final AttributeKey<ClientSession> GATEWAY = new AttributeKey<>();

    private final Executor workers;

    /** With threads that pass on bytes; once they have ended, those who close the last connections do it themselves. */
    TunnelClient(ExecutorService threads) {
        this.workers = task -> {
            try {
                threads.execute(task);
            } catch (RejectedExecutionException e) {
                task.run();
            }
        };
    }

    @Override
    protected ConnectFuture doConnect(
            String user,
            SocketAddress target,
            AttributeRepository context,
            SocketAddress local,
            KeyIdentityProvider identities,
            HostConfigEntry hostConfig)
            throws IOException {
        ClientSession gateway = context == null ? null : context.getAttribute(GATEWAY);
        if (gateway == null) {
            return super.doConnect(user, target, context, local, identities, hostConfig);
        }
        ConnectFuture whole = new DefaultConnectFuture(user + "@" + target, null);
        SshFutureListener<IoConnectFuture> logIn =
                createConnectCompletionListener(whole, user, target, identities, hostConfig);
        IoConnectFuture connected = new DefaultIoConnectFuture(target, null);
        TunnelChannel channel = new TunnelChannel((InetSocketAddress) target, workers);
        gateway.getService(ConnectionService.class).registerChannel(channel);
        // Never closed before the gateway has answered: it would end its connection for an answer about a channel that
        // is gone.
        channel.open()
                .addListener(opened -> workers.execute(() -> {
                    if (!opened.isOpened()) {
                        connected.setException(opened.getException());
                    } else if (whole.isDone()) {
                        channel.close(false);
                    } else {
                        begin(channel, context, connected);
                    }
                }));
        connected.addListener(logIn);
        return whole;
    }

    private void begin(TunnelChannel channel, AttributeRepository context, IoConnectFuture connected) {
        TunnelSession session = new TunnelSession(channel, connector, getSessionFactory(), workers);
        try {
            session.setAttribute(AttributeRepository.class, context);
            getSessionFactory().sessionCreated(session);
            connected.setSession(session);
            channel.receive(session::received, () -> session.close(true));
        } catch (Exception e) {
            connected.setException(e);
            session.close(true);
        }
    }
}
