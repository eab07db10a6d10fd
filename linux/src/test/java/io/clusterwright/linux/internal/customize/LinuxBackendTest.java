package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.customize.Memlock.NodeLimits;
import io.clusterwright.linux.internal.packages.PackageManager;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole backend on real nodes, from a bare template to nodes that trust each other. */
@Tag("breadth")
class LinuxBackendTest {
    private static RealNodes nodes;
    private static Machine template;

    @BeforeAll
    static void start() {
        nodes = new RealNodes("sb-whole", "10.50.0.0/16", spec -> spec);
        template = nodes.boot(RealNodes.THIS_SYSTEM, 11).get(0);
        nodes.session(template);
    }

    @AfterAll
    static void stop() throws IOException {
        nodes.close();
    }

    private static ClusterSpec spec(Consumer<Customization.Builder> customize) {
        return nodes.spec.toBuilder()
                .image(image -> image.capture(false).customize(customize))
                .build();
    }

    private static void customize(Consumer<Customization.Builder> customize) {
        nodes.progress.clear();
        nodes.backend.customize(nodes.session(template), spec(customize), nodes.feed(template), nodes.progress::add);
    }

    private static void join(Consumer<Customization.Builder> customize) {
        nodes.backend.join(nodes.session(template), spec(customize), List.of(template), nodes.trust);
    }

    private static String onTemplate(String script) {
        return nodes.output(template, script);
    }

    private static String asRoot(String script) {
        return nodes.outputAsRoot(template, script);
    }

    @Nested
    class AnAccount {

        @Test
        void isMadeWithItsGroupsOnceOnly() {
            for (int i = 0; i < 2; i++) {
                customize(c -> c.user("alice", "hpc", "wing"));
            }
            assertThat(onTemplate("id -nG alice")).isEqualTo("alice hpc wing");
            assertThat(onTemplate("getent passwd alice")).endsWith(":/home/alice:/bin/bash");
            assertThat(nodes.progress).contains("user alice in hpc, wing");
        }

        @Test
        void takesTheLibrarysLoginAndTheClustersKey() {
            customize(c -> c.user("bob"));
            assertThat(asRoot("ls -A ~bob/.ssh 2>/dev/null || echo none"))
                    .as("an image has no keys of a cluster")
                    .isEqualTo("none");
            join(c -> c.user("bob"));
            try (NodeSession bob = nodes.connect(template, new UserName("bob"), nodes.loginKey)) {
                assertThat(bob.run(Command.shell("stat -c '%a %U %G' .ssh .ssh/id_ed25519 .ssh/authorized_keys"))
                                .orThrow()
                                .stdout())
                        .isEqualTo("700 bob bob\n600 bob bob\n600 bob bob\n");
                assertThat(bob.run(Command.of("ssh-keygen", "-y", "-f", ".ssh/id_ed25519"))
                                .orThrow()
                                .stdout()
                                .strip())
                        .isEqualTo(nodes.trust.clusterKey().publicKey().toString());
                assertThat(bob.run(Command.of("wc", "-l", ".ssh/authorized_keys"))
                                .stdout())
                        .startsWith("2 ");
            }
        }
    }

    @Nested
    class Packages {

        @Test
        void areInstalledWithoutStartingServices() {
            asRoot("rm -f /usr/sbin/policy-rc.d");
            customize(c -> c.packages("hello-traditional", "rsync"));

            assertThat(onTemplate("dpkg-query -W -f '${Status}\\n' rsync")).isEqualTo("install ok installed");
            assertThat(onTemplate("pgrep -x rsync || echo none")).isEqualTo("none");
            assertThat(onTemplate("ls /usr/sbin/policy-rc.d 2>/dev/null || echo none"))
                    .isEqualTo("none");
            assertThat(nodes.progress).contains("packages hello-traditional, rsync");
        }

        @Test
        void thatDoNotExistAreNamed() {
            asRoot("printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d");
            assertThatThrownBy(() -> customize(c -> c.packages("no-such-package-anywhere")))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("no-such-package-anywhere");
            assertThat(onTemplate("cat /usr/sbin/policy-rc.d")).isEqualTo("#!/bin/sh\nexit 0");
        }

        @Test
        void ofAnMpiOfTheDistributionAreFoundAfterwards() {
            customize(c -> c.mpi(MpiInstall.fromDistribution(MpiFlavour.MPICH)));

            assertThat(nodes.progress).contains("mpich is at /usr/bin/mpirun.mpich");
        }
    }

