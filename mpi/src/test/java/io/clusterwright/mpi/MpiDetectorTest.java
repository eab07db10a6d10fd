package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.spec.MpiFlavour;
import org.junit.jupiter.api.Test;

class MpiDetectorTest {

    @Test
    void asksTheLaunchersOfThisSystem() {
        assertThat(MpiDetector.detect(new LocalSession()))
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

        assertThat(MpiDetector.parse(text))
                .containsExactly(new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun.openmpi"));
    }

    @Test
    void tellsTheKinsOfOneLauncherApart() {
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

        assertThat(MpiDetector.parse(text))
                .extracting(MpiInstallation::toString)
                .containsExactly("Intel MPI 2021.11", "HPC-X 4.1.7a1", "MVAPICH2 2.3.7", "MPICH 4.0.2");
    }

    @Test
    void findsNothingInAnythingElse() {
        assertThat(MpiDetector.parse("== /usr/bin/mpirun\n/usr/bin/mpirun\nerror: cannot open display\n"))
                .isEmpty();
        assertThat(MpiDetector.parse("")).isEmpty();
    }
}
