package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.spi.SshKeyPair;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.pubkey.AcceptAllPublickeyAuthenticator;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.sftp.server.DirectoryHandle;
import org.apache.sshd.sftp.server.FileHandle;
import org.apache.sshd.sftp.server.SftpEventListener;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;
import org.apache.sshd.sftp.server.SftpSubsystemProxy;
import org.jspecify.annotations.Nullable;

/** An SSH server whose connections break, or which fails or lies, at one point of what a client asks for. */
final class FaultySshd implements AutoCloseable {
    /** What happens, and when. */
    enum Fault {
        BREAKS_BEFORE_THE_COMMAND_STARTS,
        BREAKS_IN_THE_MIDDLE_OF_OUTPUT,
        BREAKS_BETWEEN_STATUS_AND_LAST_OUTPUT,
        BREAKS_AFTER_STATUS_AND_OUTPUT,
        CLOSES_WITHOUT_A_STATUS,
        FALLS_SILENT,
        REFUSES_THE_COMMAND,
        BREAKS_WHILE_A_FILE_IS_WRITTEN,
        BREAKS_WHILE_A_FILE_IS_READ,
        STOPS_WHILE_A_FILE_IS_WRITTEN,
        BREAKS_ONCE_WHILE_A_FILE_IS_WRITTEN,
        BREAKS_ONCE_WHILE_A_FILE_IS_READ,
        BREAKS_ONCE_WHEN_A_FOLDER_IS_MADE,
        BREAKS_ONCE_AND_THEN_STOPS_WHILE_A_FILE_IS_WRITTEN,
        /** Names a file {@code 1x} and a link {@code 2x} as the folder {@code x}; the link leads out of the copy. */
        NAMES_THREE_ENTRIES_ALIKE
    }

    private final SshKeyPair hostKey = Ed25519Keys.generate("host");
    private final SshServer server = SshServer.setUpDefaultServer();

    FaultySshd(Fault fault, Path files) throws IOException {
        server.setHost("127.0.0.1");
        server.setPort(0);
        server.setKeyPairProvider(KeyPairProvider.wrap(Ed25519Keys.load(hostKey)));
        server.setPublickeyAuthenticator(AcceptAllPublickeyAuthenticator.INSTANCE);
        server.setFileSystemFactory(new VirtualFileSystemFactory(files));
        server.setCommandFactory((channel, line) -> {
            if (fault == Fault.REFUSES_THE_COMMAND) {
                throw new IOException("no process can be made");
            }
            return new FaultyCommand(fault);
        });
        SftpSubsystemFactory sftp = new SftpSubsystemFactory();
        sftp.addSftpEventListener(new FaultyFiles(fault));
        if (fault == Fault.NAMES_THREE_ENTRIES_ALIKE) {
            sftp.setFileSystemAccessor(new NamedAlike());
        }
        server.setSubsystemFactories(List.of(sftp));
        server.start();
    }

    Target target() {
        return new Target(
                RealSshd.NODE,
                () -> new Endpoint("127.0.0.1", server.getPort()),
                RealSshd.TESTER,
                Ed25519Keys.generate("login"),
                hostKey.publicKey(),
                Duration.ofSeconds(20));
    }

    /** The number of connections that are open. */
    int connections() {
        return server.getActiveSessions().size();
    }

    NodeSession connect(NodeTransport transport) {
        return transport.connect(target());
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }

    private static void cut(Session session) {
        session.getIoSession().close(true);
    }

    private static final class FaultyCommand implements Command {
        private final Fault fault;
        private OutputStream out = OutputStream.nullOutputStream();

