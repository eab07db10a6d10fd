package consumer;

import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import jnr.posix.POSIXFactory;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** Uses what the library builds on: a native call, an ed25519 key, an SSH session and a file transfer. */
public class Main {

    public static void main(String[] args) throws Exception {
        KeyPair key = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, 256);
        try (SshServer server = SshServer.setUpDefaultServer();
                SshClient client = SshClient.setUpDefaultClient()) {
            server.setHost("127.0.0.1");
            server.setKeyPairProvider(KeyPairProvider.wrap(key));
            server.setPublickeyAuthenticator((user, offered, session) -> KeyUtils.compareKeys(offered, key.getPublic()));
            server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
            server.start();
            client.setServerKeyVerifier((session, address, host) -> KeyUtils.compareKeys(host, key.getPublic()));
            client.start();
            try (ClientSession session = client.connect("user", "127.0.0.1", server.getPort())
                    .verify(Duration.ofSeconds(10))
                    .getSession()) {
                session.addPublicKeyIdentity(key);
                session.auth().verify(Duration.ofSeconds(30));
                try (var files = SftpClientFactory.instance().createSftpClient(session);
                        var in = files.read(args[0])) {
                    System.out.println("read " + new String(in.readAllBytes()));
                }
            }
        }
        long pid = POSIXFactory.getNativePOSIX().getpid();
        System.out.println("pid " + (pid == ProcessHandle.current().pid()));
        System.out.println("module " + Main.class.getModule().getName());
    }
}
