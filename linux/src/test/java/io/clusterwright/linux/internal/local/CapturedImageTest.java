package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
class CapturedImageTest {

    @Test
    void nodesOfACapturedImageHaveTheirOwnIdentity() throws Exception {
        try (Lab lab = new Lab("lm-image", "10.44.0.0/16")) {
            Machine template = lab.network().boot(Lab.THIS_SYSTEM, 4).get(0);
            lab.output(
                    template,
                    "sudo sh -ec 'echo one > /etc/golden; rm /etc/issue; rm -rf /etc/dpkg/origins; "
                            + "mkdir /etc/skel/new; mv /etc/profile.d /etc/profile.moved; mkdir /etc/profile.d; "
                            + "touch /etc/capable; setcap cap_net_bind_service+ep /etc/capable 2>/dev/null || true; "
                            + "useradd -m hpcuser; ln -s /etc/golden /etc/golden-link'");
            String templateId = lab.output(template, "cat /etc/machine-id");
            lab.machines.capture(lab.cluster(), template, "golden-1", "00000000000000ab", 1);
            lab.machines.host().delete(lab.cluster().name(), template.name());

            List<Machine> nodes = lab.boot(new ImageSource.Captured("golden-1"), 11, 12);
            for (Machine node : nodes) {
                assertThat(lab.output(node, "cat /etc/golden /etc/golden-link; hostname"))
                        .isEqualTo("one\none\n" + node.name());
                assertThat(lab.ssh(node, "ls /etc/issue").exit())
                        .as("a deletion is kept")
                        .isNotZero();
                assertThat(lab.output(node, "ls -A /etc/profile.d | wc -l"))
                        .as("a new folder hides the old")
                        .isEqualTo("0");
                assertThat(lab.output(node, "id -un hpcuser; stat -c %U /home/hpcuser"))
                        .isEqualTo("hpcuser\nhpcuser");
                assertThat(lab.output(node, "cat /etc/machine-id")).isNotEqualTo(templateId);
                assertThat(lab.output(node, "sudo -n id -u")).isEqualTo("0");
            }
            assertThat(lab.machines.imageUsers()).isEqualTo(Map.of("golden-1", List.of(lab.cluster())));
            lab.machines.proven("golden-1");
            List<StoredImage> images = lab.machines.images();
            assertThat(images).singleElement().satisfies(image -> {
                assertThat(image.name()).isEqualTo("golden-1");
                assertThat(image.proven()).isTrue();
                assertThat(image.owner()).isEqualTo("00000000000000ab");
                assertThat(image.sizeBytes()).isPositive();
                assertThat(image.lastUsed()).isAfterOrEqualTo(image.created());
                assertThat(image.billedCopies()).isZero();
            });
            assertThat(tar(lab, "golden-1"))
                    .as("no private key of a node is in an image")
                    .noneMatch(line -> line.contains("ssh_host_"));
            lab.machines.deleteImage("golden-1");
            lab.machines.deleteImage("golden-1");
            assertThat(lab.machines.images()).isEmpty();
            assertThat(stored(lab))
                    .as("running nodes need only the unpacked layer")
                    .containsExactly("layers");
            assertThat(lab.output(nodes.get(0), "cat /etc/golden")).isEqualTo("one");
            lab.destroy();
            assertThat(stored(lab)).isEmpty();
        }
    }

    @Test
    void clustersShareALayerThatNoNodeCanChange() throws Exception {
        try (Lab lab = new Lab("lm-share-1", "10.44.0.0/16")) {
            Lab second = new Lab(Lab.spec("lm-share-2", "10.82.0.0/16"), lab.folder, "00000000000000cd");
            // Its close would delete the folders of both.
            try (Closeable end = second::destroy) {
                share(lab, second);
            }
        }
    }

