package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.linux.internal.ssh.FaultySshd.Fault;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.core.CoreModuleProperties;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A node that is lost, or fails, in the middle of a command or a file. */
@Tag("breadth")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class BrokenConnectionTest {
    /** Longer than a test may last: what ends, ends by itself. */
    private static final Command COMMAND = Command.of("any").timeout(Duration.ofMinutes(2));

    @TempDir
    private Path folder;

    @AutoClose
    private final SshTransport transport = new SshTransport();

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {
                "BREAKS_BEFORE_THE_COMMAND_STARTS",
                "BREAKS_IN_THE_MIDDLE_OF_OUTPUT",
                "BREAKS_BETWEEN_STATUS_AND_LAST_OUTPUT",
                "CLOSES_WITHOUT_A_STATUS"
            })
    void aCommandIsReportedAsLost(Fault fault) throws IOException {
        try (FaultySshd sshd = new FaultySshd(fault, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThatThrownBy(() -> session.run(COMMAND))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("the connection to loop1 broke while `any` was running")
                    .hasMessageContaining("it may still run")
                    .hasNoCause();
        }
    }

    @Test
    void aNodeThatFallsSilentIsToldFromOneThatClosesTheConnection() throws IOException {
        try (FaultySshd sshd = new FaultySshd(Fault.FALLS_SILENT, folder);
                SshThreads threads = new SshThreads();
                SshClient client = SshTransport.start(threads)) {
            CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, Duration.ofMillis(200));
            SshLinks links = new SshLinks(RealSshd.NODE, new SshDialer(client, sshd.target()));
            try (NodeSession session = new SshNodeSession(sshd.target(), links, threads)) {
                assertThatThrownBy(() -> session.run(COMMAND))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("the connection to loop1 broke while `any` was running")
                        .hasCauseInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = Mode.INCLUDE, names = "CLOSES_WITHOUT_A_STATUS")
    void aCommandWithUnreadInputIsReportedAsLost(Fault fault) throws IOException {
        try (FaultySshd sshd = new FaultySshd(fault, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThatThrownBy(() -> session.run(COMMAND.input(new byte[8_000_000])))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("the connection to loop1 broke while `any` was running");
        }
    }

    @Test
    void aCommandThatEndedBeforeTheConnectionKeepsItsStatusAndOutput() throws IOException {
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_AFTER_STATUS_AND_OUTPUT, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThat(session.run(COMMAND).orThrow().stdout()).isEqualTo("half of the ");
        }
    }

    @Test
    void aCommandThatTheNodeCannotStartIsReportedAtOnce() throws IOException {
        try (FaultySshd sshd = new FaultySshd(Fault.REFUSES_THE_COMMAND, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThatThrownBy(() -> session.run(COMMAND))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("loop1 did not start `any`: its SSH server could not create a process");
            assertThat(session.isOpen()).isTrue();
        }
    }

    @Test
    void aFileIsWrittenAgainOverAnotherConnection() throws IOException {
        byte[] content = new byte[3_000_000];
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_WHILE_A_FILE_IS_WRITTEN, folder);
                NodeSession session = sshd.connect(transport)) {
            session.write(content, "file", 0600);
        }
        assertThat(folder).isDirectoryContaining("glob:**/file").isDirectoryNotContaining("glob:**/file.*");
        assertThat(folder.resolve("file")).hasBinaryContent(content);
    }

    @Test
    void aFileIsUploadedAgainOverAnotherConnection() throws IOException {
        Path local = Files.write(folder.resolve("local"), new byte[3_000_000]);
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_WHILE_A_FILE_IS_WRITTEN, folder);
                NodeSession session = sshd.connect(transport)) {
            session.upload(local, "file", 0640);
        }
        assertThat(folder.resolve("file")).hasSameBinaryContentAs(local);
        assertThat(mode(folder.resolve("file"))).isEqualTo("rw-r-----");
    }

    @Test
    void aFileIsDownloadedAgainOverAnotherConnection() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[3_000_000]);
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_WHILE_A_FILE_IS_READ, folder);
                NodeSession session = sshd.connect(transport)) {
            session.download("file", folder.resolve("copy"));
        }
        assertThat(folder.resolve("copy")).hasSameBinaryContentAs(file);
    }

    @Test
    void aDeviceGetsNoFileTwice() throws IOException {
        Files.write(folder.resolve("file"), new byte[3_000_000]);
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_WHILE_A_FILE_IS_READ, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThatThrownBy(() -> session.download("file", Path.of("/dev/null")))
                    .hasMessageContaining("/dev/null: the connection broke while a part was in it; name a file");
        }
    }

    /** The answer to the order that made it is lost. */
    @Test
    void aFolderThatWasMadeOverABrokenConnectionGetsItsMode() throws IOException {
        Path local = Files.createDirectory(
                folder.resolve("local"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_WHEN_A_FOLDER_IS_MADE, folder);
                NodeSession session = sshd.connect(transport)) {
            session.uploadTree(local, "tree");
        }
        assertThat(mode(folder.resolve("tree"))).isEqualTo("rwx------");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aFileThatStandsStillIsGivenUp() throws IOException {
        try (FaultySshd sshd = new FaultySshd(Fault.STOPS_WHILE_A_FILE_IS_WRITTEN, folder);
                SshThreads threads = new SshThreads();
                SshClient client = SshTransport.start(threads);
                SshLinks links = new SshLinks(RealSshd.NODE, new SshDialer(client, sshd.target()));
                SftpFiles files = new SftpFiles(
                        RealSshd.NODE, RealSshd.TESTER, links, threads.workers(), Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> files.write(new byte[3_000_000], "file", 0600))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("on loop1, writing file made no progress for the file timeout of 1 s")
                    .hasMessageContaining("was stopped");
        }
    }

    @Test
    void theConnectionOfAFileThatStandsStillIsClosed() throws IOException {
        Path local = Files.write(folder.resolve("local"), new byte[3_000_000]);
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_ONCE_AND_THEN_STOPS_WHILE_A_FILE_IS_WRITTEN, folder);
                SshThreads threads = new SshThreads();
                SshClient client = SshTransport.start(threads);
                SshLinks links = new SshLinks(RealSshd.NODE, new SshDialer(client, sshd.target()));
                SftpFiles files = new SftpFiles(
                        RealSshd.NODE, RealSshd.TESTER, links, threads.workers(), Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> files.uploadTree(local, "file"))
                    .hasMessageContaining("made no progress for the file timeout of 3 s");
            await().untilAsserted(() -> assertThat(sshd.connections()).isZero());
        }
    }

    /** Each new connection breaks at the same place. */
    @Test
    void aCopyThatNeverGetsFurtherIsGivenUp() throws IOException {
        Files.write(Files.createDirectory(folder.resolve("tree")).resolve("file"), new byte[3_000_000]);
        String message = "the connection to loop1 broke while copying tree";
        givesUp(
                Fault.BREAKS_WHILE_A_FILE_IS_READ,
                files -> files.downloadTree("tree", folder.resolve("copy")),
                message);
    }

    @Test
    void aFileThatNeverArrivesIsGivenUp() throws IOException {
        String message = "the connection to loop1 broke while writing file";
        givesUp(Fault.BREAKS_WHILE_A_FILE_IS_WRITTEN, files -> files.write(new byte[3_000_000], "file", 0600), message);
    }

    private void givesUp(Fault fault, Consumer<SftpFiles> copy, String message) throws IOException {
        AtomicLong now = new AtomicLong();
        WaitTime.Source time = new WaitTime.Source() {
            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public void sleep(Duration pause) {
                now.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        };
        try (FaultySshd sshd = new FaultySshd(fault, folder);
                SshThreads threads = new SshThreads();
                SshClient client = SshTransport.start(threads);
                SshLinks links = new SshLinks(RealSshd.NODE, new SshDialer(client, sshd.target()));
                SftpFiles files = new SftpFiles(
                        RealSshd.NODE, RealSshd.TESTER, links, threads.workers(), Duration.ofSeconds(20), time)) {
            assertThatThrownBy(() -> copy.accept(files))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining(message);
        }
        assertThat(Duration.ofNanos(now.get())).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(5));
    }
}