    @Nested
    class AnUpdate {

        @Test
        void installsSecurityUpdatesAndLeavesTheKernel() {
            ClusterSpec spec = spec(c -> c.updates(Updates.securityHoldingKernel()));
            holdAllPendingUpdatesBut(1);
            nodes.progress.clear();

            nodes.backend.update(nodes.session(template), spec, nodes.feed(template), nodes.progress::add);

            assertThat(nodes.progress).anyMatch(line -> line.contains("security updates"));
            assertThat(nodes.progress).anyMatch(line -> line.contains("kernel"));
            assertThat(PackageManager.APT.parseUpdates(
                            Updates.Install.SECURITY, true, onTemplate("LC_ALL=C apt-get -s -q dist-upgrade")))
                    .isEmpty();
        }

        /** However many this system misses, the test installs few. */
        private void holdAllPendingUpdatesBut(int few) {
            List<String> pending = PackageManager.APT.parseUpdates(
                    Updates.Install.ALL, false, onTemplate("LC_ALL=C apt-get -s -q dist-upgrade"));
            List<String> security = PackageManager.APT.parseUpdates(
                    Updates.Install.SECURITY, true, onTemplate("LC_ALL=C apt-get -s -q dist-upgrade"));
            List<String> held = pending.stream()
                    .filter(name -> !security.stream()
                            .filter(small -> !small.startsWith("lib"))
                            .limit(few)
                            .toList()
                            .contains(name))
                    .toList();
            asRoot("apt-mark hold " + String.join(" ", held) + " >/dev/null");
        }
    }

    @Nested
    class AMemlockRule {

        @Test
        void isInForceAtALoginOfItsUserAndOfRoot() {
            Consumer<Customization.Builder> wanted =
                    c -> c.user("carol", "hpc").memlock(MemlockRule.of("@hpc", "512"), MemlockRule.of("root", "1024"));
            customize(wanted);
            join(wanted);

            try (NodeSession carol = nodes.connect(template, new UserName("carol"), nodes.loginKey)) {
                assertThat(carol.run(Command.of("sh", "-c", "ulimit -S -l; ulimit -H -l"))
                                .stdout())
                        .isEqualTo("512\n512\n");
            }
            assertThat(asRoot("su root -c 'ulimit -l'")).isEqualTo("1024");
            assertThat(onTemplate("cat /etc/systemd/system.conf.d/99-clusterwright-memlock.conf"))
                    .isEqualTo("[Manager]\nDefaultLimitMEMLOCK=1048576");
            assertThat(onTemplate("stat -c '%a %U' /etc/security/limits.conf")).isEqualTo("644 root");
            assertThat(nodes.progress).contains("memlock of @hpc: 512 KiB");
        }

        @Test
        void isReducedToTheKernelsBoundWithANotice() {
            boolean mayRaise = NodeLimits.parse(asRoot(NodeLimits.SCRIPT)).mayRaise();
            customize(c -> c.user("dave", "hpc2").memlock(MemlockRule.of("@hpc2", "unlimited")));

            String limit = asRoot("su -s /bin/sh dave -c 'ulimit -l'");
            if (mayRaise) {
                assertThat(limit).isEqualTo("unlimited");
            } else {
                assertThat(nodes.progress)
                        .anyMatch(line ->
                                line.startsWith("memlock of @hpc2: " + limit + " KiB, the most this node's kernel")
                                        && line.endsWith("asked for was unlimited"));
            }
        }

        @Test
        void isWrittenAfterFilesWithOtherLimits() {
            asRoot("echo '@hpc3 - memlock 64' >/etc/security/limits.d/50-vendor.conf");
            customize(c -> c.user("erin", "hpc3").memlock(MemlockRule.of("@hpc3", "256")));

            assertThat(asRoot("su -s /bin/sh erin -c 'ulimit -l'")).isEqualTo("256");
        }