    private static void share(Lab lab, Lab second) throws IOException {
        Machine template = lab.network().boot(Lab.THIS_SYSTEM, 4).get(0);
        lab.output(template, "sudo sh -ec 'echo one > /etc/golden; mkdir /etc/kept; touch /etc/kept/file'");
        lab.machines.capture(lab.cluster(), template, "golden", "", 1);
        long archived = lab.machines.images().get(0).sizeBytes();
        // What another boot of this machine left: of a cluster that is gone, and a layer half unpacked or deleted.
        Path layers = Files.createDirectories(lab.folders.images().resolve("layers"));
        Files.createDirectories(layers.resolve(".part-1/files/etc"));
        Files.createSymbolicLink(
                Files.createDirectories(layers.resolve("0123")).resolve("00000000000000ab"),
                lab.folders.run().resolve("gone.json"));

        Machine node = lab.boot(new ImageSource.Captured("golden"), 11).get(0);
        Path shared = layer(lab).toRealPath();
        String before = content(shared);
        assertThat(lab.machines.images().get(0).sizeBytes() - archived)
                .as("an unpacked layer is counted")
                .isEqualTo(Long.parseLong(Files.readString(shared.resolveSibling("bytes"))))
                .isPositive();
        lab.output(
                node,
                "sudo sh -ec 'echo changed > /etc/golden; chmod 777 /etc/golden; chown 1 /etc/golden; "
                        + "ln /etc/golden /etc/other; rm -r /etc/kept; mkdir /etc/kept; touch -d @0 /etc'");
        assertThat(lab.ssh(node, "sudo ls " + shared).exit())
                .as("no path leads to it")
                .isNotZero();

        Machine other =
                second.network().boot(new ImageSource.Captured("golden"), 11).get(0);
        assertThat(layer(second).toRealPath()).isEqualTo(shared);
        assertThat(second.output(other, "cat /etc/golden; ls /etc/kept")).isEqualTo("one\nfile");
        assertThat(content(shared)).isEqualTo(before);

        lab.machines.deleteImage("golden");
        lab.destroy();
        assertThat(layers.toFile().list())
                .containsExactly(shared.getParent().getFileName().toString());
        assertThat(second.output(other, "sudo cat /etc/golden")).isEqualTo("one");
        second.destroy();
        assertThat(stored(lab)).isEmpty();
    }

    @Test
    void aLayerIsUnpackedIntoTheClusterWhereTheStoreIsAnOverlay() throws Exception {
        try (Lab lab = new Lab("lm-overlay", "10.44.0.0/16")) {
            Path parts = Files.createDirectory(lab.folder.resolve("parts"));
            Files.createDirectories(lab.folders.store());
            HostCommand.of(
                            "sh",
                            "-ec",
                            "cd \"$1\"; mkdir low up work; mount -t overlay"
                                    + " -o lowerdir=low,upperdir=up,workdir=work overlay ../store",
                            "sh",
                            parts.toString())
                    .orThrow("mount the store");
            try {
                Machine template = lab.network().boot(Lab.THIS_SYSTEM, 4).get(0);
                lab.output(template, "sudo sh -ec 'rm /etc/issue; rm -r /etc/skel; mkdir /etc/skel'");
                lab.machines.capture(lab.cluster(), template, "golden", "", 1);

                Machine node = lab.boot(new ImageSource.Captured("golden"), 11).get(0);
                assertThat(lab.output(node, "ls -A /etc/skel /etc/issue 2>&1 | grep -v 'cannot access'"))
                        .isEqualTo("/etc/skel:");
                assertThat(Files.isSymbolicLink(layer(lab))).isFalse();
            } finally {
                lab.destroy();
                Mounts.unmountAll(lab.folders.store());
            }
        }
    }

