package io.clusterwright.core.internal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateFilesTest {
    private static final int LONGEST_PATH = 4095;

    @TempDir
    private Path folder;

    @Test
    void aNewFileHasTheModeOfTheUmask() throws IOException {
        Path plain = Files.createFile(folder.resolve("plain"));
        Path made = folder.resolve("made");

        replace(made, "new");

        assertThat(made).hasContent("new");
        assertThat(mode(made)).isEqualTo(mode(plain));
        assertThat(folder).isDirectoryNotContaining("glob:**/.clusterwright*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-r--", "rw-------", "rwxrwxrwx", "r--r--r--"})
    void aFileKeepsItsMode(String mode) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a longer text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        replace(file, "new");

        assertThat(file).hasContent("new");
        assertThat(mode(file)).isEqualTo(mode);
    }

    @Test
    void aClosedFileIsPrivate() throws IOException {
        Path file = folder.resolve("file");

        PrivateFiles.replace(file, true, out -> out.write('x'));

        assertThat(mode(file)).isEqualTo("rw-------");
    }

    @Test
    void aLinkIsReplacedByANewFile() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept"), "kept");
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);

        replace(link, "new");

        assertThat(kept).hasContent("kept");
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(mode(link)).isNotEqualTo("rwxrwxrwx");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aDescriptorOfAFileGetsTheContent() throws IOException {
        Path file = folder.resolve("out");
        try (FileOutputStream stream = new FileOutputStream(file.toFile())) {
            stream.write("first ".getBytes(UTF_8));
            Path link = descriptor(file);

            replace(link, "second");

            assertThat(link).isSymbolicLink();
        }
        assertThat(file).hasContent("first second");
    }

    /** A file whose folder takes no further file: here the path of any other file would be too long. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatCannotBeReplacedIsWritten() throws IOException {
        Path deep = folder;
        while (LONGEST_PATH - deep.toString().length() > 220) {
            deep = Files.createDirectory(deep.resolve("d".repeat(200)));
        }
        deep = Files.createDirectory(
                deep.resolve("d".repeat(LONGEST_PATH - deep.toString().length() - 12)));
        Path file = Files.writeString(deep.resolve("file"), "a longer text");
        Path link = Files.createSymbolicLink(deep.resolve("link"), file.getFileName());

        replace(file, "new");
        assertThat(file).hasContent("new");

        replace(link, "by a link");
        assertThat(file).hasContent("by a link");

        assertThatThrownBy(() -> PrivateFiles.replace(link, true, out -> out.write('x')))
                .isInstanceOf(FileSystemException.class);
        assertThat(file).hasContent("by a link");
    }

    private static void replace(Path file, String text) throws IOException {
        PrivateFiles.replace(file, false, out -> out.write(text.getBytes(UTF_8)));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    /** The descriptor of this process that leads to a file. */
    private static Path descriptor(Path file) throws IOException {
        for (int number = 0; number < 10_000; number++) {
            Path link = Path.of("/proc/self/fd/" + number);
            if (Files.isSymbolicLink(link) && file.toRealPath().equals(Files.readSymbolicLink(link))) {
                return link;
            }
        }
        throw new IOException("no descriptor leads to " + Objects.requireNonNull(file));
    }
}
