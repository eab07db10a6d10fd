package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
    private static final int NOBODY = 65534;

    @TempDir
    private Path folder;

    @Nested
    class Places {
        @Test
        void makesFoldersForTheirOwnerOnly() throws IOException {
            Path made = DurableFiles.createFolders(folder.resolve("a/b"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a"))))
                    .isEqualTo("rwx------");
        }

        @Test
        @Tag("breadth")
        void refusesAFolderOfAnotherUser() throws IOException {
            Path planted = owned(Files.createDirectory(folder.resolve("planted")));
            assertThatThrownBy(() -> DurableFiles.createFolders(planted.resolve("run")))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessage("could not use the folder " + planted.resolve("run") + ": " + planted
                            + " belongs to user 65534, who could replace it; use another"
                            + " folder, or remove it");
            assertThat(planted).isEmptyDirectory();
        }

        @Test
        @Tag("breadth")
        void refusesALinkOfAnotherUserAlsoWhereItLeadsToAFolderOfRoot() throws IOException {
            Path target = Files.createDirectory(folder.resolve("target"));
            Path link = owned(Files.createSymbolicLink(folder.resolve("link"), target));
            assertThatThrownBy(() -> DurableFiles.createFolders(link.resolve("run")))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageContaining(link + " belongs to user 65534");
            assertThat(target).isEmptyDirectory();
        }

        @Test
        void refusesAFolderThatOthersMayWriteTo() throws IOException {
            Path open = Files.createDirectory(folder.resolve("open"));
            Files.setAttribute(open, "unix:mode", 0777);
            assertThatThrownBy(() -> DurableFiles.createFolders(open.resolve("run")))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessage("could not use the folder " + open.resolve("run") + ": other users may write to " + open
                            + " and could replace it; use another folder, or run: chmod go-w "
                            + open);
            Files.setAttribute(open, "unix:mode", 01777);
            assertThat(DurableFiles.createFolders(open.resolve("run"))).isDirectory();
        }

        private static Path owned(Path path) throws IOException {
            Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
            return path;
        }
    }

    @Test
    void aLockThatIsALinkIsNotFollowed() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "kept");
        Files.createSymbolicLink(folder.resolve(".lock"), target);
        assertThatThrownBy(() -> FolderLock.holding(folder, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve(".lock").toString());
    }
}
