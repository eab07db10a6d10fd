package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
class SshFilesTest extends WithSshd {

    @TempDir
    private Path folder;

    @Test
    void argumentsReachTheProgramUnchanged() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            List<String> words = RandomWords.list(random, 10);
            List<String> arguments = new ArrayList<>(List.of("sh", "-c", "printf '%s\\0' \"$@\"", "sh", "first"));
            arguments.addAll(words);
            String expected = "first\0" + String.join("\0", words) + (words.isEmpty() ? "" : "\0");
            Command command = Command.of(arguments);

            assertThat(session.run(round % 2 == 0 ? command : command.elevate())
                            .orThrow()
                            .stdout())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected);
        }
    }

    @Test
    void downloadReplacesALinkAndDoesNotFollowIt() throws IOException {
        session.write("new".getBytes(UTF_8), "for-a-link", 0600);
        Path kept = Files.writeString(folder.resolve("kept"), "kept");
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);

        session.download("for-a-link", link);

        assertThat(kept).hasContent("kept");
        assertThat(link).isRegularFile().hasContent("new").isNotEqualTo(kept);
        assertThat(Files.isSymbolicLink(link)).isFalse();
    }

    @Nested
    class AWrittenFile {

        @Test
        void uploadHasItsContentAndPermissions() {
            session.write("secret\n".getBytes(UTF_8), "written", 0600);

            assertThat(remote("stat -c '%a %U' written; cat written")).isEqualTo("600 tester\nsecret\n");
        }

        @Test
        void uploadReplacesAFileAtomically() {
            session.write("long long text".getBytes(UTF_8), "replaced", 0644);
            String inode = remote("ls -i replaced");

            session.write("short".getBytes(UTF_8), "replaced", 0755);

            assertThat(remote("stat -c %a replaced; cat replaced")).isEqualTo("755\nshort");
            assertThat(remote("ls -i replaced")).isNotEqualTo(inode);
        }

        @Test
        void uploadAcceptsAwkwardNames() {
            String name = "a 'b\" $c\nü";
            session.write("x".getBytes(UTF_8), name, 0600);

            assertThat(session.run(Command.of("cat", name)).stdout()).isEqualTo("x");
        }

        @Test
        void failedUploadLeavesNoFile() {
            assertThatThrownBy(() -> session.write(new byte[1], "/etc/cw-test", 0600))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("on loop1, writing /etc/cw-test as tester failed: permission denied")
                    .hasMessageContaining("elevated");
            session.run(Command.of("mkdir", "-p", "occupied/inside"));
            assertThatThrownBy(() -> session.write(new byte[1], "occupied", 0600))
                    .isInstanceOf(ClusterwrightException.class);
            assertThat(remote("ls -d occupied*")).isEqualTo("occupied\n");
        }

        @Test
        void namesTheFolderThatIsMissing() {
            assertThatThrownBy(() -> session.write(new byte[1], "no/such/folder/file", 0600))
                    .hasMessageContaining("writing no/such/folder/file")
                    .hasMessageContaining("there is no such file or folder");
        }

        @Test
        void anInterruptEndsTheUpload() {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> session.write(new byte[50_000_000], "never", 0600))
                    .isInstanceOf(OperationInterruptedException.class);

            assertThat(Thread.interrupted()).isTrue();
            session.write("after".getBytes(UTF_8), "after", 0600);
            assertThat(remote("cat after; ls -a | grep never || :")).isEqualTo("after");
        }
    }

    @Nested
    class ACopiedFile {

        @Test
        void downloadsTheUploadedContent() throws IOException {
            byte[] content = new byte[20_000_003];
            new Random(3).nextBytes(content);
            Path there = Files.write(folder.resolve("there"), content);

            session.upload(there, "copied", 0640);
            session.download("copied", folder.resolve("back"));

            assertThat(folder.resolve("back")).hasSameBinaryContentAs(there);
            assertThat(remote("stat -c %a copied")).isEqualTo("640\n");
        }

        @Test
        void downloadsAnEmptyFile() throws IOException {
            session.upload(Files.createFile(folder.resolve("empty")), "empty", 0600);
            session.download("empty", folder.resolve("back"));

            assertThat(folder.resolve("back")).isEmptyFile();
        }

        @Test
        void keepsTheLocalFileWhenTheRemoteOneIsMissing() throws IOException {
            Path local = Files.writeString(folder.resolve("local"), "kept");

            assertThatThrownBy(() -> session.download("missing", local))
                    .hasMessageContaining("copying missing to " + local)
                    .hasMessageContaining("no such file");
            assertThat(local).hasContent("kept");
            assertThat(folder).isDirectoryNotContaining(path -> !path.equals(local));
        }

        @ParameterizedTest
        @ValueSource(strings = {"inner/..", "inner/../", "."})
        void keepsACopyOfAFolderInsideOfItsTarget(String path) throws IOException {
            remote("mkdir -p inner && touch outer");
            Path target = Files.createDirectory(folder.resolve("target"));

            assertThatThrownBy(() -> session.downloadTree(path, target)).hasMessageContaining("without ..");
            assertThat(folder).isDirectoryNotContaining("glob:**/outer");
            assertThat(target).isEmptyDirectory();
        }

        @Test
        void transfersManyFilesAtOnce() {
            IntStream.range(0, 40)
                    .parallel()
                    .forEach(i -> session.write(("content " + i + "\n").getBytes(UTF_8), "many-" + i, 0600));

            assertThat(remote("cat many-* | sort -n -k2 | tail -n 1")).isEqualTo("content 39\n");
        }
    }

    private String remote(String script) {
        return session.run(Command.of("sh", "-c", script)).orThrow().stdout();
    }
}
