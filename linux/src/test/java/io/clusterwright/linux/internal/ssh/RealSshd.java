package io.clusterwright.linux.internal.ssh;

import static org.awaitility.Awaitility.await;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The system's own sshd on a loopback port, in an overlay of this system with its own users and processes, so that
 * what a test does there stays there. Knows root and {@code tester}, who may use sudo.
 */
final class RealSshd implements AutoCloseable {
    static final UserName TESTER = new UserName("tester");
    static final NodeName NODE = new NodeName("loop1");

    private final Path folder;
    private final int port;
    private final SshKeyPair hostKey = Ed25519Keys.generate("host");
    private final SshKeyPair login = Ed25519Keys.generate("login");
    private final Process process;

    private RealSshd(List<String> extraConfiguration) throws IOException {
        folder = Files.createTempDirectory("cw-sshd-");
        port = freePort();
        Files.createDirectory(folder.resolve("fs"));
        Files.writeString(folder.resolve("host_key"), hostKey.privateKey().reveal());
        Files.writeString(folder.resolve("login.pub"), login.publicKey() + "\n");
        Files.writeString(folder.resolve("sshd_config"), configuration(extraConfiguration));
        Path script = folder.resolve("start");
        try (var in = RealSshd.class.getResourceAsStream("real-sshd.sh")) {
            Files.copy(in, script);
        }
        process = new ProcessBuilder(
                        "unshare",
                        "--uts",
                        "--ipc",
                        "--mount",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--propagation",
                        "private",
                        "bash",
                        "-eu",
                        script.toString(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    /** A line for {@link #start} of a hardened server. */
    static final String WITHOUT_SFTP = "# without SFTP";

    static RealSshd start(String... extraConfiguration) {
        try {
            RealSshd sshd = new RealSshd(List.of(extraConfiguration));
            await("sshd on port " + sshd.port)
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(20))
                    .until(sshd::answers);
            return sshd;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", port);
    }

    SshKeyPair hostKey() {
        return hostKey;
    }

    /** The second host key, of another type. */
    SshPublicKey ecdsaHostKey() {
        try {
            return SshPublicKey.of(Files.readString(folder.resolve("ecdsa.pub")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SshKeyPair login() {
        return login;
    }

    Target target(UserName user) {
        return new Target(NODE, this::endpoint, user, login, hostKey.publicKey(), Duration.ofSeconds(20));
    }

    NodeSession connect(NodeTransport transport) {
        return transport.connect(target(TESTER));
    }

    /** Ends everything that runs there, as a power cut would. */
    void cutPower() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("sshd did not start: " + log());
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String log() {
        try {
            return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        cutPower();
        for (String name : List.of("host_key", "ecdsa.pub", "login.pub", "sshd_config", "start", "log", "fs")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }

    private String configuration(List<String> extra) {
        return String.join(
                        "\n",
                        "Port " + port,
                        "ListenAddress 127.0.0.1",
                        "HostKey /etc/ssh/test_host_key",
                        "HostKey /etc/ssh/test_ecdsa_key",
                        "PidFile none",
                        "AuthorizedKeysFile /etc/ssh/test_authorized_keys",
                        "PermitRootLogin prohibit-password",
                        "PasswordAuthentication no",
                        "KbdInteractiveAuthentication no",
                        "UsePAM yes",
                        "PrintMotd no",
                        "PrintLastLog no",
                        extra.contains(WITHOUT_SFTP) ? "" : "Subsystem sftp internal-sftp",
                        String.join("\n", extra))
                + "\n";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
