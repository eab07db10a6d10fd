package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.engine.JobDescription;
import io.clusterwright.mpi.internal.engine.RankLayout;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.MpirunRshLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.Launcher;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of all launchers, those that no package of this system has among them, and their words for binding. */
class LaunchersTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");
    private static final MpiInstallation MPICH =
            new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun.mpich");
    private static final MpiInstallation OPEN_MPI =
            new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun.openmpi");

    private static final MpiInstallation OPEN_MPI_5 =
            new MpiInstallation(MpiFlavour.OPEN_MPI, "5.0.3", "/opt/openmpi-5/bin/mpirun");
    private static final MpiInstallation RSH =
            new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2/bin/mpirun_rsh");
    private static final MpiInstallation MVAPICH2_HYDRA =
            new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2/bin/mpiexec.hydra");
    private static final List<String> SOLVER = List.of("/opt/app/solver", "case.xml");

    @Test
    void areFoundByServiceLoader() {
        assertThat(ServiceLoader.load(Launcher.class))
                .extracting(launcher -> launcher.getClass().getSimpleName())
                .contains("HydraLauncher", "OpenMpiLauncher", "MpirunRshLauncher");
    }

    @Nested
    class Hydra {
        private final HydraLauncher launcher = new HydraLauncher();

        @Test
        void writesItsCommand() {
            LaunchCommand command = launcher.command(request(MPICH, Set.of(LaunchOption.LABEL_RANKS)));

            assertThat(command.arguments()).isEqualTo(Words.of("""
                            /usr/bin/mpirun.mpich -launcher ssh -launcher-exec /tmp/cwjob-0123456789abcdef/ssh
                            -f /tmp/cwjob-0123456789abcdef/hostfile -n 4 -print-all-exitcodes
                            -prepend-pattern <cwjob-0123456789abcdef:%r>
                            -genv CLUSTERWRIGHT_JOB cwjob-0123456789abcdef -wdir `/data/case 1` /opt/app/solver case.xml
                            -n
                            """));
            assertThat(command.environment()).containsOnly(entry("OMP_NUM_THREADS", "2"), entry("EMPTY", ""));
        }

        @Test
        void stagesItsHostfileAndAgent() {
            LaunchCommand command = launcher.command(request(MPICH, Set.of()));

            assertThat(command.files()).containsExactly(entry("hostfile", "10.32.0.11:2\n10.32.0.12:2\n"));
            assertThat(command.programs()).containsOnlyKeys("ssh");
            assertThat(command.arguments()).doesNotContain("-prepend-pattern");
        }

        @Test
        void putsAShellThatReportsItsEndBeforeEachRank() {
            LaunchRequest request = request(MPICH, Set.of(LaunchOption.REPORT_ENDS));

            assertThat(launcher.command(request).arguments())
                    .endsWith(
                            "/bin/sh",
                            "-c",
                            "[ ! -r \"$0\" ] || . \"$0\"; eval \"${CLUSTERWRIGHT_RANK-}\"; exec \"$@\"",
                            "/tmp/cwjob-0123456789abcdef/rank",
                            "/opt/app/solver",
                            "case.xml",
                            "-n");
        }

        @Test
        void givesTheSlotsOfEachHostToIntelMpi() {
            MpiInstallation intel = new MpiInstallation(MpiFlavour.INTEL_MPI, "2021.11", "/opt/x/mpirun");
            LaunchCommand command = launcher.command(request(intel, Set.of()));

            assertThat(command.arguments())
                    .containsSubsequence("-machinefile", "/tmp/cwjob-0123456789abcdef/hostfile", "-n", "4")
                    .doesNotContain("-f");
            assertThat(command.files()).containsExactly(entry("hostfile", "10.32.0.11:2\n10.32.0.12:2\n"));
        }

        @Test
        void knowsMpichAndIntelMpi() {
            assertThat(launcher.supports(MPICH)).isTrue();
            assertThat(launcher.supports(new MpiInstallation(MpiFlavour.INTEL_MPI, "2021.11", "/opt/x/mpirun")))
                    .isTrue();
            assertThat(launcher.supports(OPEN_MPI)).isFalse();
        }
    }

    @Nested
    class OpenMpi {
        private final OpenMpiLauncher launcher = new OpenMpiLauncher();

        @Test
        void writesItsCommand() {
            LaunchCommand command = launcher.command(request(
                    OPEN_MPI, Set.of(LaunchOption.LABEL_RANKS, LaunchOption.AS_ROOT, LaunchOption.SHARED_MACHINE)));

            assertThat(command.arguments()).isEqualTo(Words.of("""
                            /usr/bin/mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent
                            /tmp/cwjob-0123456789abcdef/ssh:ssh --mca plm_rsh_no_tree_spawn 1
                            --mca orte_leave_session_attached 1
                            --mca orte_tmpdir_base /tmp/cwjob-0123456789abcdef --mca btl_tcp_if_include 10.32.0.0/24
                            --mca oob_tcp_if_include 10.32.0.0/24 --hostfile /tmp/cwjob-0123456789abcdef/hostfile
                            -n 4 --map-by ppr:2:node --bind-to none --mca mpi_yield_when_idle 1
                            --tag-output --wdir `/data/case 1` -x CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef
                            -x OMP_NUM_THREADS -x EMPTY /opt/app/solver case.xml -n
                            """));
            assertThat(command.files().get("hostfile")).isEqualTo("10.32.0.11 slots=2\n10.32.0.12 slots=2\n");
        }

        @Test
        void theVariablesOfItsInstallationReachLauncherAndRanks() {
            MpiInstallation hpcX = new MpiInstallation(
                    MpiFlavour.HPC_X,
                    "4.1.7",
                    "/opt/hpcx/ompi/bin/mpirun",
                    Optional.empty(),
                    Map.of("OPAL_PREFIX", "/opt/hpcx/ompi", "LD_LIBRARY_PATH", "/opt/hpcx/ompi/lib"));
            LaunchCommand command = launcher.command(request(hpcX, Set.of())
                    .environment(Map.of("LD_LIBRARY_PATH", "/opt/app/lib", "OMP_NUM_THREADS", "2")));

            assertThat(command.environment())
                    .isEqualTo(Map.of(
                            "OPAL_PREFIX",
                            "/opt/hpcx/ompi",
                            "LD_LIBRARY_PATH",
                            "/opt/hpcx/ompi/lib",
                            "OMP_NUM_THREADS",
                            "2"));
            assertThat(command.arguments())
                    .containsSubsequence("-x", "OPAL_PREFIX")
                    .containsSubsequence("-x", "LD_LIBRARY_PATH=/opt/app/lib:/opt/hpcx/ompi/lib");
            assertThat(launcher.command(request(hpcX.withoutEnvironment(), Set.of()))
                            .environment())
                    .containsOnlyKeys("OMP_NUM_THREADS", "EMPTY");
        }

        @Test
        void ranksYieldOnASharedMachineUnlessTheJobSaysOtherwise() {
            LaunchRequest shared = request(OPEN_MPI, Set.of(LaunchOption.SHARED_MACHINE));

            assertThat(launcher.command(request(OPEN_MPI, Set.of())).arguments())
                    .doesNotContain("mpi_yield_when_idle");
            assertThat(launcher.command(shared).arguments()).containsSubsequence("--mca", "mpi_yield_when_idle", "1");
            assertThat(launcher.command(shared.environment(Map.of("OMPI_MCA_mpi_yield_when_idle", "0")))
                            .arguments())
                    .doesNotContain("mpi_yield_when_idle");
            assertThat(launcher.command(shared.launcherArguments(List.of("--mca", "mpi_yield_when_idle", "0")))
                            .arguments())
                    .containsSubsequence("mpi_yield_when_idle", "0")
                    .containsOnlyOnce("mpi_yield_when_idle");
        }

        @Test
        void daemonsSearchNoDevicesOnASharedMachine() {
            LaunchCommand shared = launcher.command(
                    request(OPEN_MPI, Set.of(LaunchOption.SHARED_MACHINE, LaunchOption.OVER_SESSIONS)));
            LaunchCommand ordinary = launcher.command(request(OPEN_MPI, Set.of(LaunchOption.OVER_SESSIONS)));

            assertThat(shared.arguments())
                    .containsSubsequence("orte_launch_agent", "env HWLOC_COMPONENTS=-pci,-linuxio,-opencl,-gl orted");
            assertThat(shared.environment()).containsEntry("HWLOC_COMPONENTS", "-pci,-linuxio,-opencl,-gl");
            assertThat(ordinary.arguments()).doesNotContain("orte_launch_agent");
            assertThat(ordinary.environment()).doesNotContainKey("HWLOC_COMPONENTS");
        }

        @Test
        void leavesBindingAndRootAloneOnOrdinaryNodes() {
            assertThat(launcher.command(request(OPEN_MPI, Set.of())).arguments())
                    .doesNotContain("--bind-to", "--allow-run-as-root", "--tag-output");
        }

        @ParameterizedTest
        @CsvSource({"4.1.4, true", "3.1.6, true", "5.0.3, true", "10.0, true", "1.10.7, false"})
        void knowsItsVersions(String version, boolean known) {
            assertThat(launcher.supports(new MpiInstallation(MpiFlavour.OPEN_MPI, version, "/usr/bin/mpirun")))
                    .isEqualTo(known);
        }
    }

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
                            10.32.0.0/24 --prtemca prte_if_include 10.32.0.0/24 --hostfile
                            /tmp/cwjob-0123456789abcdef/hostfile -n 3 --map-by ppr:2:node
                            --bind-to package --output tag -x CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef
                            -x OMP_NUM_THREADS /opt/app/solver case.xml
                            """));
            assertThat(command.files().get("hostfile")).isEqualTo("10.32.0.11 slots=2\n10.32.0.12 slots=2\n");
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
                    .hasMessageContaining("mpirun_rsh cannot pass the argument ")
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
                    .hasMessageContaining("mpirun_rsh takes the program \"./a=b\" for a variable");
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
                    .hasMessage("binding core of Intel MPI 2021.11 sets I_MPI_PIN_DOMAIN=core, and the job sets"
                            + " I_MPI_PIN_DOMAIN=numa: remove the binding or the variable");
        }
    }

    @Nested
    class Refused {
        @Test
        void refusesRanksOfSeveralProgramsByDomainOfOpenMpi() {
            LaunchRequest request = PlacementTest.request(OPEN_MPI, Binding.NUMA, 2, Binding.CORE, 1)
                    .parts(List.of(new LaunchPart(10, List.of("/bin/true")), new LaunchPart(6, List.of("/bin/false"))));

            assertThatThrownBy(() -> new OpenMpiLauncher().command(request))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "Open MPI cannot count the ranks of several programs by numa: set the ranks of each node"
                                    + " (example: --ppn 4, or ranksPerNode(4))");
        }

        @Test
        void refusesAProgramThatLooksLikeAnOption() {
            assertThatThrownBy(() -> MpiJob.of("-np"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "invalid program \"-np\": use a name or path that does not start with '-' (example: ./-np)");
        }

        @Test
        void refusesANulCharacter() {
            assertThatThrownBy(() -> MpiJob.of("/bin/echo", "a\0b"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("invalid argument of /bin/echo ", "without a NUL character");
        }

        @Test
        void refusesAnInvalidVariable() {
            assertThatThrownBy(() -> MpiJob.of("/bin/echo").environment("A=B", "c"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("invalid environment variable name \"A=B\"");
        }

        @Test
        void refusesMoreRanksThanSlots() {
            assertThatThrownBy(() -> LaunchRequest.of(
                                    MPICH, request(MPICH, Set.of()).nodes(), FOLDER, List.of("true"))
                            .ranks(5))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid number of ranks \"5\": use 1 to the 4 slots of 2 nodes" + " (example: 4)");
        }

        @Test
        void refusesNoRanks() {
            assertThatThrownBy(() -> MpiJob.of("true").ranks(0))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid number of ranks \"0\": use 1 or more (example: 4)");
        }
    }

    /** PRRTE and Hydra refuse an option that is given twice. */
    @ParameterizedTest
    @CsvSource({
        "--map-by=:OVERSUBSCRIBE, --rank-by slot --bind-to core --map-by=:OVERSUBSCRIBE",
        "-map-by numa, --rank-by slot --bind-to core -map-by numa",
        "--bind-to none, --map-by ppr:2:numa:pe=2 --rank-by slot --bind-to none",
        "--rank-by node, --map-by ppr:2:numa:pe=2 --bind-to core --rank-by node",
    })
    void leavesItsWordsOutWhereTheJobHasTheOption(String given, String expected) {
        LaunchRequest request = PlacementTest.request(OPEN_MPI_5, Binding.NUMA, 2, Binding.CORE, 2)
                .jobArguments(List.of(given.split(" ")));

        assertThat(String.join(" ", new OpenMpiLauncher().command(request).arguments()))
                .contains(" " + expected + " -x ");
    }

    @ParameterizedTest
    @CsvSource({
        "-bind-to none, -map-by numa -bind-to none",
        "-binding none, -map-by numa -binding none",
        "-map-by socket, -bind-to core:2 -map-by socket",
    })
    void hydraGetsEachOptionOnce(String given, String expected) {
        LaunchRequest request =
                PlacementTest.request(MPICH, Binding.NUMA, 2, Binding.CORE, 2).jobArguments(List.of(given.split(" ")));

        assertThat(String.join(" ", new HydraLauncher().command(request).arguments()))
                .contains(" -print-all-exitcodes " + expected + " -genv ");
    }

    @Test
    void optionsOfAPresetStandBeforeTheProgram() {
        List<String> options = List.of("-iface", "eth0");
        LaunchRequest request = request(MPICH, Set.of(), options);

        for (Launcher launcher : List.of(new HydraLauncher(), new OpenMpiLauncher())) {
            List<String> argv = launcher.command(request).arguments();
            int at = Collections.indexOfSubList(argv, options);
            assertThat(at).isPositive().isLessThan(argv.indexOf("/opt/app/solver"));
        }
    }

    /** Each program has its ranks and, with Open MPI, its variables; a lone colon reaches it by the text of a shell. */
    @Test
    void startsSeveralPrograms() {
        List<LaunchPart> parts =
                List.of(new LaunchPart(2, List.of("/opt/ocean", "a b")), new LaunchPart(6, List.of("/opt/air", ":")));
        String air = "/bin/sh -c set -- /opt/air ':'; exec \"$@\" /tmp/cwjob-0123456789abcdef/rank";
        String token = " -x CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef ";

        assertThat(words(new OpenMpiLauncher(), OPEN_MPI, parts))
                .contains(" -n 2 --map-by slot ")
                .endsWith(token + "/opt/ocean a b : -n 6" + token + air);
        assertThat(words(new HydraLauncher(), MPICH, parts))
                .contains(" -n 2 ")
                .endsWith(" /opt/ocean a b : -n 6 " + air);
    }

    private static String words(Launcher launcher, MpiInstallation mpi, List<LaunchPart> parts) {
        LaunchRequest request = PlacementTest.request(mpi, Binding.DEFAULT, 1, Binding.DEFAULT, 0);
        return String.join(" ", launcher.command(request.parts(parts)).arguments());
    }

    /** Slots are the default; the ranks of each node that a job asks for win, and more ranks than slots are spread evenly. */
    @ParameterizedTest
    @CsvSource({", , 2", ", 7, 7", "9, , 5"})
    void placesRanksOnNodesOfTwoSlots(Integer ranks, Integer ranksPerNode, int onEachNode) {
        JobDescription job = new JobDescription(List.of("true")).with(description -> {
            description.ranks = ranks;
            description.ranksPerNode = ranksPerNode;
        });

        assertThat(RankLayout.byNode(
                        job, new LocalTarget(request(MPICH, Set.of()).nodes())))
                .extracting(LaunchNode::slots)
                .containsExactly(onEachNode, onEachNode);
    }

    private static LaunchRequest request(MpiInstallation mpi, Set<LaunchOption> options) {
        return request(mpi, options, List.of());
    }

    private static LaunchRequest request(MpiInstallation mpi, Set<LaunchOption> options, List<String> arguments) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("OMP_NUM_THREADS", "2");
        environment.put("EMPTY", "");
        return request(mpi, List.of("/opt/app/solver", "case.xml", "-n"))
                .environment(environment)
                .workingDirectory("/data/case 1")
                .networks(List.of(AddressRange.of("10.32.0.0/24")))
                .options(options)
                .launcherArguments(arguments);
    }

    private static LaunchRequest request(MpiInstallation mpi, List<String> program) {
        return LaunchRequest.of(
                mpi,
                List.of(
                        new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 2),
                        new LaunchNode(NodeName.of("cluster12"), Ipv4Address.of("10.32.0.12"), 2)),
                FOLDER,
                program);
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
        return request(mpi, program)
                .ranks(3)
                .environment(environment)
                .networks(List.of(AddressRange.of("10.32.0.0/24")))
                .options(options)
                .binding(binding);
    }
}
