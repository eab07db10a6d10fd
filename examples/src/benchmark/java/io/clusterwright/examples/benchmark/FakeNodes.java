package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.linux.Hosts;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.internal.ssh.Ed25519Keys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.pubkey.KeySetPublickeyAuthenticator;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/**
 * More nodes than this machine holds: addresses 127.77.0.1 and up, all served by one SSH server in a separate process, which runs nothing
 * and answers a host name. Keys and pinned host keys are made for each run.
 */
final class FakeNodes implements AutoCloseable {
    private static final String USER = "bench";

    private final Path folder;
    private final Process server;
    private final List<String> hosts;
    private final int port;

    FakeNodes(Path folder, int nodes) throws IOException {
        this.folder = Files.createDirectory(folder.resolve("fake" + nodes));
        this.hosts = IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> "127.77." + node / 250 + "." + (1 + node % 250))
                .toList();
        SshKeyPair host = key("host");
        key("login");
        server = new ProcessBuilder(serverCommand())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader printed = server.inputReader(StandardCharsets.UTF_8);
        String line = printed.readLine();
        if (line == null) {
            close();
            throw new IOException("the SSH server of the fake nodes did not start");
        }
        port = Integer.parseInt(line);
        List<KnownHost> known = hosts.stream()
                .map(name -> new KnownHost(List.of(KnownHost.atPort(name, port)), host.publicKey()))
                .toList();
        Files.writeString(this.folder.resolve("known_hosts"), new KnownHosts(known).text());
        Files.writeString(this.folder.resolve("ssh_config"), """
                Port %d
                User %s
                IdentityFile %s
                IdentitiesOnly yes
                BatchMode yes
                StrictHostKeyChecking yes
                UserKnownHostsFile %s
                """.formatted(port, USER, this.folder.resolve("login"), this.folder.resolve("known_hosts")));
    }

    private List<String> serverCommand() {
        List<String> command = Peers.javaCommand("-Xmx512m", FakeNodes.class);
        command.add(folder.toString());
        command.addAll(hosts);
        return command;
    }

    private SshKeyPair key(String name) throws IOException {
        SshKeyPair pair = Ed25519Keys.generate(name);
        Path file = folder.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, pair.privateKey().reveal());
        Files.writeString(folder.resolve(name + ".pub"), pair.publicKey().toString());
        return pair;
    }

    List<String> hosts() {
        return hosts;
    }

    Path sshConfig() {
        return folder.resolve("ssh_config");
    }

    /** What another JVM needs to connect. */
    String[] arguments() {
        return IntStream.range(0, hosts.size() + 2)
                .mapToObj(i -> i == 0 ? folder.toString() : i == 1 ? Integer.toString(port) : hosts.get(i - 2))
                .toArray(String[]::new);
    }

    /** Connects to the hosts, by the folder with the keys, the port and the addresses. */
    static Cluster connect(String... arguments) {
        Path folder = Path.of(arguments[0]);
        return Hosts.of(Arrays.asList(arguments).subList(2, arguments.length))
                .port(Integer.parseInt(arguments[1]))
                .user(USER)
                .privateKey(folder.resolve("login"))
                .knownHosts(folder.resolve("known_hosts"))
                .connect();
    }

    @Override
    public void close() {
        server.destroy();
        boolean interrupted = Thread.interrupted();
        try {
            if (!server.waitFor(5, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Serves until its input ends. Arguments: the folder with the keys, and the addresses. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost(String.join(",", Arrays.asList(arguments).subList(1, arguments.length)));
        server.setPort(0);
        CoreModuleProperties.SOCKET_BACKLOG.set(server, 1024);
        server.setKeyPairProvider(new FileKeyPairProvider(folder.resolve("host")));
        server.setPublickeyAuthenticator(new KeySetPublickeyAuthenticator(
                "login",
                List.of(AuthorizedKeyEntry.parseAuthorizedKeyEntry(Files.readString(folder.resolve("login.pub")).strip())
                        .resolvePublicKey(null, PublicKeyEntryResolver.IGNORING))));
        server.setCommandFactory((channel, line) -> new Answer());
        server.start();
        System.out.println(server.getPort());
        while (System.in.read() >= 0) {
            // Waits for the end of the process that started this one.
        }
        server.stop(true);
    }

    /** Every command's answer. */
    private static final class Answer implements Command {
        private OutputStream out = OutputStream.nullOutputStream();
        private ExitCallback exit = (status, message, close) -> {};

        @Override
        public void start(ChannelSession channel, Environment environment) throws IOException {
            out.write("fake\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            exit.onExit(0);
        }

        @Override
        public void setInputStream(InputStream stream) {}

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {}

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }

        @Override
        public void destroy(ChannelSession channel) {}
    }
}
