package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileEditorTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("limits.conf"), "old\n");
    }

    private void assertNothingElseIsLeft(long files) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize((int) files);
        }
    }

    @Nested
    class Changing {
        @Test
        void replacesTheContentInOneStep() throws IOException {
            Object before = Files.getAttribute(file, "unix:ino");
            assertThat(FileEditor.edit(file, text -> text + "new\n")).isTrue();
            assertThat(file).hasContent("old\nnew\n");
            assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
            assertNothingElseIsLeft(1);
        }

        @ParameterizedTest
        @ValueSource(strings = {"rw-------", "rw-r--r--", "r--r-----", "rwxrwxrwx"})
        void keepsTheMode(String mode) throws IOException {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            FileEditor.edit(file, text -> "new");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(mode);
        }

        @Test
        @Tag("breadth")
        void keepsOwnerGroupAndSetuid() throws IOException {
            Files.setAttribute(file, "unix:uid", 65534);
            Files.setAttribute(file, "unix:gid", 12);
            Files.setAttribute(file, "unix:mode", 04755);
            FileEditor.edit(file, text -> "new");
            assertThat(Files.readAttributes(file, "unix:uid,gid"))
                    .containsEntry("uid", 65534)
                    .containsEntry("gid", 12);
            assertThat((Integer) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(04755);
        }

        @Test
        void followsALinkAndLeavesItALink() throws IOException {
            Path nested = Files.createDirectory(folder.resolve("real"));
            Path target = Files.writeString(nested.resolve("target"), "old");
            Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("real/target"));
            FileEditor.edit(link, text -> "new");
            assertThat(link).isSymbolicLink();
            assertThat(target).hasContent("new");
        }

        @Test
        void keepsBytesThatAreNoUtf8() throws IOException {
            byte[] latin = "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
            Files.write(file, latin);
            FileEditor.edit(file, text -> text + "x");
            assertThat(Files.readAllBytes(file)).isEqualTo("caf\u00e9\nx".getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> FileEditor.edit(file, text -> text + "\u20ac"))
                    .isInstanceOf(UneditableFileException.class)
                    .hasMessage(file.toRealPath()
                            + " was not changed: its character set ISO-8859-1 cannot hold the new text");
        }
    }

    @Nested
    class NotChanging {
        @Test
        void leavesTheFileUntouched() throws IOException {
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
            Object before = Files.getAttribute(file, "unix:ino");
            assertThat(FileEditor.edit(file, text -> text)).isFalse();
            assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(before);
            assertThat(Files.getLastModifiedTime(file).toMillis()).isZero();
        }

        @Test
        void leavesNothingBehindWhenTheChangeFails() throws IOException {
            assertThatThrownBy(() -> FileEditor.edit(file, text -> {
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(file).hasContent("old");
            assertNothingElseIsLeft(1);
        }

        @Test
        void needsAFileThatExists() {
            assertThatThrownBy(() -> FileEditor.edit(folder.resolve("absent"), text -> "x"))
                    .isInstanceOf(NoSuchFileException.class);
        }

        @Test
        void refusesFilesThatNameEth1BeforeOrAfter() throws IOException {
            Path network =
                    Files.createDirectories(folder.resolve("etc/network")).resolve("interfaces");
            Files.writeString(network, "auto eth1\n");
            assertThatThrownBy(() -> FileEditor.edit(network, text -> "auto eth0\n"))
                    .isInstanceOf(UneditableFileException.class);
            Files.writeString(network, "auto eth0\n");
            assertThatThrownBy(() -> FileEditor.edit(network, text -> "auto eth1\n"))
                    .isInstanceOf(UneditableFileException.class);
            Path link = Files.createSymbolicLink(folder.resolve("innocent"), network);
            assertThatThrownBy(() -> FileEditor.edit(link, text -> "auto eth1\n"))
                    .isInstanceOf(UneditableFileException.class);
            assertThat(network).hasContent("auto eth0");
        }
    }
}
