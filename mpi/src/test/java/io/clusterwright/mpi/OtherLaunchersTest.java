package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.MpirunRshLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.Binding;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Launchers that no package of this system has, and the words for binding of all. */
class OtherLaunchersTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");
    private static final MpiInstallation OPEN_MPI_5 =
            new MpiInstallation(MpiFlavour.OPEN_MPI, "5.0.3", "/opt/openmpi-5/bin/mpirun");
    private static final MpiInstallation RSH =
            new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2/bin/mpirun_rsh");
    private static final MpiInstallation MVAPICH2_HYDRA =
            new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2/bin/mpiexec.hydra");
    private static final List<String> SOLVER = List.of("/opt/app/solver", "case.xml");

    @Nested
    class Prrte {
        private final OpenMpiLauncher launcher = new OpenMpiLauncher();

        @Test
        void writesItsCommand() {
            LaunchCommand command = launcher.command(
                    request(OPEN_MPI_5, SOLVER, Binding.SOCKET, LaunchOption.LABEL_RANKS, LaunchOption.AS_ROOT));

            assertThat(command.arguments()).isEqualTo(Words.of("""
                            /opt/openmpi-5/bin/mpirun --allow-run-as-root --prtemca plm_ssh_agent
                            /tmp/cwjob-0123456789abcdef/ssh:ssh --prtemca plm_ssh_no_tree_spawn 1
                            --prtemca prte_tmpdir_base /tmp/cwjob-0123456789abcdef --mca btl_tcp_if_include
                            10.32.0.0/24 --prtemca oob_tcp_if_include 10.32.0.0/24 --hostfile
                            /tmp/cwjob-0123456789abcdef/hostfile -n 3 --map-by ppr:2:node
                            --bind-to package --output tag -x CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef
                            -x OMP_NUM_THREADS /opt/app/solver case.xml
                            """));
            assertThat(command.files().get("hostfile")).isEqualTo("10.32.0.11 slots=2\n10.32.0.12 slots=2\n");
        }

        @ParameterizedTest
        @CsvSource({"5.0.3, true", "10.0, true", "1.10.7, false"})
        void knowsItsVersions(String version, boolean known) {
            assertThat(launcher.supports(new MpiInstallation(MpiFlavour.OPEN_MPI, version, "/usr/bin/mpirun")))
                    .isEqualTo(known);
        }

        @ParameterizedTest
        @ValueSource(strings = {"[1,3]<stdout>:", "[1,3]<stderr>: ", "[prterun-node1-77@1,3]<stdout>: "})
        void readsTheRankOfALabel(String label) {
            var matcher = launcher.rankLabel(request(OPEN_MPI_5, SOLVER, Binding.DEFAULT))
                    .orElseThrow()
                    .matcher(label);

            assertThat(matcher.matches()).isTrue();
            assertThat(matcher.group(1)).isEqualTo("3");
        }
    }

    @Nested
    class MpirunRsh {
        private final MpirunRshLauncher launcher = new MpirunRshLauncher();

        @Test
        void writesItsCommand() {
            LaunchCommand command = launcher.command(request(RSH, SOLVER, Binding.CORE));

            assertThat(command.arguments()).isEqualTo(Words.of("""
                            /opt/mvapich2/bin/mpirun_rsh -ssh -np 3 -hostfile /tmp/cwjob-0123456789abcdef/hostfile
                            CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef MV2_CPU_BINDING_LEVEL=core OMP_NUM_THREADS=2
                            /opt/app/solver case.xml
                            """));
            assertThat(command.files()).containsExactly(entry("hostfile", "10.32.0.11:2\n10.32.0.12:2\n"));
            assertThat(command.programs()).isEmpty();
        }

        @Test
        void doesNotBindOnASharedMachine() {
            assertThat(launcher.command(request(RSH, SOLVER, Binding.DEFAULT, LaunchOption.SHARED_MACHINE))
                            .arguments())
                    .contains("MV2_ENABLE_AFFINITY=0");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a b", "it's", "$HOME", "a;b", "", "line\nbreak", "µ", "\\", "*", "~"})
        void refusesWhatItsShellWouldChange(String argument) {
            assertThatThrownBy(
                            () -> launcher.command(request(RSH, List.of("/opt/app/solver", argument), Binding.DEFAULT)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("\" is not a valid argument for mpirun_rsh")
                    .hasMessageContaining("mpiexec.hydra");
        }

        @Test
        void refusesStandardInput() {
            assertThatThrownBy(() -> launcher.command(request(RSH, SOLVER, Binding.DEFAULT, LaunchOption.STDIN)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("standard input to rank 0");
        }

        @Test
        void refusesAProgramThatLooksLikeAVariable() {
            assertThatThrownBy(() -> launcher.command(request(RSH, List.of("./a=b"), Binding.DEFAULT)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("\"./a=b\" is not a valid program for mpirun_rsh");
        }

        @Test
        void leavesHydraToHydra() {
            assertThat(launcher.supports(RSH)).isTrue();
            assertThat(launcher.supports(MVAPICH2_HYDRA)).isFalse();
            assertThat(new HydraLauncher().supports(MVAPICH2_HYDRA)).isTrue();
            assertThat(new HydraLauncher().supports(RSH)).isFalse();
        }
    }

    @Nested
    class Bind {
        @ParameterizedTest
        @CsvSource({
            "MPICH, 4.0.2, NONE, -bind-to none",
            "MPICH, 4.0.2, SOCKET, -bind-to socket",
            "INTEL_MPI, 2021.11, NONE, -genv I_MPI_PIN 0",
            "INTEL_MPI, 2021.11, CORE, -genv I_MPI_PIN_DOMAIN core",
            "MVAPICH2, 2.3.7, SOCKET, -genv MV2_CPU_BINDING_LEVEL socket",
        })
        void hasTheWordsOfEachHydra(MpiFlavour flavour, String version, Binding binding, String words) {
            MpiInstallation mpi = new MpiInstallation(flavour, version, "/usr/bin/mpiexec.hydra");

            List<String> argv =
                    new HydraLauncher().command(request(mpi, SOLVER, binding)).arguments();

            assertThat(Collections.indexOfSubList(argv, List.of(words.split(" "))))
                    .isPositive()
                    .isLessThan(argv.indexOf("/opt/app/solver"));
            assertThat(argv.contains("-bind-to")).isEqualTo(words.startsWith("-bind-to"));
            assertThat(argv.contains("-print-all-exitcodes")).isEqualTo(flavour == MpiFlavour.MPICH);
        }

        @ParameterizedTest
        @CsvSource({"NONE, none", "CORE, core", "SOCKET, socket", "NUMA, numa", "L3, l3cache", "DEFAULT, none"})
        void hasTheWordsOfOpenMpi4(Binding binding, String word) {
            MpiInstallation mpi = new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun.openmpi");

            List<String> argv = new OpenMpiLauncher()
                    .command(request(mpi, SOLVER, binding, LaunchOption.SHARED_MACHINE))
                    .arguments();

            assertThat(argv.get(argv.indexOf("--bind-to") + 1)).isEqualTo(word);
        }

        @Test
        void isNotSaidTwice() {
            MpiInstallation mpi = new MpiInstallation(MpiFlavour.INTEL_MPI, "2021.11", "/opt/x/mpirun");
            LaunchRequest request = request(mpi, SOLVER, Binding.CORE, Map.of("I_MPI_PIN_DOMAIN", "numa"), Set.of());

            assertThatThrownBy(() -> new HydraLauncher().command(request))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "\"numa\" is not a valid value of I_MPI_PIN_DOMAIN beside binding CORE of Intel MPI 2021.11:"
                                    + " allowed is the value of the binding, or a job without one of the two, for example core");
        }
    }

    private static LaunchRequest request(
            MpiInstallation mpi, List<String> program, Binding binding, LaunchOption... options) {
        return request(mpi, program, binding, Map.of("OMP_NUM_THREADS", "2"), Set.of(options));
    }

    private static LaunchRequest request(
            MpiInstallation mpi,
            List<String> program,
            Binding binding,
            Map<String, String> environment,
            Set<LaunchOption> options) {
        return LaunchRequest.of(
                        mpi,
                        List.of(
                                new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 2),
                                new LaunchNode(NodeName.of("cluster12"), Ipv4Address.of("10.32.0.12"), 2)),
                        FOLDER,
                        program)
                .ranks(3)
                .environment(environment)
                .networks(List.of(AddressRange.of("10.32.0.0/24")))
                .options(options)
                .binding(binding);
    }
}
