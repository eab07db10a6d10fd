package io.clusterwright.mpi.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.LocalTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.Words;
import io.clusterwright.mpi.internal.launch.JobInput;
import io.clusterwright.mpi.internal.slurm.SlurmJob.SlurmScript;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmLauncherTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");
    private static final SlurmNodes HERE = SlurmNodes.of(LocalTarget.alone(2));

    @Test
    void writesTheCommandOfAJob() {
        LaunchCommand command = launcher(HERE.partition("rdma")
                        .account("cfd")
                        .timeLimit(Duration.ofSeconds(90_061))
                        .addOption("--qos=long"))
                .command(request(
                        MpiFlavour.MPICH, 4, Set.of(LaunchOption.LABEL_RANKS, LaunchOption.SHARED_MACHINE), List.of()));

        assertThat(command.arguments()).isEqualTo(Words.of("""
                        /tmp/cwjob-0123456789abcdef/slurm-run --job-name=cwjob-0123456789abcdef
                        --partition=rdma --account=cfd --time=1-01:01:01 --qos=long
                        --nodelist=cluster11,cluster12 --nodes=2 --ntasks=4 --distribution=block
                        --ntasks-per-node=2 --mpi=pmi2 --kill-on-bad-exit=1 --cpu-bind=none
                        `--chdir=/data/case 1` --export=ALL --label /opt/app/solver it's
                        """));
        assertThat(command.environment())
                .containsOnly(Map.entry("LIST", "a,b=c\n\"d\""), Map.entry("CLUSTERWRIGHT_JOB", FOLDER.token()));
        assertThat(command.files()).isEmpty();
        assertThat(command.programs()).hasSize(1).hasEntrySatisfying("slurm-run", content -> {
            assertThat(content)
                    .contains("token=cwjob-0123456789abcdef\n", "nodes=cluster11,cluster12\n")
                    .contains("alone pmi2 /opt/app/solver ''")
                    .doesNotContain("@TOKEN@", "@NODES@", "@ALONE@", "@RELEASE@");
        });
        assertThat(command.release())
                .hasSize(3)
                .startsWith("/bin/sh", "-c")
                .noneMatch(word -> word.contains("cwjob-"))
                .anyMatch(word -> word.startsWith("read -r token\n") && word.contains("scancel --quiet $ids"));
    }

    @Test
    void givesItsAllocationBackWithStandardInputToo() {
        LaunchCommand command =
                launcher(HERE).command(request(MpiFlavour.MPICH, 4, Set.of(LaunchOption.STDIN), List.of()));

        assertThat(command.arguments()).contains("--input=0");
        assertThat(JobInput.redirected(command, FOLDER).release()).isNotEmpty().isEqualTo(command.release());
    }

    @Test
    void asksForNoNodeThatWouldHaveNoRank() {
        List<String> argv = launcher(HERE)
                .command(request(MpiFlavour.MPICH, 1, Set.of(), List.of()))
                .arguments();

        assertThat(argv).contains("--nodelist=cluster11", "--nodes=1", "--ntasks=1");
        assertThat(argv).noneMatch(word -> word.startsWith("--ntasks-per-node"));
    }

    @ParameterizedTest
    @CsvSource({"MPICH, pmi2", "MVAPICH2, pmi2", "OPEN_MPI, pmix", "HPC_X, pmix"})
    void speaksTheInterfaceOfTheMpi(MpiFlavour flavour, String pmi) {
        assertThat(launcher(HERE)
                        .command(request(flavour, 2, Set.of(), List.of()))
                        .arguments())
                .contains("--mpi=" + pmi);
    }

    @Test
    void speaksTheInterfaceThatWasNamed() {
        assertThat(launcher(HERE.pmi("pmix_v4"))
                        .command(request(MpiFlavour.MPICH, 2, Set.of(), List.of()))
                        .arguments())
                .contains("--mpi=pmix_v4");
    }

    @Test
    void handsTheParametersOfAPresetOverAsVariables() {
        LaunchCommand command = launcher(HERE)
                .command(request(
                        MpiFlavour.OPEN_MPI, 2, Set.of(), List.of("--mca", "pml", "ucx", "--mca", "btl", "^tcp")));

        assertThat(command.environment()).doesNotContainKey("OMPI_MCA_mpi_yield_when_idle");
        assertThat(command.environment()).containsEntry("OMPI_MCA_pml", "ucx").containsEntry("OMPI_MCA_btl", "^tcp");
        assertThat(command.arguments()).doesNotContain("--mca");
    }

    @Test
    void letsRanksThatShareCoresYield() {
        LaunchCommand command =
                launcher(HERE).command(request(MpiFlavour.OPEN_MPI, 2, Set.of(LaunchOption.SHARED_MACHINE), List.of()));

        assertThat(command.environment()).containsEntry("OMPI_MCA_mpi_yield_when_idle", "1");
    }

    /** With mixed fences a rank of Open MPI 4 may get a message while it is in MPI_Init, and crashes; of Open MPI 5 with a tree. */
    @Test
    void ranksUnderPmixWaitForEachOtherInATree() {
        MpiInstallation five = new MpiInstallation(MpiFlavour.OPEN_MPI, "5.0.7", "/usr/bin/mpirun");
        assertThat(launcher(HERE)
                        .command(LaunchRequest.of(
                                five,
                                request(MpiFlavour.OPEN_MPI, 2, Set.of(), List.of())
                                        .nodes(),
                                FOLDER,
                                List.of("solver")))
                        .environment())
                .doesNotContainKey("SLURM_PMIX_FENCE");
        assertThat(launcher(HERE)
                        .command(request(MpiFlavour.OPEN_MPI, 2, Set.of(), List.of()))
                        .environment())
                .containsEntry("SLURM_PMIX_FENCE", "tree");
        assertThat(launcher(HERE)
                        .command(request(MpiFlavour.OPEN_MPI, 2, Set.of(), List.of())
                                .environment(Map.of("SLURM_PMIX_FENCE", "ring")))
                        .environment())
                .containsEntry("SLURM_PMIX_FENCE", "ring");
        assertThat(launcher(HERE)
                        .command(request(MpiFlavour.MPICH, 2, Set.of(), List.of()))
                        .environment())
                .doesNotContainKey("SLURM_PMIX_FENCE");
    }

    @Test
    void refusesIntelMpiWithoutThePmiLibraryOfSlurm() {
        assertThatThrownBy(() -> launcher(HERE).command(request(MpiFlavour.INTEL_MPI, 2, Set.of(), List.of())))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("environment(\"I_MPI_PMI_LIBRARY\", \"/usr/lib64/libpmi2.so\")");
    }

    @Test
    void writesTheScriptOfABatchJob() {
        SlurmScript script = SlurmScript.of(
                request(MpiFlavour.MPICH, 4, Set.of(), List.of()),
                HERE.partition("rdma").outputFile("/data/out %j"));

        assertThat(script.options()).isEqualTo(Words.of("""
                        --parsable --job-name=cwjob-0123456789abcdef --partition=rdma
                        --nodelist=cluster11,cluster12 --nodes=2 --ntasks=4 --distribution=block
                        --ntasks-per-node=2 `--output=/data/out %j`
                        """));
        assertThat(script.text()).isEqualTo("""
                #!/bin/sh
                export LIST='a,b=c
                "d"'
                export CLUSTERWRIGHT_JOB=cwjob-0123456789abcdef
                exec srun '--mpi=pmi2' '--kill-on-bad-exit=1' '--chdir=/data/case 1' /opt/app/solver 'it'\\''s'
                """);
    }

    /** The words of each program stand in a variable, because Slurm's file has no quotes for all characters. */
    @Test
    void startsSeveralPrograms() {
        LaunchRequest request = request(MpiFlavour.MPICH, 4, Set.of(), List.of())
                .parts(List.of(
                        new LaunchPart(1, List.of("/opt/ocean", "it's")), new LaunchPart(3, List.of("/opt/air", ":"))));
        String file =
                "0-0 /bin/sh -c 'eval \"$CLUSTERWRIGHT_PART_0\"'\n1-3 /bin/sh -c 'eval \"$CLUSTERWRIGHT_PART_1\"'\n";

        LaunchCommand command = launcher(HERE).command(request);
        assertThat(command.arguments()).endsWith("--multi-prog", FOLDER.path("parts"));
        assertThat(command.files()).containsEntry("parts", file);
        assertThat(command.environment())
                .containsEntry("CLUSTERWRIGHT_PART_0", "exec /opt/ocean 'it'\\''s'")
                .containsEntry(
                        "CLUSTERWRIGHT_PART_1",
                        "exec /bin/sh -c 'set -- /opt/air '\\'':'\\''; exec \"$@\"' " + FOLDER.path("rank"));
        assertThat(SlurmScript.of(request, HERE).text())
                .contains(" --multi-prog " + FOLDER.path() + "\n")
                .contains("1-3 /bin/sh -c ")
                .endsWith("\nstatus=$?\nrm -f \"$parts\"\nexit $status\n");
    }

    /** Two nodes with room for 2 ranks each. */
    @ParameterizedTest
    @CsvSource({
        "SOCKET, 1, 8, CORE, 4, --distribution=block:cyclic --ntasks-per-node=2 --ntasks-per-socket=1"
                + " --cpus-per-task=4, --cpu-bind=cores",
        "SOCKET, 1, 8, SOCKET, 0, --distribution=block:cyclic --ntasks-per-node=2 --ntasks-per-socket=1"
                + " --cpus-per-task=8, --cpu-bind=sockets",
        "NUMA, 1, 4, CORE, 4, --distribution=block:block --ntasks-per-node=2 --cpus-per-task=4, --cpu-bind=cores",
        "NUMA, 2, 8, CORE, 2, --distribution=block:block --ntasks-per-node=2 --cpus-per-task=4, --cpu-bind=cores",
        "L3, 2, 4, CORE, 1, --distribution=block:block --ntasks-per-node=2 --cpus-per-task=2, --cpu-bind=cores",
        "NUMA, 2, 4, NUMA, 0, --distribution=block:block --ntasks-per-node=2 --cpus-per-task=2, --cpu-bind=ldoms",
        "NUMA, 2, 4, NONE, 3, --distribution=block --ntasks-per-node=2 --cpus-per-task=3, --cpu-bind=none",
    })
    void placesRanks(
            Binding domain, int ranks, int cores, Binding binding, int threads, String placement, String bind) {
        LaunchRequest request = request(MpiFlavour.MPICH, 4, Set.of(), List.of())
                .ranksPerDomain(new RanksPerDomain(domain, ranks, cores))
                .binding(binding)
                .threadsPerRank(threads);

        assertThat(String.join(" ", launcher(HERE).command(request).arguments()))
                .contains(" " + placement + " --mpi=pmi2 ")
                .contains(" " + bind + " ");
        SlurmScript script = SlurmScript.of(request, HERE);
        assertThat(String.join(" ", script.options())).endsWith(placement);
        assertThat(script.text()).contains("'" + bind + "'");
        assertThat(script.text().contains("--cpus-per-task=")).isEqualTo(placement.contains("--cpus-per-task="));
    }

    @Nested
    class Refused {
        @Test
        void refusesRanksThatCannotShareTheirDomain() {
            LaunchRequest request = request(MpiFlavour.MPICH, 4, Set.of(), List.of())
                    .ranksPerDomain(new RanksPerDomain(Binding.NUMA, 3, 8))
                    .binding(Binding.CORE);

            assertThatThrownBy(() -> launcher(HERE).command(request))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("srun cannot place 3 ranks by numa: each numa has 8 cores, and ranks share them evenly:"
                            + " use a number of ranks that divides 8, or do not bind ranks (example: --bind none)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "-x", "a b", "a,b", "a\nb"})
        void refusesInvalidNames(String name) {
            assertThatThrownBy(() -> HERE.partition(name)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> HERE.account(name)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> HERE.pmi(name)).isInstanceOf(InvalidValueException.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "--", "-N", "hostname", "--a\nb"})
        void refusesInvalidOptions(String word) {
            assertThatThrownBy(() -> HERE.addOption(word))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("--qos=long");
        }

        @Test
        void refusesZeroTime() {
            assertThatThrownBy(() -> HERE.timeLimit(Duration.ofMillis(999)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("1 s or more");
        }

        @Test
        void refusesARelativeOutputFile() {
            assertThatThrownBy(() -> HERE.outputFile("out.txt"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("/data/job-%j.out");
        }

        @Test
        void refusesQueuedJobsThatNeedThisProgram() {
            MpiJob solver = MpiJob.of("solver");

            assertThatThrownBy(() -> solver.stdin(new byte[1]).on(HERE).submit())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("standard input", "stageIn");
            assertThatThrownBy(() -> solver.stageOut("/data/result", Path.of("results"))
                            .on(HERE)
                            .submit())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("cannot use stageOut", "QueuedJob.await");
        }

        @Test
        void refusesHelpersOverSessions() {
            MpiJob job = MpiJob.of("solver")
                    .installation(new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun"))
                    .launchOverSessions();

            assertThatThrownBy(() -> job.on(HERE).submit())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("srun")
                    .hasMessageContaining("launchOverSessions");
        }

        @Test
        void refusesInvalidIds() {
            assertThatThrownBy(() -> QueuedJob.find(HERE, "0")).isInstanceOf(InvalidValueException.class);
        }
    }

    @Test
    void keepsItsSettingsOverSomeOfTheNodes() {
        SlurmNodes part = HERE.partition("rdma").only(List.of(LocalSession.NODE));

        assertThat(part.words()).containsExactly("--partition=rdma");
        assertThat(part.launcher()).containsInstanceOf(SlurmLauncher.class);
    }

    private static SlurmLauncher launcher(SlurmNodes target) {
        return new SlurmLauncher(target);
    }

    private static LaunchRequest request(
            MpiFlavour flavour, int ranks, Set<LaunchOption> options, List<String> arguments) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("LIST", "a,b=c\n\"d\"");
        return LaunchRequest.of(
                        new MpiInstallation(flavour, "4.0.2", "/usr/bin/mpirun"),
                        List.of(
                                new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 2),
                                new LaunchNode(NodeName.of("cluster12"), Ipv4Address.of("10.32.0.12"), 2)),
                        FOLDER,
                        List.of("/opt/app/solver", "it's"))
                .ranks(ranks)
                .environment(environment)
                .workingDirectory("/data/case 1")
                .options(options)
                .launcherArguments(arguments);
    }
}
