package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An archive whose installer asks as Intel MPI 5's does: silent only with {@code --silent FILE}, and only for who accepts. */
@Tag("breadth")
class MpiArchiveTest {
    private static final String INSTALLER = """
            #!/bin/bash
            set -eu
            if [ "${1-}" != --silent ]; then read -r -p 'Do you accept the licence? ' answer; exit 1; fi
            . "$2"
            [ "$(id -u)" = 0 ] || { echo 'this installer wants to be root' >&2; exit 4; }
            [ "${ACCEPT_EULA-}" = accept ] || { echo 'the licence was not accepted' >&2; exit 5; }
            bin=$PSET_INSTALL_DIR/impi/5.0.3.048/bin64
            mkdir -p "$bin"
            printf '#!/bin/sh\\necho "Intel(R) MPI Library for Linux* OS, Version 5.0 Update 3"\\n' >"$bin/mpirun"
            chmod 755 "$bin/mpirun"
            echo "installed to $PSET_INSTALL_DIR"
            """;

    private static RealNodes nodes;
    private static Machine node;
    private static String sha256;

    @BeforeAll
    static void start() throws Exception {
        nodes = new RealNodes("sb-mpi", "10.77.0.0/16", spec -> spec.image(image -> image.capture(false)));
        node = nodes.boot(RealNodes.THIS_SYSTEM, 11).get(0);
        nodes.session(node);
        Path content = Files.createDirectories(nodes.folder().resolve("l_mpi_p_5.0.3.048"));
        Path script = Files.writeString(content.resolve("install.sh"), INSTALLER);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        Process tar = new ProcessBuilder("tar", "-czf", "mpi.tgz", "l_mpi_p_5.0.3.048")
                .directory(nodes.folder().toFile())
                .start();
        assertThat(tar.waitFor()).isZero();
        byte[] archive = Files.readAllBytes(nodes.folder().resolve("mpi.tgz"));
        sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    }

    @AfterAll
    static void stop() throws IOException {
        nodes.close();
    }

    private static void install(MpiSource source, String version) {
        nodes.progress.clear();
        MpiInstall.Builder mpi =
                MpiInstall.builder().flavour(MpiFlavour.INTEL_MPI).install(source);
        MpiInstall install =
                version.isEmpty() ? mpi.build() : mpi.version(version).build();
        nodes.backend.customize(
                nodes.session(node),
                nodes.spec.toBuilder()
                        .image(image -> image.customize(c -> c.mpi(install)))
                        .build(),
                nodes.feed(node),
                nodes.progress::add);
    }

    private static MpiSource archive(Map<String, String> answers) {
        return new MpiSource.Archive(URI.create("mpi.tgz"), sha256, answers);
    }

    @Test
    void installsWithoutQuestions() {
        install(archive(Map.of()), "5.0");

        assertThat(nodes.progress)
                .containsSubsequence(
                        "copying mpi.tgz",
                        "installing intel-mpi without questions",
                        "  installed to /opt/intel",
                        "intel-mpi is at /opt/intel/impi/5.0.3.048/bin64/mpirun");
        assertThat(nodes.output(node, "ls /tmp | grep -c clusterwright- || :")).isEqualTo("0");
    }

    @Test
    void takesTheVersionOfTheFolder() {
        install(archive(Map.of()), "5.0.3.048");

        assertThat(nodes.progress).contains("intel-mpi is at /opt/intel/impi/5.0.3.048/bin64/mpirun");
    }

    @Test
    void takesTheAnswersOfTheDescription() {
        install(archive(Map.of("PSET_INSTALL_DIR", "/opt/elsewhere")), "");

        assertThat(nodes.progress).contains("  installed to /opt/elsewhere");
        assertThatThrownBy(() -> install(archive(Map.of("ACCEPT_EULA", "decline")), ""))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("the installer of intel-mpi failed")
                .hasMessageContaining("the licence was not accepted")
                .hasMessageContaining("mpi.install.answers");
    }

    @Test
    void refusesAnotherVersion() {
        assertThatThrownBy(() -> install(archive(Map.of()), "2021.9"))
                .hasMessageContaining("is not intel-mpi 2021.9 (mpi.version)")
                .hasMessageContaining("Version 5.0 Update 3");
    }

    @Test
    void neverRunsAnArchiveWithAnotherDigest() {
        String wrong = "0".repeat(64);
        assertThatThrownBy(() -> install(new MpiSource.Archive(URI.create("mpi.tgz"), wrong, Map.of()), ""))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("has the SHA-256 " + sha256 + ", expected is " + wrong)
                .hasMessageContaining("nothing of it was run");
        assertThat(nodes.progress).doesNotContain("installing intel-mpi without questions");
    }

    @Test
    void acceptsAnMpiOfTheImage() {
        install(archive(Map.of()), "");
        install(MpiSource.image(), "");
        assertThat(nodes.progress).contains("intel-mpi is at /opt/intel/impi/5.0.3.048/bin64/mpirun");
    }

    /** The image of this system has packages of dpkg, not of rpm. */
    @Test
    void installsThePackagesOfTheImage() {
        nodes.outputAsRoot(node, """
                rm -rf /opt/intel /tmp/build
                mkdir -p /tmp/build/DEBIAN /tmp/build/opt/intel/impi/5.0.3.048/bin64 /opt/intelMPI/intel_mpi_packages
                printf 'Package: intel-mpi\\nVersion: 1\\nArchitecture: all\\nMaintainer: test <t@example.com>\\nDescription: MPI\\n' \\
                    >/tmp/build/DEBIAN/control
                printf '#!/bin/sh\\necho "Intel(R) MPI Library for Linux* OS, Version 5.0 Update 3"\\n' \\
                    >/tmp/build/opt/intel/impi/5.0.3.048/bin64/mpirun
                chmod 755 /tmp/build/opt/intel/impi/5.0.3.048/bin64/mpirun
                dpkg-deb -b /tmp/build /opt/intelMPI/intel_mpi_packages/intel-mpi.deb
                """);

        install(MpiSource.packages("/opt/intelMPI/intel_mpi_packages/*.deb"), "5.0.3.048");

        assertThat(nodes.progress).contains("intel-mpi is at /opt/intel/impi/5.0.3.048/bin64/mpirun");
        assertThat(nodes.outputAsRoot(
                        node, "dpkg-query -W -f '${db:Status-Status}' intel-mpi; dpkg -P intel-mpi >/dev/null"))
                .isEqualTo("installed");
    }

    @Test
    void namesAPatternWithoutMatches() {
        assertThatThrownBy(() -> install(MpiSource.packages("/opt/intelMPI/intel_mpi_packages/*.rpm"), ""))
                .hasMessageContaining("no file matches /opt/intelMPI/intel_mpi_packages/*.rpm")
                .hasMessageContaining("mpi.install.packages");
    }
}
