package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Folders of local machines on real file systems without room. */
@Tag("breadth")
class FullDiskTest {

    @Test
    void aNetworkWithoutRoomForItsFolderLeavesNothing() throws Exception {
        try (Lab lab = new Lab("lm-full-run", "10.73.0.0/16");
                Disk disk = new Disk(lab.folders.run(), "size=64k,nr_inodes=1")) {
            MachineSnapshot before = lab.snapshot();

            assertThatThrownBy(lab::network)
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageStartingWith(
                            "could not create the network of cluster lm-full-run in " + lab.folders.run() + ": ")
                    .hasMessageEndingWith(": No space left on device; delete files there and try again");
            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
            assertThat(lab.snapshot()).isEqualTo(before);

            disk.resize("size=64k,nr_inodes=100");
            lab.network();
            lab.destroy();
            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
        }
    }

    @Test
    void aNodeWithoutRoomForItsDiskLeavesNothing() throws Exception {
        try (Lab lab = new Lab("lm-full-node", "10.73.0.0/16");
                Disk disk = new Disk(lab.network().folders.cluster(lab.spec.name()), "remount,size=8m")) {
            List<Path> before = files(lab);
            disk.fill();

            MachineOutcome outcome =
                    lab.outcomes(List.of(lab.request(11, Lab.THIS_SYSTEM))).get(0);
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            MachineOutcome.Failed.class,
                            failed -> assertThat(failed.cause())
                                    .hasMessageStartingWith(
                                            "could not prepare the disk of node lm-full-node-11 in " + disk.folder())
                                    .hasMessageEndingWith("No space left on device; delete files there and try again"));
            disk.empty();
            assertThat(files(lab)).isEqualTo(before);

            Machine node = lab.boot(Lab.THIS_SYSTEM, 11).get(0);
            assertThat(lab.output(node, "hostname")).isEqualTo("lm-full-node-11");
            lab.destroy();
        }
    }

    @Test
    void anImageWithoutRoomLeavesNothing() throws Exception {
        try (Lab lab = new Lab("lm-full-store", "10.73.0.0/16");
                Disk disk = new Disk(lab.folders.store(), "size=1m")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            lab.output(node, "sudo dd if=/dev/urandom of=/etc/large bs=1M count=2 2>/dev/null");

            assertThatThrownBy(() -> lab.machines.capture(lab.cluster(), node, "large", "", 1))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageStartingWith("could not keep the image large: " + lab.folders.images()
                            + " is full; delete files there and try again; last output: ");
            assertThat(lab.machines.images()).isEmpty();
            try (Stream<Path> kept = Files.list(lab.folders.images())) {
                assertThat(kept).isEmpty();
            }

            disk.resize("size=16m");
            lab.machines.capture(lab.cluster(), node, "large", "", 1);
            assertThat(lab.machines.images()).extracting(StoredImage::name).containsExactly("large");
        }
    }

    @Test
    void aFullStoreDoesNotKeepAClusterFromBeingDeleted() throws Exception {
        try (Lab lab = new Lab("lm-full-delete", "10.73.0.0/16")) {
            lab.network();
            try (Disk disk = new Disk(lab.folders.store(), "size=64k,nr_inodes=1")) {
                lab.destroy();
            }
            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
        }
    }

    private static List<Path> files(Lab lab) throws IOException {
        try (Stream<Path> all = Files.walk(lab.folders.cluster(lab.spec.name()))) {
            return all.sorted().toList();
        }
    }

    /** A small file system in memory. */
    private record Disk(Path folder) implements AutoCloseable {
        Disk(Path folder, String options) throws IOException {
            this(Files.createDirectories(folder));
            mount("-t", "tmpfs", "-o", options + ",mode=755", "none");
        }

        private void mount(String... arguments) {
            HostCommand.of(Stream.of(Stream.of("mount"), Stream.of(arguments), Stream.of(folder.toString()))
                            .flatMap(all -> all)
                            .toList())
                    .orThrow("mount " + folder);
        }

        void resize(String options) {
            mount("-o", "remount," + options);
        }

        void fill() throws IOException {
            try (OutputStream filler = Files.newOutputStream(filler())) {
                byte[] page = new byte[4096];
                for (int i = 0; i < 10_000; i++) {
                    filler.write(page);
                }
            } catch (IOException full) {
                assertThat(full).hasMessageContaining("No space left on device");
                return;
            }
            throw new AssertionError(folder + " did not fill");
        }

        void empty() throws IOException {
            Files.delete(filler());
        }

        private Path filler() {
            return folder.resolve("filler");
        }

        @Override
        public void close() {
            Mounts.unmountAll(folder);
        }
    }
}
