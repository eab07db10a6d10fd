package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.ssh.FaultySshd.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies from a node whose SFTP server lies. */
@Tag("breadth")
class HostileSftpTest {
    @TempDir
    private Path folder;

    @AutoClose
    private final SshTransport transport = new SshTransport();

    @Test
    void aNameThatIsAFileAndALinkAndAFolderLeadsNowhere() throws IOException {
        Path node = folder.resolve("node");
        Path first = Files.createDirectories(node.resolve("tree/a"));
        Path second = Files.createDirectories(first.resolve("x"));
        for (Path each : new Path[] {first, second}) {
            Files.writeString(each.resolve("1x"), "text");
            Files.createSymbolicLink(each.resolve("2x"), Path.of("1x"));
        }
        Files.writeString(Files.createDirectory(second.resolve("x")).resolve("planted"), "planted");
        Path target = Files.createDirectory(folder.resolve("here")).resolve("copy");

        try (FaultySshd sshd = new FaultySshd(Fault.NAMES_THREE_ENTRIES_ALIKE, node);
                NodeSession session = sshd.connect(transport)) {
            assertThatThrownBy(() -> session.downloadTree("tree", target))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("left out tree/a/x (a name that the node lists again), tree/a/x (");
        }

        assertThat(folder).isDirectoryNotContaining("glob:**/planted");
        assertThat(target.resolve("a/x")).isRegularFile().hasContent("text");
        assertThat(target).isDirectoryNotContaining("glob:**/x");
    }
}