        FaultyCommand(Fault fault) {
            this.fault = fault;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) throws IOException {
            Session session = channel.getSession();
            if (fault == Fault.BREAKS_BEFORE_THE_COMMAND_STARTS) {
                cut(session);
                return;
            }
            // The thread of the connection has answers to read.
            Threads.start("faulty", () -> {
                try {
                    fail(channel, session);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        private void fail(ChannelSession channel, Session session) throws IOException {
            out.write("half of the ".getBytes(UTF_8));
            out.flush();
            switch (fault) {
                case BREAKS_BETWEEN_STATUS_AND_LAST_OUTPUT -> request(channel, "exit-status");
                case BREAKS_AFTER_STATUS_AND_OUTPUT -> {
                    request(channel, "exit-status");
                    Buffer end = session.createBuffer(SshConstants.SSH_MSG_CHANNEL_EOF);
                    end.putUInt(channel.getRecipient());
                    session.writePacket(end);
                }
                case CLOSES_WITHOUT_A_STATUS -> {
                    channel.close(false);
                    return;
                }
                default -> {}
            }
            awaitTaken(session);
            if (fault == Fault.FALLS_SILENT) {
                session.getIoSession().suspendRead();
                return;
            }
            cut(session);
        }

        /** An answer says that everything before the question was taken. */
        private static void awaitTaken(Session session) throws IOException {
            Buffer question = session.createBuffer(SshConstants.SSH_MSG_GLOBAL_REQUEST);
            question.putString("keepalive@openssh.com");
            question.putBoolean(true);
            session.request("keepalive@openssh.com", question, Duration.ofSeconds(10));
        }

        private static void request(ChannelSession channel, String name) throws IOException {
            Buffer status = channel.getSession().createBuffer(SshConstants.SSH_MSG_CHANNEL_REQUEST);
            status.putUInt(channel.getRecipient());
            status.putString(name);
            status.putBoolean(false);
            status.putUInt(0);
            channel.getSession().writePacket(status);
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setInputStream(InputStream stream) {}

        @Override
        public void setErrorStream(OutputStream stream) {}

        @Override
        public void setExitCallback(ExitCallback callback) {}

        @Override
        public void destroy(ChannelSession channel) {}
    }

    private static final class FaultyFiles implements SftpEventListener {
        private final Fault fault;
        private final AtomicBoolean broke = new AtomicBoolean();

        FaultyFiles(Fault fault) {
            this.fault = fault;
        }

        @Override
        public void writing(
                ServerSession session, String handle, FileHandle file, long offset, byte[] data, int from, int length) {
            switch (fault) {
                case BREAKS_WHILE_A_FILE_IS_WRITTEN -> cut(session);
                case BREAKS_ONCE_WHILE_A_FILE_IS_WRITTEN -> cutOnce(session);
                case STOPS_WHILE_A_FILE_IS_WRITTEN -> stop();
                case BREAKS_ONCE_AND_THEN_STOPS_WHILE_A_FILE_IS_WRITTEN -> {
                    if (!cutOnce(session)) {
                        stop();
                    }
                }
                default -> {}
            }
        }

        @Override
        public void reading(
                ServerSession session, String handle, FileHandle file, long offset, byte[] data, int from, int length) {
            if (fault == Fault.BREAKS_WHILE_A_FILE_IS_READ) {
                cut(session);
            } else if (fault == Fault.BREAKS_ONCE_WHILE_A_FILE_IS_READ && offset > 0) {
                cutOnce(session);
            }
        }

        @Override
        public void created(ServerSession session, Path path, Map<String, ?> attributes, @Nullable Throwable failure) {
            if (fault == Fault.BREAKS_ONCE_WHEN_A_FOLDER_IS_MADE) {
                cutOnce(session);
            }
        }

        private boolean cutOnce(ServerSession session) {
            boolean first = !broke.getAndSet(true);
            if (first) {
                cut(session);
            }
            return first;
        }

        /** Until the server is closed, which interrupts the threads of its subsystems. */
        private static void stop() {
            try {
                new CountDownLatch(1).await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class NamedAlike implements SftpFileSystemAccessor {
        @Override
        public void putRemoteFileName(
                SftpSubsystemProxy subsystem, Path path, Buffer buffer, String name, boolean shortName) {
            buffer.putString(name.replaceAll("\\dx$", "x"));
        }

        @Override
        public DirectoryStream<Path> openDirectory(
                SftpSubsystemProxy subsystem, DirectoryHandle handle, Path folder, String id, LinkOption... options)
                throws IOException {
            List<Path> sorted;
            try (Stream<Path> all = Files.list(folder)) {
                sorted = all.sorted().toList();
            }
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return sorted.iterator();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public SeekableByteChannel openFile(
                SftpSubsystemProxy subsystem,
                FileHandle handle,
                Path file,
                String id,
                Set<? extends OpenOption> options,
                FileAttribute<?>... attributes)
                throws IOException {
            Path alike = file.resolveSibling("1" + file.getFileName());
            return Files.newByteChannel(Files.exists(alike) ? alike : file);
        }

        @Override
        public String resolveLinkTarget(SftpSubsystemProxy subsystem, Path link) {
            return String.join("/", Collections.nCopies(link.getNameCount() - 2, ".."));
        }
    }
}
