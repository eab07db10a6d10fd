package io.clusterwright.examples.start;

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
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.shell.ProcessShellCommandFactory;

/**
 * Loads the project's own classes, and runs one command over SSH between two ends of this process, so that the start scripts learn which
 * classes commands on nodes need, and keep them for the next start. Listens on this machine only, for a client with one new key, and for the
 * time of that command.
 */
public final class StartTraining {
    private static final Pattern CLASS = Pattern.compile("io/clusterwright/.*[.]class");

    private StartTraining() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        loadOwnClasses();
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
                        NodeName.of("here"),
                        () -> new Endpoint(server.getHost(), server.getPort()),
                        UserName.of("training"),
                        login,
                        SshPublicKey.of(PublicKeyEntry.toString(host.getPublic())),
                        Duration.ofSeconds(20)))) {
            session.run(Command.of("true").timeout(Duration.ofSeconds(20)));
        } finally {
            server.stop(true);
        }
    }

    private static void loadOwnClasses() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Path.of(entry).getFileName().toString().matches("clusterwright-.*[.]jar")) {
                try (JarFile jar = new JarFile(entry)) {
                    jar.stream()
                            .map(JarEntry::getName)
                            .filter(CLASS.asMatchPredicate())
                            .forEach(StartTraining::load);
                }
            }
        }
    }

    private static void load(String entry) {
        try {
            Class.forName(
                    entry.substring(0, entry.length() - ".class".length()).replace('/', '.'),
                    false,
                    StartTraining.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            // One that needs a library which the program does without.
            System.err.println(entry + ": " + e);
        }
    }
}
