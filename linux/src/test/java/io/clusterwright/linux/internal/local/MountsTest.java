package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class MountsTest {
    @TempDir
    Path folder;

    @AfterEach
    void unmount() {
        Mounts.unmountAll(folder);
    }

    @Test
    void namesTheProcessThatKeepsAFileSystemBusy() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Mounts.tmpfs(folder, "clusterwright:busy");
        Path file = folder.resolve("held");

        try (OutputStream held = Files.newOutputStream(file)) {
            held.write(1);
            assertThatThrownBy(() -> Mounts.unmountAll(folder))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageContaining("target is busy")
                    .hasMessageEndingWith("process " + ProcessHandle.current().pid() + " (java) uses " + file
                            + ": end it and try again");
        }

        Mounts.unmountAll(folder);
        assertThat(inner).exists();
    }

    @Test
    void findsMountsBesideOneWhoseNameIsNoText() throws IOException {
        HostCommand.of(
                        "sh",
                        "-ec",
                        "cd \"$1\"; n=$(printf '\\377\\rx'); mkdir \"$n\" plain; mount -t tmpfs odd \"$n\"",
                        "sh",
                        folder.toString())
                .orThrow("mount a name that is no text");
        try {
            Mounts.tmpfs(folder.resolve("plain"), "clusterwright:plain");

            assertThat(Mounts.labelled("clusterwright:plain")).containsExactly(folder.resolve("plain"));
        } finally {
            HostCommand.of("sh", "-ec", "umount \"$1\"/*x", "sh", folder.toString())
                    .orThrow("unmount it");
        }
    }
}
