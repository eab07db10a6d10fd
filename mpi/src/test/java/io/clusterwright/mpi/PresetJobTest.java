package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.WrappedNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Presets and explanations of jobs on this machine, through the real launchers. */
@Tag("breadth")
@Timeout(120)
class PresetJobTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @CsvSource({
        "mpich/tcp,    UCX_TLS,      'tcp,sm,self'",
        "mpich/ofi,    MPIR_CVAR_CH4_NETMOD, ofi",
        "open-mpi/tcp, OMPI_MCA_btl, 'self,vader,tcp'",
    })
    void everyRankHasTheVariablesOfThePreset(String preset, String name, String value) {
        JobResult result = run(print(name).preset(MpiPresets.named(preset)), target("auto"));

        assertThat(result.orThrow().mpi().flavour())
                .isEqualTo(MpiPresets.named(preset).flavour());
        assertThat(lines).containsExactly(value, value);
        assertThat(MpichEnd.others(result)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"MPICH, CW-DIAG-215, Hydra", "OPEN_MPI, CW-DIAG-216, Open MPI's mpirun"})
    void anOptionThatTheLauncherDoesNotKnowIsNamedAsTheJobGaveIt(MpiFlavour flavour, String code, String launcher) {
        MpiJob job = MpiJob.of("true").flavour(flavour).launcherArguments("--no-such-option=3");

        JobResult result = run(job, target("auto"));

        assertThat(result.findings())
                .filteredOn(finding -> finding.code().equals(code))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.message())
                            .isEqualTo(
                                    launcher + " does not know the option --no-such-option=3, which the job gives it by"
                                            + " --launcher-arg (launcherArguments())");
                    assertThat(finding.remedy()).startsWith("remove --launcher-arg=--no-such-option=3, or read mp");
                });
    }

    @ParameterizedTest
    @CsvSource({"MPICH, -disable-hostname-propagation", "OPEN_MPI, --quiet"})
    void aLauncherGetsTheOptionsOfItsJob(MpiFlavour flavour, String option) {
        assertThat(run(MpiJob.of("true").flavour(flavour).launcherArguments(option), target("auto"))
                        .orThrow()
                        .command())
                .containsSubsequence(option, "true");
    }

    @ParameterizedTest
    @CsvSource({"mpich/tcp, NPmpich2", "open-mpi/tcp, NPopenmpi"})
    void aPingPongRunsUnderThePreset(String preset, String benchmark) {
        MpiJob job = MpiJob.of(benchmark, "-n", "1", "-u", "64", "-o", "/dev/null")
                .withoutRankLabels()
                .preset(MpiPresets.named(preset));

        JobResult result =
                job.on(target("auto")).onOutput(line -> lines.add(line.text())).run(Duration.ofSeconds(20));

        assertThat(lines).anyMatch(line -> line.contains("64 bytes"));
        if (!MpichEnd.isTold(result)) {
            assertThat(MpichEnd.others(result.orThrow())).isEmpty();
        }
    }

    /** The file openmpi-mca-params.conf of HPC-X says any, with which the same job runs over TCP or shared memory. */
    @Test
    void withoutInfiniBandTheUcxPresetFailsInsteadOfRunningOverTcp() {
        MpiJob job = MpiJob.of("NPopenmpi", "-n", "1", "-u", "64", "-o", "/dev/null")
                .withoutRankLabels()
                .preset(MpiPresets.named("open-mpi/ucx"));
        Named infiniBand = new Named(LocalTarget.alone(2), "auto", Set.of(), Interconnect.SRIOV_INFINIBAND);

        JobResult refused = run(job, infiniBand);
        assertThat(refused.succeeded()).isFalse();
        assertThat(refused.findings()).extracting(Finding::code).contains("CW-DIAG-409");
        assertThat(lines).noneMatch(line -> line.contains("64 bytes"));
        run(job.environment("OMPI_MCA_opal_common_ucx_tls", "any"), infiniBand).orThrow();
        assertThat(lines).anyMatch(line -> line.contains("64 bytes"));
    }

    @Test
    void variablesOfTheJobWinAndAreReported() {
        JobResult result = run(
                print("OMPI_MCA_pml").environment("OMPI_MCA_pml", "ucx").preset(MpiPresets.named("open-mpi/tcp")),
                target("auto"));

        assertThat(lines).containsExactly("ucx", "ucx");
        assertThat(result.findings())
                .extracting(Finding::code, Finding::message)
                .containsExactly(tuple("CW-ENV-001", "OMPI_MCA_pml=ucx contradicts the preset open-mpi/tcp"));
    }

    @Test
    void refusesAPresetForAnotherNetwork() {
        MpiJob job = print("UCX_TLS").preset(MpiPresets.named("mpich/ucx"));

        assertThatThrownBy(() -> run(job, target("auto")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(
                        "preset mpich/ucx does not run on these nodes: their fast network is none: use mpich/ofi or mpich/tcp");
    }

    @Test
    void replacesAPresetOfTheSpecForAnotherNetwork() {
        JobResult result = run(print("UCX_TLS").flavour(MpiFlavour.MPICH), target("mpich/ucx"));

        assertThat(lines).containsExactly("tcp,sm,self", "tcp,sm,self");
        assertThat(MpichEnd.others(result)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-MPI-011");
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
            assertThat(finding.message())
                    .startsWith("preset mpich/ucx is replaced by mpich/tcp: the job runs under MPICH 4.");
        });
    }

    @Test
    void usesThePresetOfTheSpec() {
        run(print("OMPI_MCA_pml").flavour(MpiFlavour.OPEN_MPI), target("open-mpi/tcp"))
                .orThrow();

        assertThat(lines).containsExactly("ob1", "ob1");
    }

    @Test
    void setsNothingWithoutNeed() {
        JobResult result = run(print("UCX_TLS").flavour(MpiFlavour.MPICH), target("auto"));

        assertThat(lines).containsExactly("none", "none");
        assertThat(MpichEnd.others(result.orThrow())).isEmpty();
    }

    @Test
    void namesAMissingMpiAndItsPreset() {
        MpiJob job = print("X").preset(MpiPresets.named("intel-mpi/tcp"));

        assertThatThrownBy(() -> run(job, target("auto")))
                .isInstanceOf(MpiNotFoundException.class)
                .hasMessageContaining("MPI for preset intel-mpi/tcp");
    }

    @ParameterizedTest
    @EnumSource(
            value = MpiFlavour.class,
            names = {"MPICH", "OPEN_MPI"})
    void aFailureThatIsKnownIsExplained(MpiFlavour flavour) {
        JobResult result = run(MpiJob.of("/no/such/program").ranks(1).flavour(flavour), target("auto"));

        assertThat(result.succeeded()).isFalse();
        assertThat(result.findings())
                .filteredOn(finding -> finding.code().equals("CW-DIAG-218"))
                .singleElement()
                .satisfies(
                        finding -> assertThat(finding.message()).startsWith("the program /no/such/program is not on "));
    }

    @Test
    void aSuppressedFindingIsLeftOut() {
        MpiJob job = MpiJob.of("/bin/sh", "-c", "echo Need at least two processes '(only given 1)'")
                .flavour(MpiFlavour.MPICH);

        assertThat(run(job, target("auto")).succeeded()).isFalse();
        assertThat(MpichEnd.others(run(job, new Named(LocalTarget.alone(2), "auto", Set.of("CW-DIAG-210")))
                        .orThrow()))
                .isEmpty();
    }

    @Test
    void ignoresMessagesOfACancelledLauncher() {
        MpiJob job = MpiJob.of("sleep", "60").ranks(1).flavour(MpiFlavour.MPICH);

        JobResult result = job.on(target("auto")).run(Duration.ofSeconds(2));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.findings()).extracting(Finding::code).noneMatch(code -> code.startsWith("CW-DIAG-"));
    }

    private JobResult run(MpiJob job, JobTarget target) {
        return job.on(target).onOutput(line -> lines.add(line.text())).run(MINUTE);
    }

    private static MpiJob print(String name) {
        return MpiJob.of("/bin/sh", "-c", "echo ${" + name + ":-none}");
    }

    private static JobTarget target(String preset) {
        return new Named(LocalTarget.alone(2), preset, Set.of());
    }

    private record Named(NodeTarget wrapped, String preset, Set<String> suppressed, Interconnect interconnect)
            implements WrappedNodes {
        Named(NodeTarget wrapped, String preset, Set<String> suppressed) {
            this(wrapped, preset, suppressed, Interconnect.NONE);
        }

        @Override
        public Named only(Collection<NodeName> names) {
            return new Named(wrapped.only(names), preset, suppressed, interconnect);
        }

        @Override
        public Map<String, String> environment() {
            return Map.of();
        }
    }
}
