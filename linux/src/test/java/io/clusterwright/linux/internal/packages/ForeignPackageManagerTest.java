package io.clusterwright.linux.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.linux.internal.customize.RealNodes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The managers of other distributions exist as packages of Debian: without a repository they can do nothing but understand us. */
@Tag("breadth")
class ForeignPackageManagerTest {
    private static final int ZYPPER_SYNTAX_ERROR = 2;
    private static final int ZYPPER_INVALID_ARGUMENTS = 3;

    private static RealNodes nodes;
    private static Machine node;

    @BeforeAll
    static void start() {
        nodes = new RealNodes(
                "sb-rpm",
                "10.54.0.0/16",
                spec -> spec.image(image -> image.capture(false).customize(c -> c.packages("zypper", "dnf", "rpm"))));
        node = nodes.boot(RealNodes.THIS_SYSTEM, 11).get(0);
        nodes.backend.customize(nodes.session(node), nodes.spec, nodes.feed(node), nodes.progress::add);
    }

    @AfterAll
    static void stop() throws IOException {
        nodes.close();
    }

    private static CommandResult run(List<String> words) {
        return nodes.session(node).run(Command.of(words).elevate().environment("LC_ALL", "C"));
    }

    @Test
    void zypperUnderstandsEveryCommand() {
        PackageManager zypper = PackageManager.ZYPPER;
        for (List<String> words : List.of(
                zypper.refresh(),
                zypper.install(List.of("bash"), Supply.ONLINE),
                zypper.install(List.of("bash"), Supply.STAGED),
                zypper.listUpdates(Install.ALL),
                zypper.listUpdates(Install.SECURITY),
                zypper.update(Install.ALL, true, List.of("bash"), Supply.ONLINE),
                zypper.update(Install.SECURITY, true, List.of("bash"), Supply.ONLINE))) {
            CommandResult result = run(words);
            assertThat(result.exitStatus())
                    .as("%s: %s%s", words, result.stdout(), result.stderr())
                    .isNotIn(ZYPPER_SYNTAX_ERROR, ZYPPER_INVALID_ARGUMENTS);
        }
    }

    /** Builds a package without files in this folder. */
    private static void build(String name, String folder) {
        nodes.outputAsRoot(node, """
                mkdir -p %2$s
                printf '%%s\\n' 'Name: %1$s' 'Version: 1' 'Release: 1' 'Summary: %1$s' 'License: none' 'BuildArch: noarch' \\
                    'Provides: glibc' '%%description' '%1$s' '%%files' >/tmp/%1$s.spec
                rpmbuild -bb --define '_rpmdir %2$s' --define '_topdir /tmp/build' /tmp/%1$s.spec 2>&1
                """.formatted(name, folder));
    }

    @Test
    void zypperInstallsTheNfsUtilities() {
        build("nfs-client", "/tmp/repository");
        nodes.outputAsRoot(
                node,
                "zypper --non-interactive --no-gpg-checks addrepo --no-gpgcheck --type plaindir /tmp/repository/noarch nfs");

        CommandResult result = run(PackageManager.ZYPPER.install(List.of("nfs-client"), Supply.ONLINE));

        assertThat(result.exitStatus()).as(result.stdout() + result.stderr()).isZero();
        assertThat(
                        nodes.outputAsRoot(
                                node,
                                "zypper --non-interactive search --installed-only nfs-client; zypper removerepo nfs >/dev/null"))
                .containsPattern("i\\+? +\\| nfs-client +\\|");
    }

    @Test
    void rpmInstallsTheFilesOfIntelMpi() {
        build("intel-mpi", "/opt/intelMPI/intel_mpi_packages");
        List<String> words = PackageManager.ZYPPER.installFiles(
                List.of("/opt/intelMPI/intel_mpi_packages/noarch/intel-mpi-1-1.noarch.rpm"));

        CommandResult result = run(words);

        assertThat(String.join(" ", words)).startsWith("rpm -v -i --nodeps /opt/intelMPI/intel_mpi_packages/");
        assertThat(result.exitStatus()).as(result.stdout() + result.stderr()).isZero();
        assertThat(nodes.outputAsRoot(node, "rpm -q intel-mpi")).isEqualTo("intel-mpi-1-1.noarch");
    }

    @Test
    void zypperLocksTheKernelAndReleasesIt() {
        assertThat(run(PackageManager.ZYPPER.holdKernel(true, List.of())).exitStatus())
                .isZero();
        assertThat(run(List.of("zypper", "--non-interactive", "locks")).stdout())
                .contains("kernel*");
        assertThat(run(PackageManager.ZYPPER.holdKernel(false, List.of())).exitStatus())
                .isZero();
        assertThat(run(List.of("zypper", "--non-interactive", "locks")).stdout())
                .doesNotContain("kernel*");
    }

    @Test
    void dnfUnderstandsEveryCommand() {
        PackageManager dnf = PackageManager.DNF;
        for (List<String> words : List.of(
                dnf.refresh(),
                dnf.install(List.of("bash"), Supply.ONLINE),
                dnf.install(List.of("bash"), Supply.STAGED),
                dnf.listUpdates(Install.ALL),
                dnf.listUpdates(Install.SECURITY),
                dnf.update(Install.ALL, true, List.of("bash"), Supply.ONLINE),
                dnf.update(Install.SECURITY, true, List.of("bash"), Supply.STAGED))) {
            CommandResult result = run(words);
            assertThat(result.stdout() + result.stderr())
                    .as("%s", words)
                    .doesNotContain("usage:", "unrecognized arguments", "No such command");
        }
    }

    @Test
    void rpmListsKernelsWithTheirVersions() {
        CommandResult result = run(PackageManager.DNF.listKernels());

        assertThat(result.exitStatus()).as(result.stderr()).isZero();
        assertThat(PackageManager.DNF.parseKernels(result.stdout())).isEmpty();
    }
}
