package io.clusterwright.linux.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.linux.internal.packages.Packages.OsRelease;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackageManagerTest {
    private static final List<String> TWO = List.of("nfs-common", "gcc");

    @Nested
    class OfDebian {
        private static final String ALWAYS =
                "apt-get -y -q -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=60 ";
        private static final String STAGED = "-o Dpkg::Options::=--force-unsafe-io --no-download ";
        private final PackageManager apt = PackageManager.APT;

        @Test
        void installsAndUpdates() {
            assertThat(words(apt.refresh())).isEqualTo(ALWAYS + "update");
            assertThat(words(apt.install(TWO, Supply.ONLINE))).isEqualTo(ALWAYS + "install -- nfs-common gcc");
            assertThat(words(apt.install(TWO, Supply.STAGED))).isEqualTo(ALWAYS + STAGED + "install -- nfs-common gcc");
            assertThat(words(apt.update(Install.SECURITY, true, TWO, Supply.STAGED)))
                    .isEqualTo(ALWAYS + STAGED + "install --only-upgrade -- nfs-common gcc");
            assertThat(words(apt.installFiles(List.of("/opt/a.deb"))))
                    .isEqualTo("dpkg --force-depends --force-confdef --force-confold -i /opt/a.deb");
            assertThat(apt.environment())
                    .containsEntry("DEBIAN_FRONTEND", "noninteractive")
                    .containsEntry("NEEDRESTART_MODE", "a")
                    .containsEntry("UCF_FORCE_CONFFOLD", "1");
        }

        @Test
        void holdsTheKernelsThatAreInstalled() {
            String answer = """
                    install ok installed bash 5.2.15-2+b2
                    install ok installed linux-image-amd64 6.1.115-1
                    hold ok installed linux-image-6.1.0-27-amd64 6.1.115-1
                    install ok installed linux-headers-azure 6.5.0.1025.25
                    install ok installed linux-libc-dev 6.1.115-1
                    deinstall ok config-files linux-image-6.1.0-9-amd64 6.1.27-1
                    """;
            List<String> kernels = apt.parseKernels(answer);

            assertThat(kernels)
                    .containsExactly(
                            "linux-image-amd64 6.1.115-1",
                            "linux-image-6.1.0-27-amd64 6.1.115-1",
                            "linux-headers-azure 6.5.0.1025.25");
            assertThat(words(apt.holdKernel(true, kernels)))
                    .isEqualTo("apt-mark hold -- linux-image-amd64 linux-image-6.1.0-27-amd64 linux-headers-azure");
            assertThat(words(apt.holdKernel(false, kernels))).startsWith("apt-mark unhold -- linux-image-amd64");
            assertThat(apt.holdKernel(true, List.of())).isEmpty();
        }

        @Test
        void readsTheListOfUpdates() {
            String answer = """
                    Reading package lists...
                    Inst liblzma5 [5.4.1-1] (5.4.1-1+deb12u2 Debian-Security:12/oldstable-security [amd64])
                    Inst libcap2 [1:2.66-4+deb12u2+b2] (1:2.66-4+deb12u3+b1 Debian:12.15/oldstable [amd64]) []
                    Inst libgcrypt20 [1.10.1-3] (1.10.1-3+deb12u1 Debian:12.15/oldstable, Debian-Security:12/oldstable-security [amd64])
                    Inst libperl5.36 [5.36.0-7] (5.36.0-7+deb12u4 Debian-Security:12/oldstable-security [amd64]) [perl:amd64 ]
                    Inst linux-image-6.1.0-40-amd64 (6.1.153-1 Debian-Security:12/oldstable-security [amd64])
                    Inst linux-image-amd64 [6.1.115-1] (6.1.153-1 Debian-Security:12/oldstable-security [amd64])
                    Inst openssl [3.0.2-0ubuntu1.15] (3.0.2-0ubuntu1.18 Ubuntu:22.04/jammy-updates, Ubuntu:22.04/jammy-security [amd64])
                    Inst vim [2:8.2] (2:8.3 Ubuntu:22.04/jammy-updates [amd64])
                    Conf liblzma5 (5.4.1-1+deb12u2 Debian-Security:12/oldstable-security [amd64])
                    """;

            assertThat(apt.parseUpdates(Install.SECURITY, true, answer))
                    .containsExactly("liblzma5", "libgcrypt20", "libperl5.36", "openssl");
            assertThat(apt.parseUpdates(Install.SECURITY, false, answer)).contains("linux-image-amd64");
            assertThat(apt.parseUpdates(Install.ALL, true, answer))
                    .containsExactly("liblzma5", "libcap2", "libgcrypt20", "libperl5.36", "openssl", "vim");
        }

        @Test
        void knowsALockFromAFailure() {
            assertThat(apt.isLocked(100, "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7"))
                    .isTrue();
            assertThat(apt.isLocked(100, "E: Unable to locate package x")).isFalse();
        }
    }

    @Nested
    class OfSuse {
        private final PackageManager zypper = PackageManager.ZYPPER;

        @Test
        void installsAndUpdates() {
            assertThat(words(zypper.refresh())).isEqualTo("zypper --non-interactive refresh");
            assertThat(words(zypper.install(TWO, Supply.ONLINE)))
                    .isEqualTo("zypper --non-interactive install --auto-agree-with-licenses -- nfs-common gcc");
            assertThat(words(zypper.update(Install.SECURITY, true, TWO, Supply.ONLINE)))
                    .isEqualTo("zypper --non-interactive patch --category security --auto-agree-with-licenses");
            assertThat(words(zypper.update(Install.ALL, true, TWO, Supply.ONLINE)))
                    .isEqualTo("zypper --non-interactive update --auto-agree-with-licenses");
            assertThat(words(zypper.installFiles(List.of("/opt/intelMPI/a.rpm"))))
                    .isEqualTo("rpm -v -i --nodeps /opt/intelMPI/a.rpm");
        }

        @Test
        void holdsEveryKernelByALock() {
            assertThat(words(zypper.holdKernel(true, List.of()))).isEqualTo("zypper --non-interactive addlock kernel*");
            assertThat(words(zypper.holdKernel(false, List.of())))
                    .isEqualTo("zypper --non-interactive removelock kernel*");
        }

        @Test
        void readsItsTables() {
            String updates = """
                    S | Repository  | Name           | Current Version | Available Version | Arch
                    --+-------------+----------------+-----------------+-------------------+-------
                    v | SLES12-Pool | bash           | 4.2-75.2        | 4.2-81.1          | x86_64
                    v | SLES12-Pool | kernel-default | 3.12.39-47.1    | 3.12.48-52.27     | x86_64
                    """;
            assertThat(zypper.parseUpdates(Install.ALL, true, updates)).containsExactly("bash");
            assertThat(zypper.parseUpdates(Install.ALL, false, updates)).containsExactly("bash", "kernel-default");
            assertThat(zypper.parseUpdates(Install.ALL, true, "No updates found.\n"))
                    .isEmpty();
        }

        @Test
        void succeedsWhenARebootIsNeededAndWaitsForItsLock() {
            assertThat(zypper.succeeded(102)).isTrue();
            assertThat(zypper.succeeded(104)).isFalse();
            assertThat(zypper.wantsAnotherRun(103)).isTrue();
            assertThat(zypper.isLocked(7, "")).isTrue();
        }
    }

    @Nested
    class OfTheRedHatFamily {
        private final PackageManager dnf = PackageManager.DNF;
        private final PackageManager tdnf = PackageManager.TDNF;

        @Test
        void installsAndUpdates() {
            assertThat(words(dnf.install(TWO, Supply.ONLINE))).isEqualTo("dnf -y install nfs-common gcc");
            assertThat(words(dnf.install(TWO, Supply.STAGED))).isEqualTo("dnf -y --cacheonly install nfs-common gcc");
            assertThat(words(dnf.update(Install.SECURITY, true, TWO, Supply.ONLINE)))
                    .isEqualTo("dnf -y --exclude=kernel* upgrade --security");
            assertThat(words(dnf.update(Install.ALL, false, TWO, Supply.ONLINE)))
                    .isEqualTo("dnf -y upgrade");
            assertThat(words(tdnf.update(Install.ALL, true, TWO, Supply.ONLINE)))
                    .isEqualTo("tdnf -y --exclude kernel* update");
            assertThat(words(tdnf.refresh())).isEqualTo("tdnf -y makecache");
        }

        @Test
        void readsTheListOfUpdates() {
            String answer = """

                    bash.x86_64                 5.1.8-9.el9       baseos
                    python3.11-libs.x86_64      3.11.9-7.el9      appstream
                    kernel-core.x86_64          5.14.0-503.el9    baseos
                    Obsoleting Packages
                    dnf-data.noarch             4.14.0-17.el9     baseos
                    """;
            assertThat(dnf.parseUpdates(Install.ALL, true, answer)).containsExactly("bash", "python3.11-libs");
            assertThat(dnf.parseUpdates(Install.ALL, false, answer)).hasSize(3);
            assertThat(dnf.succeeded(100)).isTrue();
        }

        @Test
        void readsItsKernels() {
            assertThat(words(dnf.listKernels()))
                    .isEqualTo("rpm -qa --qf %{NAME} %{VERSION}-%{RELEASE}.%{ARCH}\\n kernel*");
            assertThat(dnf.parseKernels("kernel-core 5.14.0-1.x86_64\nkernel 5.14.0-1.x86_64\n"))
                    .containsExactly("kernel 5.14.0-1.x86_64", "kernel-core 5.14.0-1.x86_64");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mpich,    mpich,       mpich,     mpich,   mpich",
        "open-mpi, openmpi-bin, openmpi4,  openmpi, openmpi",
        "mvapich2, '',          mvapich2,  mvapich2, ''",
        "intel-mpi,'',          '',        '',      ''",
    })
    void namesThePackagesOfAnMpi(String flavour, String apt, String zypper, String dnf, String tdnf) {
        MpiFlavour mpi =
                MpiFlavour.valueOf(flavour.toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
        assertThat(words(PackageManager.APT.mpi(mpi))).isEqualTo(apt);
        assertThat(words(PackageManager.ZYPPER.mpi(mpi))).isEqualTo(zypper);
        assertThat(words(PackageManager.DNF.mpi(mpi))).isEqualTo(dnf);
        assertThat(words(PackageManager.TDNF.mpi(mpi))).isEqualTo(tdnf);
    }

    @Test
    void namesThePackagesOfSlurm() {
        assertThat(PackageManager.APT.slurm()).contains("slurmctld", "slurmd", "slurm-client", "munge");
        assertThat(PackageManager.ZYPPER.slurm()).contains("slurm", "slurm-node", "munge");
        assertThat(PackageManager.DNF.slurm()).contains("slurm-slurmctld", "slurm-slurmd", "munge");
        assertThat(PackageManager.TDNF.slurm()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "debian,     '',                    apt",
        "ubuntu,     debian,                apt",
        "linuxmint,  'ubuntu debian',       apt",
        "sles,       '',                    zypper",
        "sle_hpc,    suse,                  zypper",
        "opensuse-leap, 'suse opensuse',    zypper",
        "almalinux,  'rhel centos fedora',  dnf",
        "rhel,       fedora,                dnf",
        "azurelinux, fedora,                tdnf",
        "mariner,    '',                    tdnf",
    })
    void isChosenByTheDistribution(String id, String like, String manager) {
        OsRelease system = OsRelease.parse("ID=" + id + "\nID_LIKE=\"" + like + "\"\nPRETTY_NAME='Some System 1'\n");
        assertThat(system.packageManager()).map(PackageManager::toString).hasValue(manager);
        assertThat(system.prettyName()).isEqualTo("Some System 1");
    }

    @Test
    void refusesAnUnknownDistribution() {
        assertThat(OsRelease.parse("ID=gentoo\n").packageManager()).isEmpty();
    }

    private static String words(List<String> words) {
        return String.join(" ", words);
    }
}
