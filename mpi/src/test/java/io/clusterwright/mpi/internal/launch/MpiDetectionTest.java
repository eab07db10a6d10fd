package io.clusterwright.mpi.internal.launch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.job.MpiInstallation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MpiDetectionTest {

    @Test
    @Tag("breadth")
    void asksTheLaunchersOfThisSystem() {
        assertThat(MpiDetection.of(new LocalSession()).installations())
                .extracting(MpiInstallation::flavour, MpiInstallation::mpirun)
                .contains(
                        tuple(MpiFlavour.MPICH, "/usr/bin/mpirun.mpich"),
                        tuple(MpiFlavour.OPEN_MPI, "/usr/bin/mpirun.openmpi"));
    }

    @Test
    void listsAnInstallationOnceHoweverManyNamesItHas() {
        String text = """
                == /usr/bin/mpirun.openmpi
                /usr/bin/orterun
                mpirun.openmpi (OpenRTE) 4.1.4
                == /usr/bin/mpirun
                /usr/bin/orterun
                mpirun (Open MPI) 4.1.4
                """;

        assertThat(MpiDetection.read(text).installations())
                .containsExactly(new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun.openmpi"));
    }

    @Test
    void takesMpirunRshOfMvapich2BeforeItsHydra() {
        String text = """
                == /opt/mvapich2-2.3.7/bin/mpirun
                /opt/mvapich2-2.3.7/bin/mpiexec.hydra
                HYDRA build details:
                    Version:                                 3.2.1
                    Configure options:                       '--prefix=/opt/mvapich2-2.3.7'
                == /opt/mvapich2-2.3.7/bin/mpirun_rsh
                /opt/mvapich2-2.3.7/bin/mpirun_rsh
                Version: mvapich2-2.3.7
                """;
        MpiInstallation rsh = new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2-2.3.7/bin/mpirun_rsh");

        assertThat(MpiDetection.read(text).installations()).containsExactly(rsh);
        assertThat(MpiDetection.read(text).plain()).isEqualTo(rsh);
    }

    @Test
    void takesTheHydraOfMvapich2WhereThereIsNoOther() {
        String text = """
                == /opt/mvapich/bin/mpiexec.hydra
                /opt/mvapich/bin/mpiexec.hydra
                HYDRA build details:
                    Version:                                 3.2.1
                MVAPICH2 2.3.6 Mon March 29 22:00:00 EST 2021 ch3:mrail
                """;

        assertThat(MpiDetection.read(text).installations())
                .containsExactly(new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.6", "/opt/mvapich/bin/mpiexec.hydra"));
    }

    @Test
    void distinguishesRelativesOfOneLauncher() {
        String text = """
                == /opt/intel/oneapi/mpi/latest/bin/mpirun
                /opt/intel/oneapi/mpi/2021.11/bin/mpirun
                Intel(R) MPI Library for Linux* OS, Version 2021.11 Build 20231005 (id: 74c4a23)
                Copyright 2003-2023, Intel Corporation.
                == /opt/hpcx-v2.18/ompi/bin/mpirun
                /opt/hpcx-v2.18/ompi/bin/orterun
                mpirun (Open MPI) 4.1.7a1
                == /opt/mvapich2-2.3.7/bin/mpirun_rsh
                /opt/mvapich2-2.3.7/bin/mpirun_rsh
                Version: mvapich2-2.3.7
                == /usr/bin/mpiexec.hydra
                /usr/bin/mpiexec.hydra
                HYDRA build details:
                    Version:                                 4.0.2
                    Release Date:                            Thu Apr  7 12:34:45 CDT 2022
                """;

        assertThat(MpiDetection.read(text).installations())
                .extracting(MpiInstallation::toString)
                .containsExactly("Intel MPI 2021.11", "HPC-X 4.1.7a1", "MVAPICH2 2.3.7", "MPICH 4.0.2");
    }

    @Test
    void takesMvapich4ByItsFolderAndNotForMpich() {
        String text = """
                == /opt/mvapich-4.0/bin/mpiexec.hydra
                /opt/mvapich-4.0/bin/mpiexec.hydra
                HYDRA build details:
                    Version:                                 4.1.2
                """;

        assertThat(MpiDetection.read(text).installations()).singleElement().satisfies(mpi -> {
            assertThat(mpi.flavour()).isEqualTo(MpiFlavour.MVAPICH2);
            assertThat(mpi).hasToString("MVAPICH 4.0");
        });
    }

    @Test
    void givesEachInstallationTheVariablesOfTheScriptThatLeadsToIt() {
        String before = encode("PATH=/usr/bin", "HOME=/home/hpc", "SHLVL=1");
        String after = encode(
                "PATH=/opt/hpcx-v2/ompi/bin:/usr/bin",
                "HOME=/home/hpc",
                "SHLVL=2",
                "OPAL_PREFIX=/opt/hpcx-v2/ompi",
                "BASH_FUNC_module%%=() { :\n}",
                "LOADEDMODULES=mpi/hpcx");
        String text = "++ 0 /opt/hpcx-v2/ompi/bin/orterun " + before + " " + after + """

                == /opt/hpcx-v2/ompi/bin/mpirun
                /opt/hpcx-v2/ompi/bin/mpirun
                mpirun (Open MPI) 4.1.7
                == /opt/openmpi-5/bin/mpirun
                /opt/openmpi-5/bin/prterun
                mpirun (Open MPI) 5.0.8
                """;

        assertThat(MpiDetection.read(text).installations())
                .extracting(MpiInstallation::environment)
                .containsExactly(
                        Map.of("PATH", "/opt/hpcx-v2/ompi/bin:/usr/bin", "OPAL_PREFIX", "/opt/hpcx-v2/ompi"), Map.of());
    }

    private static String encode(String... variables) {
        return Base64.getEncoder().encodeToString(String.join("\0", variables).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void findsNothingInAnythingElse() {
        assertThat(MpiDetection.read("== /usr/bin/mpirun\n/usr/bin/mpirun\nerror: cannot open display\n")
                        .installations())
                .isEmpty();
        assertThat(MpiDetection.read("").installations()).isEmpty();
        assertThat(MpiDetection.read("").plain()).isNull();
        assertThat(MpiDetection.read("")).hasToString("no MPI is installed");
    }

    @Test
    @Tag("breadth")
    void namesTheLibraryOfEachAndWhichOneIsPlain() throws IOException {
        MpiDetection detection = MpiDetection.of(new LocalSession());

        assertThat(detection.installations()).hasSize(2).allSatisfy(mpi -> {
            Path library = Path.of(mpi.library().orElseThrow());
            assertThat(library).exists();
            assertThat(library.getFileName().toString())
                    .matches(mpi.flavour() == MpiFlavour.MPICH ? "libmpich\\.so\\.\\d+" : "libmpi\\.so\\.40");
        });
        Path target = Path.of("/usr/bin/mpirun").toRealPath();
        assertThat(Path.of(requireNonNull(detection.plain()).mpirun()).toRealPath())
                .isEqualTo(target);
        assertThat(detection.toString())
                .startsWith("several MPIs are installed: MPICH ")
                .endsWith("; plain mpirun is " + detection.plain());
    }

    @Test
    void distinguishesLibrariesOfOneFolder() {
        String libraries = "-- /opt/x/lib/libmpi.so.12\n-- /opt/x/lib/libmpi.so.40\n-- /opt/x/lib/libmpich.so.12\n";
        String text = "== /opt/x/bin/mpirun\n/opt/x/bin/orterun\nmpirun (Open MPI) 4.1.4\n" + libraries
                + "== /opt/x/bin/mpiexec.hydra\n/opt/x/bin/mpiexec.hydra\nHYDRA build details:\n    Version:  4.0.2\n"
                + libraries;

        assertThat(MpiDetection.read(text).installations())
                .extracting(mpi -> mpi.library().orElse(""))
                .containsExactly("/opt/x/lib/libmpi.so.40", "/opt/x/lib/libmpi.so.12");
        assertThat(requireNonNull(MpiDetection.read(text).plain()).flavour()).isEqualTo(MpiFlavour.OPEN_MPI);
    }

    @Test
    void saysWhenThereIsNoPlainLauncher() {
        String text = "== /usr/bin/mpirun.openmpi\n/usr/bin/orterun\nmpirun.openmpi (OpenRTE) 4.1.4\n";

        assertThat(MpiDetection.read(text).plain()).isNull();
        assertThat(MpiDetection.read(text)).hasToString("Open MPI 4.1.4 (/usr/bin/mpirun.openmpi) is installed");
    }
}
