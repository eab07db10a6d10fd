package io.clusterwright.examples.console;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.shell.ProcessShellCommandFactory;

/**
 * Runs one command over SSH between two ends of this process, so that the start scripts learn which classes commands on nodes need, and keep
 * them for the next start. Listens on this machine only, for a client with one new key, and for the time of that command.
 */
public final class StartTraining {
    private StartTraining() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        NodeBackend linux = NodeBackend.of(OperatingSystem.LINUX);
        linux.warmUp();
        KeyPair host = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, 256);
        SshKeyPair login = linux.newKeyPair("login");
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.setKeyPairProvider(KeyPairProvider.wrap(host));
        String allowed = login.publicKey().fingerprint();
        server.setPublickeyAuthenticator(
                (user, key, session) -> KeyUtils.getFingerPrint(key).equals(allowed));
        server.setCommandFactory(ProcessShellCommandFactory.INSTANCE);
        server.start();
        try (NodeTransport transport = linux.openTransport();
                NodeSession session = transport.connect(new NodeTransport.Target(
                        NodeName.parse("here"),
                        () -> new Endpoint(server.getHost(), server.getPort()),
                        UserName.parse("training"),
                        login,
                        SshPublicKey.parse(PublicKeyEntry.toString(host.getPublic())),
                        Duration.ofSeconds(20)))) {
            session.run(Command.of("true").timeout(Duration.ofSeconds(20)));
        } finally {
            server.stop(true);
        }
    }
}