        @Test
        void replacesALineThatSwitchesItOffAndNamesSuchLinesOfOtherFiles() {
            asRoot("echo '@hpc4 -' >>/etc/security/limits.conf");
            customize(c -> c.user("finn", "hpc4").memlock(MemlockRule.of("@hpc4", "256")));
            assertThat(asRoot("su -s /bin/sh finn -c 'ulimit -l'")).isEqualTo("256");

            asRoot("echo '@hpc4 - # vendor' >/etc/security/limits.d/60-vendor.conf");
            assertThatThrownBy(() -> customize(c -> c.user("finn", "hpc4").memlock(MemlockRule.of("@hpc4", "128"))))
                    .hasMessageContaining("a login of finn has a limit of locked memory of ")
                    .hasMessageEndingWith(
                            " instead of 128; /etc/security/limits.conf was restored. A line with '-' alone"
                                    + " switches off all limits of its users. Remove:"
                                    + " /etc/security/limits.d/60-vendor.conf:@hpc4 - # vendor");
        }
    }

    @Nested
    class AFile {

        @Test
        void isWrittenAsRoot() throws IOException {
            Files.writeString(nodes.folder().resolve("solver.conf"), "threads = 4\n");
            customize(c -> c.addFile(
                    FileCopy.of("solver.conf", "/opt/app/etc/solver.conf").mode("0640")));

            assertThat(asRoot("stat -c '%a %U %G' /opt/app/etc/solver.conf; cat /opt/app/etc/solver.conf"))
                    .isEqualTo("640 root root\nthreads = 4");
            assertThat(onTemplate("ls /tmp | grep -c clusterwright- || :")).isEqualTo("0");
        }

        @Test
        void thatNamesTheRdmaNetworkIsRefused() throws IOException {
            Files.writeString(nodes.folder().resolve("net"), "auto eth1\n");
            assertThatThrownBy(() -> customize(c -> c.addFile(FileCopy.of("net", "/etc/network/interfaces"))))
                    .hasMessageContaining("eth1");
        }

        @Test
        void neverReplacesOneThatNamesTheRdmaNetwork() throws IOException {
            asRoot("mkdir -p /etc/network; echo 'auto eth1' >/etc/network/interfaces");
            Files.writeString(nodes.folder().resolve("net0"), "auto eth0\n");
            assertThatThrownBy(() -> customize(c -> c.addFile(FileCopy.of("net0", "/etc/network/interfaces"))))
                    .hasMessageContaining("eth1");
            assertThat(asRoot("cat /etc/network/interfaces")).isEqualTo("auto eth1");
        }
    }

    @Nested
    class AScript {

        @Test
        void runsAsRootWhenAskedAndItsOutputIsProgress() throws IOException {
            script("who.sh", "#!/bin/sh\nid -un\n");
            customize(c -> c.addScript(Script.of("who", "who.sh").sudo(true)));
            assertThat(nodes.progress).containsSubsequence("script who", "  root");

            customize(c -> c.addScript(Script.of("who", "who.sh")));
            assertThat(nodes.progress).containsSubsequence("script who", "  azureuser");
        }

        @Test
        void thatFailsIsNamedWithItsLastLines() throws IOException {
            script("bad.sh", "#!/bin/sh\necho one\necho 'the disk is full' >&2\nexit 9\n");
            assertThatThrownBy(() -> customize(c -> c.addScript(Script.of("bad", "bad.sh"))))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("script bad")
                    .hasMessageContaining("exit status 9")
                    .hasMessageContaining("the disk is full");
        }

        @Test
        void thatTakesTooLongIsEnded() throws IOException {
            script("slow.sh", "#!/bin/sh\necho waiting for godot\nsleep 1000\n");
            assertThatThrownBy(() -> customize(
                            c -> c.addScript(Script.of("slow", "slow.sh").timeout(Duration.ofMillis(500)))))
                    .hasMessageContaining("did not end within")
                    .hasMessageContaining("waiting for godot");
            assertThat(onTemplate("pgrep --runstates DRST -cx sleep || :")).isEqualTo("0");
        }

        @Test
        void withoutAnInterpreterIsRefused() throws IOException {
            script("none.sh", "echo hello\n");
            assertThatThrownBy(() -> customize(c -> c.addScript(Script.of("none", "none.sh"))))
                    .hasMessageContaining("start its first line with #!/bin/sh");
            script("dos.sh", "#!/bin/sh\r\necho hello\r\n");
            assertThatThrownBy(() -> customize(c -> c.addScript(Script.of("dos", "dos.sh"))))
                    .hasMessageContaining("Windows line ends");
        }

        private void script(String name, String text) throws IOException {
            Files.writeString(nodes.folder().resolve(name), text);
        }
    }
}
