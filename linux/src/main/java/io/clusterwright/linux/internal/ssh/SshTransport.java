package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.SessionsClosedException;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.config.keys.ClientIdentityLoader;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.session.ClientSessionImpl;
import org.apache.sshd.client.session.SessionFactory;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.random.JceRandomFactory;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.core.CoreModuleProperties;
import org.jspecify.annotations.Nullable;

/** Sessions over SSH: one client for all of them, whose threads do not grow with the number of sessions. */
public final class SshTransport implements NodeTransport {
    /** The post-quantum exchanges are left out: they are slow in pure Java. */
    private static final List<BuiltinDHFactories> KEY_EXCHANGES = List.of(
            BuiltinDHFactories.curve25519,
            BuiltinDHFactories.curve25519_libssh,
            BuiltinDHFactories.ecdhp256,
            BuiltinDHFactories.ecdhp384,
            BuiltinDHFactories.ecdhp521,
            BuiltinDHFactories.dhgex256,
            BuiltinDHFactories.dhg16_512,
            BuiltinDHFactories.dhg14_256);

    private final SshThreads threads = new SshThreads();
    private @Nullable SshClient client;
    private boolean closed;

    /** A transport, whose client starts with its first connection. */
    public SshTransport() {}

    private synchronized SshClient client(Supplier<ClusterwrightException> refusal) {
        if (closed) {
            throw refusal.get();
        }
        if (client == null) {
            client = start(threads);
        }
        return client;
    }

    @Override
    public NodeSession connect(Target target) {
        SshDialer dialer = new SshDialer(client(() -> new SessionsClosedException(target.node())), target);
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
        SshClient client = client(() -> new ClusterwrightException(what + "the transport has been closed"));
        try (ClientSession session = SshDialer.connect(client, "none", endpoint, none.asContext(null), deadline)) {
            // The key is refused, which ends the connection.
            CountDownLatch closed = new CountDownLatch(1);
            session.addCloseFutureListener(end -> closed.countDown());
            WaitTime.await(deadline.remaining(), nanos -> closed.await(nanos, TimeUnit.NANOSECONDS));
        } catch (IOException | TimeoutException e) {
            throw new ClusterwrightException(what + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while reading the host key of " + endpoint, e);
        }
        SshPublicKey shown = none.refused();
        if (shown == null) {
            throw new ClusterwrightException(what + "the server sent no host key within " + deadline);
        }
        return shown;
    }

    @Override
    public void close() {
        SshClient last;
        synchronized (this) {
            closed = true;
            last = client;
        }
        if (last != null) {
            last.close(true);
        }
        threads.close();
    }

    /** A started client; it knows no key, host or agent but what a session is given. */
    static SshClient start(SshThreads threads) {
        SshClient client = of(threads);
        client.start();
        return client;
    }

    /** The same client before its start, with no thread. */
    static SshClient of(SshThreads threads) {
        SshClient client = ClientBuilder.builder()
                .factory(() -> new TunnelClient(threads.workers()))
                .build();
        client.setSessionFactory(new SessionFactory(client) {
            @Override
            protected ClientSessionImpl doCreateSession(IoSession connection) throws Exception {
                return new NodeConnection(getClient(), connection);
            }
        });
        client.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory(threads::io));
        client.setScheduledExecutorService(threads.timer(), false);
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setClientIdentityLoader(ClientIdentityLoader.DEFAULT);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setAgentFactory(null);
        client.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
        client.setKeyExchangeFactories(
                NamedFactory.setUpTransformedFactories(true, KEY_EXCHANGES, ClientBuilder.DH2KEX));
        // The JVM has instructions of the processor for GCM; ChaCha20 is pure Java.
        client.setCipherFactories(first("-gcm@openssh.com", client.getCipherFactories()));
        client.setSignatureFactories(first(BuiltinSignatures.ed25519.getName(), client.getSignatureFactories()));
        client.setServerKeyVerifier(PinnedHostKey.VERIFIER);
        client.addSessionListener(PinnedHostKey.PREFERENCE);
        CoreModuleProperties.REQUEST_EXEC_REPLY.set(client, true);
        SessionHeartbeat.set(client);
        // MINA measures both by the wall clock, which may jump; a login has a deadline of ours.
        CoreModuleProperties.AUTH_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        // Bouncy Castle's seeds itself again for each client.
        client.setRandomFactory(JceRandomFactory.INSTANCE);
        return client;
    }

    private static <T> List<NamedFactory<T>> first(String ending, List<NamedFactory<T>> factories) {
        return factories.stream()
                .sorted(Comparator.comparing(factory -> !factory.getName().endsWith(ending)))
                .toList();
    }
}
