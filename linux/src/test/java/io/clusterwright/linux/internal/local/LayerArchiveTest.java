package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.linux.internal.local.LayerArchive.Compression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("breadth")
class LayerArchiveTest {
    @TempDir
    private Path folder;

    private Path content;
    private Path images;
    private Path layer;

    @BeforeEach
    void folders() throws IOException {
        content = Files.createDirectory(folder.resolve("content"));
        images = Files.createDirectory(folder.resolve("images"));
        layer = Files.createDirectory(folder.resolve("layers")).resolve("layer");
    }

    @ParameterizedTest
    @EnumSource(
            value = Compression.class,
            names = {"ZSTD", "GZIP"})
    void keepsRightsAndOwners(Compression compression) throws IOException {
        Path file = Files.writeString(content.resolve("file"), "kept");
        Files.setAttribute(file, "unix:uid", 1234);
        Files.setAttribute(file, "unix:mode", 04755);
        Path archive = images.resolve("layer" + compression.suffix());
        LayerArchive.pack(content, archive, compression, false, "keep");

        LayerArchive.unpack(archive, layer);

        assertThat(Files.readAttributes(layer.resolve("file"), "unix:mode,uid"))
                .containsEntry("uid", 1234)
                .extractingByKey("mode")
                .isEqualTo(0104755);
    }

    @Test
    void takesLessRoomThanItsContent() throws IOException {
        Path file = Files.writeString(content.resolve("file"), "the same line\n".repeat(100_000));
        Path archive = images.resolve("layer.tar.gz");
        LayerArchive.pack(content, archive, Compression.GZIP, false, "keep");

        assertThat(Files.size(archive)).isLessThan(Files.size(file) / 20);
    }

    @Test
    void unpacksAnArchiveOfAnEarlierVersionWhichIsNotCompressed() throws IOException {
        Files.writeString(content.resolve("file"), "kept");

        LayerArchive.unpack(tar("file"), layer);

        assertThat(layer.resolve("file")).hasContent("kept");
    }

    @Test
    void refusesAnArchiveThatLeavesItsFolderAndKeepsNothingOfIt() throws IOException {
        Files.writeString(content.resolve("file"), "planted");
        Path archive = tar("--transform", "s,^file$,../../planted,", "file");

        assertThatThrownBy(() -> LayerArchive.unpack(archive, layer))
                .isInstanceOf(LocalMachinesException.class)
                .hasMessageStartingWith("could not unpack the archive " + archive + " to ")
                .hasMessageContaining("Member name contains '..'");
        assertThat(folder.resolve("planted")).doesNotExist();
        assertThat(layer.getParent()).isEmptyDirectory();
    }

    @Test
    void writesThroughNoLinkOfAnArchive() throws IOException {
        Path victim = Files.createDirectory(folder.resolve("victim"));
        Files.createSymbolicLink(content.resolve("link"), victim);
        Files.writeString(content.resolve("file"), "planted");
        Path archive = tar("--transform", "s,^file$,link/planted,", "link", "file");

        assertThatThrownBy(() -> LayerArchive.unpack(archive, layer)).isInstanceOf(LocalMachinesException.class);

        assertThat(victim).isEmptyDirectory();
        assertThat(layer.getParent()).isEmptyDirectory();
    }

    @Test
    void refusesAnArchiveThatAnotherUserCouldHaveReplaced() throws IOException {
        Path archive = images.resolve("layer.tar.gz");
        LayerArchive.pack(content, archive, Compression.GZIP, false, "keep");
        Files.setAttribute(images, "unix:uid", 65534);

        assertThatThrownBy(() -> LayerArchive.unpack(archive, layer))
                .isInstanceOf(LocalMachinesException.class)
                .hasMessageStartingWith(
                        "could not use the folder " + images + ": " + images + " belongs to user 65534");
        assertThat(Files.exists(layer, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    private Path tar(String... arguments) {
        Path archive = images.resolve("layer.tar");
        HostCommand.of(Stream.concat(
                                Stream.of("tar", "-P", "-cf", archive.toString(), "-C", content.toString()),
                                Stream.of(arguments))
                        .toList())
                .orThrow("make an archive");
        return archive;
    }
}
