package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spi.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real package is installed below nodes that run, on a root file system that only this test has. */
@Tag("breadth")
class PackagesTest {
    private static final String PACKAGE = "clusterwright-test-package";
    private static final String PRIVATE_ROOT = """
            set -eu
            private=$1; shift
            mount -t tmpfs -o size=256m none "$private"
            mkdir "$private/up" "$private/work" "$private/root"
            mount -t overlay -o "lowerdir=/,upperdir=$private/up,workdir=$private/work" overlay "$private/root"
            for folder in proc sys dev run tmp; do mount --rbind "/$folder" "$private/root/$folder"; done
            cd "$private/root"
            pivot_root . mnt
            umount -l /mnt
            cd /
            exec "$@"
            """;

    @TempDir
    private Path folder;

    @Test
    void packagesThatChangeBelowRunningNodesAreNamed() throws Exception {
        Path own = Files.createDirectory(folder.resolve("private"));
        Path lab = Files.createDirectory(folder.resolve("lab"));
        List<String> lines = HostCommand.of(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "sh",
                        "-c",
                        PRIVATE_ROOT,
                        "sh",
                        own.toString(),
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-XX:TieredStopAtLevel=1",
                        Probe.class.getName(),
                        lab.toString(),
                        debianPackage().toString())
                .timeout(Duration.ofMinutes(2))
                .orThrow("probe")
                .lines()
                .toList();
        assertThat(lines)
                .containsExactly(
                        "booted: none",
                        "installed: packages of this machine were changed while nodes ran on it: " + PACKAGE
                                + "; the nodes may see a mixture of old and new files, and jobs may fail",
                        "wanted: true",
                        "stopped: none",
                        "started: none",
                        "the node has 1");
    }

    private Path debianPackage() throws Exception {
        Path tree = folder.resolve("package");
        Files.createDirectories(tree.resolve("DEBIAN"));
        Files.createDirectories(tree.resolve("usr/share/" + PACKAGE));
        Files.writeString(tree.resolve("usr/share/" + PACKAGE + "/version"), "1\n");
        Files.writeString(
                tree.resolve("DEBIAN/control"),
                "Package: " + PACKAGE + "\nVersion: 1\nArchitecture: all\nMaintainer: test <test@example.org>\n"
                        + "Description: a package of a test\n");
        Path built = folder.resolve("test.deb");
        HostCommand.of("dpkg-deb", "--build", "--root-owner-group", tree.toString(), built.toString())
                .orThrow("build");
        return built;
    }

    /** Boots a node on the root file system that it finds, and installs a package in that. */
    static final class Probe {
        public static void main(String[] arguments) throws Exception {
            try (Lab lab = new Lab("lm-packages", "10.71.0.0/16", Path.of(arguments[0]))) {
                Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
                say("booted: ", lab);
                HostCommand.of("dpkg", "-i", arguments[1]).orThrow("install");
                say("installed: ", lab);
                System.out.println("wanted: " + new PackagesCheck().wanted(lab.spec));
                lab.machines.stop(lab.cluster(), List.of(node));
                say("stopped: ", lab);
                lab.machines.start(lab.cluster(), List.of(node));
                say("started: ", lab);
                System.out.println("the node has " + lab.output(node, "cat /usr/share/" + PACKAGE + "/version"));
            }
        }

        private static void say(String moment, Lab lab) {
            Optional<Finding> finding = PackagesCheck.finding(lab.spec.name());
            System.out.println(moment + finding.map(Finding::message).orElse("none"));
        }
    }
}
