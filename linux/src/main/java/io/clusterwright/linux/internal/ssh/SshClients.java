package io.clusterwright.linux.internal.ssh;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.config.keys.ClientIdentityLoader;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;

/** Makes the SSH client: it knows no key, host or agent but what a session is given. */
final class SshClients {
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

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final int MISSED_HEARTBEATS = 3;

    private SshClients() {}

    static SshClient start(SshThreads threads) {
        SshClient client = SshClient.setUpDefaultClient();
        client.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory(threads::io));
        client.setScheduledExecutorService(threads.timer(), false);
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setClientIdentityLoader(ClientIdentityLoader.DEFAULT);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setAgentFactory(null);
        client.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
        client.setKeyExchangeFactories(
                NamedFactory.setUpTransformedFactories(true, KEY_EXCHANGES, ClientBuilder.DH2KEX));
        client.setCipherFactories(gcmFirst(client.getCipherFactories()));
        client.setSignatureFactories(ed25519First(client.getSignatureFactories()));
        client.setServerKeyVerifier(PinnedHostKey.VERIFIER);
        client.addSessionListener(PinnedHostKey.PREFERENCE);
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, HEARTBEAT);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, MISSED_HEARTBEATS);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        client.start();
        return client;
    }

    /** The JVM has instructions of the processor for it; ChaCha20 is pure Java. */
    private static List<NamedFactory<Cipher>> gcmFirst(List<NamedFactory<Cipher>> factories) {
        return factories.stream()
                .sorted(Comparator.comparing(factory -> !factory.getName().endsWith("-gcm@openssh.com")))
                .toList();
    }

    private static List<NamedFactory<Signature>> ed25519First(List<NamedFactory<Signature>> factories) {
        return factories.stream()
                .sorted(Comparator.comparing(factory -> !factory.getName().equals(BuiltinSignatures.ed25519.getName())))
                .toList();
    }
}
