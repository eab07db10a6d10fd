package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.node.Debian13;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Demand;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of Debian 13 on this machine, whose system is another one. */
@Tag("breadth")
@Timeout(900)
class OtherSystemTest {

    @Test
    void nodesRunTheSystemOfAFolder() throws Exception {
        Path root = Debian13.root();
        try (Lab lab = new Lab("lm-folder", "10.49.0.0/16")) {
            List<Machine> nodes = lab.network().boot(source(root), 4, 5);
            Machine first = nodes.get(0);
            assertThat(lab.output(
                            first, ". /etc/os-release; echo $VERSION_ID; hostname; sudo -n id -u; stat -c %a / /tmp"))
                    .isEqualTo("13\n" + first.name() + "\n0\n755\n1777");
            assertThat(lab.output(first, "ls -A /home /var/cache/clusterwright-tests 2>&1; cat /etc/hosts"))
                    .as("nothing of this machine is there")
                    .contains("azureuser", "No such file or directory")
                    .doesNotContain(Path.of("/home").toFile().list())
                    .contains(first.address() + " " + first.name());
            assertThat(lab.ssh(first, "sudo mount -t tmpfs none /mnt").exit()).isNotZero();

            lab.output(first, "sudo sh -c 'touch /usr/bin/written; rm /etc/debian_version'");
            assertThat(root.resolve("usr/bin/written")).doesNotExist();
            assertThat(root.resolve("etc/debian_version")).exists();
            assertThat(lab.ssh(nodes.get(1), "ls /usr/bin/written").exit()).isNotZero();

            PackageFeed feed = lab.machines.packageFeed(lab.cluster(), first);
            assertThat(feed.supply(session(first), "apt", Demand.INSTALL, List.of("hello")))
                    .isEqualTo(Supply.STAGED);
            lab.output(first, "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-download hello");
            assertThat(lab.output(first, "hello")).isEqualTo("Hello, world!");
            assertThatThrownBy(() -> feed.supply(session(first), "apt", Demand.INSTALL, List.of("no-such-package")))
                    .hasMessageContaining("if a package was not found, run: chroot " + root + " apt-get update");
            assertThatThrownBy(() -> feed.supply(session(first), "dnf", Demand.INSTALL, List.of("hello")))
                    .hasMessage("could not fetch packages for node " + first.name() + ": " + root
                            + " takes packages by dnf, and this machine can download packages by apt-get only; install"
                            + " them in " + root + " before: hello");

            lab.machines.capture(lab.cluster(), first, "trixie-hello", "", 1);
            Machine later =
                    lab.boot(new ImageSource.Captured("trixie-hello"), 11).get(0);
            assertThat(lab.output(later, "hello; ls /usr/bin/written; ls /etc/debian_version 2>/dev/null || echo gone"))
                    .isEqualTo("Hello, world!\n/usr/bin/written\ngone");
            lab.machines.stop(lab.cluster(), List.of(later));
            lab.machines.start(lab.cluster(), List.of(later));
            assertThat(lab.output(later, "hello")).isEqualTo("Hello, world!");
            assertThat(lab.machines.images())
                    .singleElement()
                    .satisfies(image -> assertThat(image.sizeBytes()).isLessThan(400_000_000));
        }
    }

    @Test
    void anArchiveIsUnpackedUntilNeitherAClusterNorAnImageUsesIt() throws Exception {
        Path root = Debian13.root();
        Path folder = Files.createTempDirectory("clusterwright-lab-");
        Path archive = folder.resolve("trixie.tar");
        HostCommand.of(
                        "tar",
                        "-C",
                        root.toString(),
                        "--exclude=./usr/share",
                        "--exclude=./usr/lib/python3",
                        "--exclude=./usr/lib/gcc",
                        "--exclude=./var/lib/apt/lists/*",
                        "-cf",
                        archive.toString(),
                        ".")
                .timeout(Duration.ofMinutes(2))
                .orThrow("pack the system");
        ClusterSpec spec = Lab.spec("lm-archive", "10.48.0.0/16").toBuilder()
                .image(image -> image.base("file:trixie.tar"))
                .baseFolder(folder)
                .build();
        Path store = folder.resolve("store/systems");
        try (Lab lab = new Lab(spec, folder, ClusterId.random(spec.name()).id())) {
            Inspection before = lab.machines.inspect(spec);
            assertThat(before.findings()).extracting(Finding::path).doesNotContain("image.base");
            assertThat(before.notChecked())
                    .contains("image.base: whether nodes can run the system in the archive, which is not unpacked yet");
            assertThat(store).doesNotExist();

            Machine node = lab.network().boot(source(Path.of("trixie.tar")), 4).get(0);
            assertThat(lab.output(node, ". /etc/os-release; echo $VERSION_ID")).isEqualTo("13");
            assertThat(lab.machines.inspect(spec).notChecked()).isEmpty();
            assertThatThrownBy(() -> lab.machines
                            .packageFeed(lab.cluster(), node)
                            .supply(session(node), "apt", Demand.INSTALL, List.of("hello")))
                    .hasMessageContaining(" has no package lists in ")
                    .hasMessageContaining("run apt-get update in the folder of which the archive was made");

            lab.machines.capture(lab.cluster(), node, "trixie", "", 1);
            lab.destroy();
            assertThat(store).as("the image stands on it").isDirectoryContaining(Files::isDirectory);
            lab.machines.deleteImage("trixie");
            assertThat(store).isDirectoryNotContaining(Files::isDirectory);
        }
    }

    @Test
    void anArchiveWithoutASystemIsNamed() throws Exception {
        Path folder = Files.createTempDirectory("clusterwright-lab-");
        Path archive = folder.resolve("etc.tar.gz");
        HostCommand.of("tar", "-C", "/etc", "-czf", archive.toString(), "hostname")
                .orThrow("pack");
        ClusterSpec spec = Lab.spec("lm-noarchive", "10.78.0.0/16").toBuilder()
                .image(image -> image.base("file:" + archive))
                .build();
        try (Lab lab = new Lab(spec, folder, ClusterId.random(spec.name()).id())) {
            assertThatThrownBy(lab::network)
                    .hasMessageStartingWith(
                            "could not use the system " + archive + ": " + archive
                                    + " is not a Linux system: it has no usr/bin; make it of a folder that debootstrap made: tar -C");
            assertThat(folder.resolve("store/systems")).isDirectoryNotContaining(Files::isDirectory);
        }
    }

    @Test
    void aFolderThatIsNoSystemIsAFinding() throws Exception {
        ClusterSpec spec = Lab.spec("lm-nosystem", "10.79.0.0/16").toBuilder()
                .image(image -> image.base("file:nowhere"))
                .baseFolder(Path.of("/srv"))
                .build();
        Lab lab = new Lab(
                spec,
                Files.createTempDirectory("clusterwright-lab-"),
                ClusterId.random(spec.name()).id());

        assertThat(lab.machines.inspect(spec).findings())
                .filteredOn(Finding::isError)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo("CW-LOCAL-011");
                    assertThat(finding.path()).isEqualTo("image.base");
                    assertThat(finding.message()).isEqualTo("there is no folder /srv/nowhere");
                });
        lab.close();
    }

    private static ImageSource source(Path system) {
        return new ImageSource.Base(new ImageReference.SystemFile(system.toString()));
    }

    private static NodeSession session(Machine node) {
        return (NodeSession) Proxy.newProxyInstance(
                OtherSystemTest.class.getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("node")) {
                        return node.name();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
