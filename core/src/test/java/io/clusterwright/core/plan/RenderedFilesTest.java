package io.clusterwright.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.RenderedFiles.Change;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenderedFilesTest {
    private static final RenderedFiles FILES = new RenderedFiles(
            List.of(
                    RenderedFile.text("hosts", "10.32.0.11 cluster11\n"),
                    RenderedFile.text("mpirun.sh", "#!/bin/sh\n").asProgram()),
            Map.of());

    @TempDir
    Path folder;

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void createsTheFolder() throws IOException {
        Path deep = folder.resolve("a/b/c");
        assertThat(FILES.writeTo(deep).values()).containsExactly(Change.CREATED, Change.CREATED);
        assertThat(deep.resolve("hosts")).hasContent("10.32.0.11 cluster11\n");
        assertThat(names(deep)).containsExactly("hosts", "mpirun.sh");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(deep.resolve("hosts"))))
                .isEqualTo("rw-r--r--");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(deep.resolve("mpirun.sh"))))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void replacesItsOwnFilesAndLeavesOthers() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "mine");
        Files.writeString(folder.resolve("hosts"), "of an older run");
        assertThat(FILES.writeTo(folder).values()).containsExactly(Change.REPLACED, Change.CREATED);
        assertThat(FILES.writeTo(folder).values()).containsExactly(Change.UNCHANGED, Change.UNCHANGED);
        assertThat(folder.resolve("hosts")).hasContent("10.32.0.11 cluster11\n");
        assertThat(folder.resolve("notes.txt")).hasContent("mine");
        assertThat(names(folder)).containsExactly("hosts", "mpirun.sh", "notes.txt");
    }

    @Nested
    class AreRefused {
        @Test
        void reportsAFileInsteadOfTheFolder() throws IOException {
            Path file = Files.writeString(folder.resolve("out"), "x");
            assertThatThrownBy(() -> FILES.writeTo(file))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid output folder \"" + file
                            + "\": use the path of a folder; a missing folder is created" + " (example: out)");
            assertThatThrownBy(() -> FILES.writeTo(file.resolve("below")))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining(file.toString());
            assertThat(file).hasContent("x");
        }

        @Test
        void reportsAFileOnTheWayToTheFolder() throws IOException {
            Path file = Files.writeString(folder.resolve("spec.yaml"), "");

            assertThatThrownBy(() -> FILES.writeTo(file.resolve("x").resolve("y")))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(file + " is a file, so the output folder");
        }

        @Test
        void reportsAFolderInsteadOfAFile() throws IOException {
            Files.createDirectory(folder.resolve("mpirun.sh"));
            assertThatThrownBy(() -> FILES.writeTo(folder))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(
                            folder.resolve("mpirun.sh") + " is a folder, so it cannot be replaced by a file");
            assertThat(names(folder)).as("nothing was written").containsExactly("mpirun.sh");
        }

        @Test
        void reportsALinkInsteadOfAFile() throws IOException {
            Path foreign = Files.writeString(folder.resolve("foreign"), "keep");
            Files.createSymbolicLink(folder.resolve("hosts"), foreign);
            assertThatThrownBy(() -> FILES.writeTo(folder)).hasMessageContaining("is a symbolic link, so");
            assertThat(foreign).hasContent("keep");
            assertThat(Files.isSymbolicLink(folder.resolve("hosts"))).isTrue();
        }

        /** Not even root makes files below /proc. */
        @Test
        void reportsAReadOnlyFolder() {
            assertThatThrownBy(() -> FILES.writeTo(Path.of("/proc/1/task")))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageStartingWith("cannot write /proc/1/task/hosts: ")
                    .hasMessageEndingWith("; name a folder that you may write, on a disk with room");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../hosts", "/etc/hosts", "a/b", ".hidden", "a b", "a\nb", "C:\\x"})
    void refusesNamesThatLeaveTheFolder(String name) {
        assertThatThrownBy(() -> RenderedFile.text(name, ""))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid file name \"");
    }

    @Test
    void copiesItsBytes() {
        byte[] bytes = {1, 2};
        RenderedFile file = RenderedFile.of("data", bytes);
        bytes[0] = 9;
        file.content()[1] = 9;
        assertThat(file.content()).containsExactly(1, 2);
    }
}
