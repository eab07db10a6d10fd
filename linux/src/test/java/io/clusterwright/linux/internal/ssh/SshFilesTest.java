package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @Test
    void aServerWithoutSftpIsNamed() throws IOException {
        try (RealSshd hardened = RealSshd.start(RealSshd.WITHOUT_SFTP);
                NodeSession other = hardened.connect(transport)) {
            assertThatThrownBy(() -> other.write(new byte[1], "x", 0600))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContainingAll("sshd offers no SFTP", "Subsystem sftp internal-sftp");
            assertThatThrownBy(() -> other.uploadTree(folder, "tree")).hasMessageContaining("sshd offers no SFTP");
            assertThat(other.run(Command.of("echo", "x")).stdout()).isEqualTo("x\n");
        }
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
                    .hasMessageContaining("use a folder of this account, such as /tmp, or another account");
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

    @Nested
    class ACopiedFolder {
        private Path target;

        @BeforeEach
        void empty() {
            target = folder.resolve("copy");
            remote("rm -rf tree; mkdir -p tree/sub/deep; echo text >tree/file; echo deep >tree/sub/deep/file");
        }

        @Test
        void linksThatStayInTheFolderAreCopiedAsLinks() throws IOException {
            remote(
                    "cd tree; ln -s file link; ln -s .. sub/up; ln -s ../../file sub/deep/far; ln -s loop loop; ln -s no gone");

            session.downloadTree("tree", target);

            assertThat(target.resolve("link")).isSymbolicLink().hasContent("text");
            assertThat(Files.readSymbolicLink(target.resolve("sub/up"))).hasToString("..");
            assertThat(target.resolve("sub/deep/far")).isSymbolicLink().hasContent("text");
            assertThat(target.resolve("loop")).isSymbolicLink();
            assertThat(target.resolve("gone")).isSymbolicLink();
            Files.move(target, folder.resolve("tree"));
            session.downloadTree("tree", folder);
            assertThat(folder.resolve("tree/link")).isSymbolicLink().hasContent("text");
        }

        /** Of folders that each have two links to the next, which were 2 to the power of 30 copies. */
        @Test
        void linksMakeNoCopyLarger() throws IOException {
            remote(
                    "cd tree; for i in $(seq 0 29); do mkdir d$i; ln -s ../d$((i + 1)) d$i/a; ln -s ../d$((i + 1)) d$i/b; done;"
                            + " mkdir d30; echo x >d30/x");

            session.downloadTree("tree", target);

            try (Stream<Path> copied = Files.walk(target)) {
                assertThat(copied).hasSize(1 + 4 + 31 + 60 + 1);
            }
            assertThat(target.resolve("d0/a/b/a/b")).isDirectory();
        }

        @Test
        void whatLeadsOutIsLeftOutAndNamed() throws IOException {
            remote("cd tree; ln -s /etc/passwd passwd; ln -s ../outer sub/outer; ln -s ../../x sub/x; mkfifo pipe;"
                    + " ln -s sub/../../y y; ln -s ~/z z; ln -s / root; touch ../x");

            assertThatThrownBy(() -> session.downloadTree("tree", target))
                    .hasMessageStartingWith("on loop1, copying tree to " + target + " left out ")
                    .hasMessageContaining("tree/passwd (a link out of the copied folder, to /etc/passwd)")
                    .hasMessageContaining("tree/pipe (a pipe, socket or device)")
                    .hasMessageContaining(
                            " and 1 more, and copied the rest; to copy the target of a link, name its path");

            try (Stream<Path> copied = Files.walk(target)) {
                assertThat(copied.map(file -> target.relativize(file).toString()))
                        .containsExactlyInAnyOrder("", "file", "sub", "sub/deep", "sub/deep/file", "sub/outer");
            }
        }

        @Test
        void whatCannotBeReadIsLeftOutAndNamed() throws IOException {
            remote("cd tree; touch secret; chmod 0 secret; mkdir closed; chmod 0 closed; touch \"$(printf 'a\\377')\"");

            assertThatThrownBy(() -> session.downloadTree("tree", target))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("tree/secret (which this account may not read)")
                    .hasMessageContaining("tree/closed (which this account may not read)")
                    .hasMessageContaining("tree/a\ufffd (a name that is not UTF-8)")
                    .hasMessageContaining(", and copied the rest");

            try (Stream<Path> copied = Files.walk(target)) {
                assertThat(copied.map(file -> target.relativize(file).toString()))
                        .containsExactlyInAnyOrder("", "file", "sub", "sub/deep", "sub/deep/file");
            }
            assertThatThrownBy(() -> session.downloadTree("tree/secret", target))
                    .hasMessageContaining("permission denied; use an account that may read it");
        }

        @Test
        void aFileReplacesNoFolderOfThisMachine() throws IOException {
            Path there = Files.createDirectories(folder.resolve("tree/file"));

            assertThatThrownBy(() -> session.downloadTree("tree", folder))
                    .hasMessageContaining(there + ": it is a folder; name a file");
            assertThatThrownBy(() -> session.download("tree/file", there))
                    .hasMessageContaining("it is a folder; name a file");
            assertThat(there).isEmptyDirectory();
        }

        @Test
        void namesOfThisMachineThatAreSeparatedOtherwiseAreUploaded() throws IOException {
            try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows())) {
                Path local = Files.createDirectories(windows.getPath("C:\\work\\sub\\deep"));
                Files.writeString(local.resolve("file"), "text");

                session.uploadTree(windows.getPath("C:\\work"), "tree/windows");

                assertThat(remote("cd tree/windows; find . -type f")).isEqualTo("./sub/deep/file\n");
            }
        }

        @Test
        void aLinkOfThisMachineIsNotFollowed() throws IOException {
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            Files.createSymbolicLink(
                    Files.createDirectory(folder.resolve("tree")).resolve("sub"), elsewhere);

            assertThatThrownBy(() -> session.downloadTree("tree", folder))
                    .hasMessageContaining("it is a link on this machine, which a copy does not follow; remove it");
            assertThat(elsewhere).isEmptyDirectory();
        }

        @Test
        void modesAreThoseThatTheUmaskAllows() throws IOException {
            remote("cd tree; chmod 0666 file; chmod 6777 sub; chmod 4755 sub/deep/file; chmod 1777 .");
            Files.createDirectory(target);
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(target);

            session.downloadTree("tree", target);

            Path copy = target.resolve("tree");
            assertThat(mode(copy)).isEqualTo("drwxr-xr-x");
            assertThat(mode(copy.resolve("file"))).isEqualTo("-rw-r--r--");
            assertThat(mode(copy.resolve("sub"))).isEqualTo("drwxr-xr-x");
            assertThat(mode(copy.resolve("sub/deep/file"))).isEqualTo("-rwxr-xr-x");
            assertThat(Files.getPosixFilePermissions(target)).isEqualTo(before);
        }

        private static String mode(Path file) throws IOException {
            int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (Files.isDirectory(file) ? "d" : "-")
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    + ((mode & 07000) == 0 ? "" : " and more");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "3 | 9 | 99 | was stopped: it has more than 3 files and folders; copy parts of it, or pack it on the node",
                    "99 | 1 | 99 | was stopped: it has folders that are more than 1 deep",
                    "99 | 9 | 9 | was stopped: it has more than 0 MiB, and 5 % of the disk stay free",
                })
        void aCopyThatIsTooMuchIsStopped(int entries, int depth, long bytes, String message) throws IOException {
            SftpDownload.Limits limits = new SftpDownload.Limits(entries, depth, bytes);
            try (SftpClient sftp =
                    SftpClientFactory.instance().createSftpClient(((SshNodeSession) session).connection())) {
                assertThatThrownBy(() -> SftpDownload.run(
                                sftp, "on loop1, copying tree", "tree", target, true, new SftpFiles.Progress(), limits))
                        .isInstanceOf(ClusterwrightException.class)
                        .hasMessageStartingWith("on loop1, copying tree " + message);
            }
        }

        /** As when the node lists something else after the connection broke. */
        @Test
        void aLinkTakesThePlaceOfNothingThatTheCopyMade() throws IOException {
            SftpFiles.Progress progress = new SftpFiles.Progress();
            goOn(progress);
            remote("cd tree; mv file other; ln -s . file; rm -r sub; ln -s . sub");

            assertThatThrownBy(() -> goOn(progress))
                    .hasMessageContaining("tree/file (a link, where this copy made a file)")
                    .hasMessageContaining("tree/sub (a link, where this machine has a folder)");

            assertThat(Files.isSymbolicLink(target.resolve("file"))).isFalse();
            assertThat(target.resolve("file")).hasContent("text");
            assertThat(target.resolve("sub/deep/file")).hasContent("deep");
        }

        @Test
        void aFolderThatBecameALinkOfThisMachineIsNotFollowed() throws IOException {
            SftpFiles.Progress progress = new SftpFiles.Progress();
            goOn(progress);
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            PrivateFiles.removeTree(target.resolve("sub"));
            Files.createSymbolicLink(target.resolve("sub"), elsewhere);

            assertThatThrownBy(() -> goOn(progress)).hasMessageContaining("which a copy does not follow; remove it");
            assertThat(elsewhere).isEmptyDirectory();
        }

        @Test
        void aFolderThatWasThereKeepsItsModeWhenACopyGoesOn() throws IOException {
            remote("chmod 0700 tree");
            Files.createDirectory(target);
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(target);
            SftpFiles.Progress progress = new SftpFiles.Progress();
            goOn(progress);
            goOn(progress);

            assertThat(Files.getPosixFilePermissions(target)).isEqualTo(before);
        }

        private void goOn(SftpFiles.Progress progress) throws IOException {
            SftpDownload.Limits limits = SftpDownload.Limits.of(target);
            try (SftpClient sftp =
                    SftpClientFactory.instance().createSftpClient(((SshNodeSession) session).connection())) {
                SftpDownload.run(sftp, "on loop1, copying tree", "tree", target, false, progress, limits);
            }
        }

        @Test
        void theLimitsOfACopyLeaveAPartOfTheDiskFree() throws IOException {
            SftpDownload.Limits limits = SftpDownload.Limits.of(target.resolve("not/there"));

            assertThat(limits.bytes())
                    .isPositive()
                    .isLessThan(Files.getFileStore(folder).getUsableSpace());
        }

        @Test
        void anUploadNamesTheLinkThatHasNoEnd() throws IOException {
            Path local = Files.createDirectories(folder.resolve("local/sub"));
            Files.createSymbolicLink(local.resolve("up"), Path.of("../.."));

            assertThatThrownBy(() -> session.uploadTree(folder.resolve("local"), "endless"))
                    .hasMessageContaining(
                            "/sub/up/local: a link leads to this folder from inside, so that it has no end; remove the link");
        }
    }

    private String remote(String script) {
        return session.run(Command.of("sh", "-c", script)).orThrow().stdout();
    }
}