    @Test
    void aLayerThatAKilledProcessUnpackedIsUnpackedAgain(@TempDir Path folder) throws IOException {
        Path content = Files.createDirectory(folder.resolve("content"));
        for (int i = 0; i < 400; i++) {
            Files.writeString(content.resolve("file" + i), ("content of file " + i).repeat(5000));
        }
        Path images = folder.resolve("images");
        ImageStore store = new ImageStore(images);
        store.capture("golden", "", content, List.of(), false);
        String layer = store.require("golden").layers().get(0);
        Path record = Files.createFile(folder.resolve("demo.json"));
        Process other = start(LayerUser.class, folder.toString(), layer);
        try {
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                try (Stream<Path> all =
                        Files.find(images.resolve("layers"), 4, (file, attributes) -> attributes.isRegularFile())) {
                    return all.count() > 5;
                } catch (IOException | UncheckedIOException changing) {
                    return false;
                }
            });
        } finally {
            other.destroyForcibly().onExit().join();
        }
        assertThat(folder.resolve("place-1")).doesNotExist();

        store.provide(layer, folder.resolve("place-2"), LayerUser.CLUSTER, record);

        assertThat(content(folder.resolve("place-2").toRealPath())).isEqualTo(content(content));
        Files.delete(record);
        store.release();
        assertThat(images.resolve("layers").toFile().list())
                .as("the image keeps its layer")
                .containsExactly(layer);
        store.delete("golden");
        assertThat(images.resolve("layers")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"name\":\"x\",",
                "{\"name\":\"x\",\"created\":\"not a time\",\"layers\":[]}",
                "{\"created\":\"2026-11-28T10:00:00Z\"}"
            })
    void aDamagedImageHindersNoOtherAndLosesNoLayer(String damage, @TempDir Path folder) throws IOException {
        Path content = Files.createDirectory(folder.resolve("content"));
        Files.writeString(content.resolve("file"), "one");
        ImageStore store = new ImageStore(folder.resolve("images"));
        store.capture("x", "", content, List.of(), false);
        Path archive = store.archive(store.require("x").layers().get(0));
        Path description = folder.resolve("images/x.json");
        Files.writeString(description, damage);

        Files.writeString(content.resolve("file"), "two");
        store.capture("golden", "", content, List.of(), false);
        store.release();

        assertThat(store.images()).extracting(image -> image.image().name()).containsExactly("golden");
        assertThat(archive).exists();
        assertThatThrownBy(() -> store.require("x"))
                .isInstanceOf(LocalMachinesException.class)
                .hasMessageStartingWith("could not read the record " + description + ": it is damaged (")
                .hasMessageNotContaining("REDACTED")
                .hasMessageEndingWith("); delete it and build the image again");
        store.delete("x");
        assertThat(archive).doesNotExist();
        assertThat(store.require("golden").layers()).hasSize(1);
    }

    /** Unpacks a layer. */
    static final class LayerUser {
        static final ClusterId CLUSTER = new ClusterId(ClusterName.of("demo"), "00000000000000ab");

        private LayerUser() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            new ImageStore(folder.resolve("images"))
                    .provide(arguments[1], folder.resolve("place-1"), CLUSTER, folder.resolve("demo.json"));
        }
    }

    /** The layer of the nodes of a cluster. */
    private static Path layer(Lab lab) throws IOException {
        try (Stream<Path> layers = Files.list(lab.folders.layers(lab.spec.name()))) {
            return layers.findFirst().orElseThrow();
        }
    }

    /** Names, times, rights and content of all files in a folder. */
    private static String content(Path folder) {
        return HostCommand.query(
                        "sh",
                        "-c",
                        "cd \"$1\" && find . -printf '%p %m %U %n %T@\\n' | sort && find . -type f -exec sha256sum {} + | sort",
                        "sh",
                        folder.toString())
                .run("look at a layer")
                .stdout();
    }

    @Test
    void anImageIsABaseForLaterImages() throws Exception {
        try (Lab lab = new Lab("lm-chain", "10.44.0.0/16")) {
            Machine template = lab.network().boot(Lab.THIS_SYSTEM, 4).get(0);
            lab.output(template, "echo updated | sudo tee /etc/stage-1");
            lab.machines.capture(lab.cluster(), template, "updates", "", 1);
            lab.machines.host().delete(lab.cluster().name(), template.name());

            Machine second = lab.boot(new ImageSource.Captured("updates"), 5).get(0);
            lab.output(second, "echo installed | sudo tee /etc/stage-2; sudo rm /etc/hosts.allow");
            lab.machines.capture(lab.cluster(), second, "complete", "", 1);
            assertThat(lab.machines.images()).extracting(StoredImage::name).containsExactly("complete", "updates");
            assertThat(lab.machines.images()).extracting(StoredImage::owner).containsOnly("");

            lab.machines.deleteImage("updates");
            Machine node = lab.boot(new ImageSource.Captured("complete"), 11).get(0);
            assertThat(lab.output(node, "cat /etc/stage-1 /etc/stage-2; ls /etc/hosts.allow 2>/dev/null || echo gone"))
                    .isEqualTo("updated\ninstalled\ngone");

            lab.machines.deleteImage("complete");
            lab.destroy();
            assertThat(stored(lab)).isEmpty();
        }
    }

    @Test
    void anImageThatIsNotThereIsNamedWithThoseThatAre() throws Exception {
        try (Lab lab = new Lab("lm-noimage", "10.44.0.0/16")) {
            lab.network();
            assertThatThrownBy(() -> lab.boot(new ImageSource.Captured("nowhere"), 11))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageContaining("could not use the image nowhere: there is no image of that name")
                    .hasMessageEndingWith(", and no other image");
        }
    }

    @Test
    void theNextChangeDeletesFilesOfAKilledCapture() throws Exception {
        try (Lab lab = new Lab("lm-torn", "10.44.0.0/16")) {
            Path images = Files.createDirectories(lab.folders.images());
            Files.writeString(images.resolve(".999999999-1-x.tmp"), "half");
            Files.writeString(images.resolve("0123456789abcdef.tar"), "of an earlier version, without a description");
            Files.writeString(images.resolve("0123456789abcdef.tar.gz"), "without a description");
            lab.machines.deleteImage("other");
            assertThat(stored(lab)).isEmpty();
        }
    }

    @Test
    void oneProcessBuildsAnImageAndItsEndEndsTheClaim(@TempDir Path folder) throws IOException {
        Process other = start(OtherBuilder.class, folder.toString());
        try (BufferedReader answers = other.inputReader()) {
            assertThat(answers.readLine()).isEqualTo("claimed");
            ImageStore store = new ImageStore(folder);
            assertThat(store.claim("golden", "cluster demo").builder())
                    .contains("cluster other, process " + other.pid());
            ImageClaim different = store.claim("silver", "cluster demo");
            assertThat(different.builder()).isEmpty();
            different.close();

            other.destroyForcibly().onExit().join();

            ImageClaim own = store.claim("golden", "cluster demo");
            assertThat(own.builder()).isEmpty();
            ImageClaim second = new ImageStore(folder).claim("golden", "cluster second");
            assertThat(second.builder())
                    .contains("cluster demo, process " + ProcessHandle.current().pid());
            second.awaitChange();
            second.close();
            assertThat(store.claim("golden", "cluster third").builder())
                    .as("only the holder ends a claim")
                    .isPresent();
            assertThat(claimInAnotherProcess(folder))
                    .as("a second attempt leaves the claim of the first in force")
                    .contains("cluster demo, process " + ProcessHandle.current().pid());
            own.close();
            assertThat(folder).isDirectoryNotContaining("glob:**.building-*");
        } finally {
            other.destroyForcibly();
        }
    }

    private static String claimInAnotherProcess(Path folder) throws IOException {
        Process other = start(OtherBuilder.class, folder.toString());
        try (BufferedReader answers = other.inputReader()) {
            return String.valueOf(answers.readLine());
        } finally {
            other.destroyForcibly().onExit().join();
        }
    }

    private static Process start(Class<?> program, String... arguments) throws IOException {
        return new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        program.getName()),
                                Stream.of(arguments))
                        .toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Claims an image, says so, and stays. */
    static final class OtherBuilder {
        private OtherBuilder() {}

        public static void main(String[] arguments) throws InterruptedException {
            ImageClaim claim = new ImageStore(Path.of(arguments[0])).claim("golden", "cluster other");
            System.out.println(claim.builder().orElse("claimed"));
            Thread.sleep(60_000);
            claim.close();
        }
    }

    private static List<String> stored(Lab lab) throws IOException {
        try (Stream<Path> files = Files.list(lab.folders.images())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(".lock"))
                    .toList();
        }
    }

    private static List<String> tar(Lab lab, String image) {
        ImageStore store = new ImageStore(lab.folders.images());
        Path archive = store.archive(store.require(image).layers().get(0));
        return HostCommand.of("tar", "-tf", archive.toString())
                .orThrow("list")
                .lines()
                .toList();
    }
}
