package io.clusterwright.mpi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpiRulesTest {

    record Case(String code, String broken, String good) {
        @Override
        public String toString() {
            return code;
        }
    }

    static Stream<Case> cases() {
        return read("/rules/cases.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", -1))
                .map(parts -> new Case(parts[0], parts[1], parts[2]));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRuleReportsItsMistake(Case rule) {
        assertThat(findings(rule.broken))
                .filteredOn(finding -> finding.code().equals(rule.code))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.path()).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRuleAcceptsItsGoodCase(Case rule) {
        assertThat(findings(rule.good)).extracting(Finding::code).doesNotContain(rule.code);
    }

    @Test
    void everyRuleHasItsCase() {
        assertThat(cases().map(Case::code).toList())
                .containsExactlyInAnyOrderElementsOf(new MpiRules()
                        .rules().stream().map(Rule::kind).map(FindingKind::code).toList());
    }

    @Test
    void aMistypedPresetNamesTheNearest() {
        assertThat(findings("mpi: {preset: open-mpi/uxc}"))
                .filteredOn(finding -> finding.code().equals("CW-PRESET-001"))
                .extracting(Finding::message, Finding::remedy)
                .containsExactly(tuple("there is no preset open-mpi/uxc", "did you mean open-mpi/ucx?"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The MPI is named, and auto means intel-mpi/network-direct.
                "nodes: {count: 2, size: Standard_A9}, mpi: {env: {I_MPI_FABRICS: \"shm:tcp\"}},"
                        + " image: {customize: {mpi: {flavour: intel-mpi, version: \"5\", install: image}}}",
                // Nothing is named, and such a size gets Intel MPI 5.
                "nodes: {count: 2, size: Standard_A9}, mpi: {env: {I_MPI_FABRICS: \"shm:tcp\"}}",
                // Nothing is named, and such a size gets HPC-X.
                "mpi: {env: {OMPI_MCA_pml: ob1}}"
            })
    void aVariableIsHeldAgainstWhatAutoMeans(String text) {
        assertThat(findings(text)).extracting(Finding::code).contains("CW-ENV-001");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodes: {count: 2, size: Standard_A9}, mpi: {env: {I_MPI_FABRICS: \"shm:dapl\"}},"
                        + " image: {customize: {mpi: {flavour: intel-mpi, version: \"5\", install: image}}}",
                // Open MPI cannot use this fabric, so auto means TCP.
                "nodes: {count: 2, size: Standard_A9}, mpi: {env: {OMPI_MCA_pml: ob1}},"
                        + " image: {customize: {mpi: {flavour: open-mpi, install: image}}}",
                "mpi: {env: {OMPI_MCA_pml: ucx}}",
                // Which MPI this image holds is not known, nor what auto means for it.
                "image: {base: \"almalinux:almalinux-x86_64:9-gen2:latest\"}, mpi: {env: {OMPI_MCA_pml: ob1}}",
                "nodes: {count: 2, size: Standard_Unheard1}, mpi: {env: {OMPI_MCA_pml: ob1}}"
            })
    void aVariableThatAgreesWithWhatAutoMeansIsNoFinding(String text) {
        assertThat(findings(text)).extracting(Finding::code).doesNotContain("CW-ENV-001", "CW-ENV-003");
    }

    @Test
    void aNumberOfThreadsThatIsNotTheNumberOfCoresOfARankIsReported() {
        assertThat(findings("mpi: {env: {OMP_NUM_THREADS: 4}, threadsPerRank: 2}"))
                .filteredOn(finding -> finding.code().equals("CW-ENV-001"))
                .extracting(Finding::path, Finding::message)
                .containsExactly(tuple(
                        "mpi.env.OMP_NUM_THREADS", "OMP_NUM_THREADS=4 contradicts mpi.threadsPerRank, which is 2"));
        assertThat(findings("mpi: {env: {OMP_NUM_THREADS: 2}, threadsPerRank: 2}"))
                .extracting(Finding::code)
                .doesNotContain("CW-ENV-001");
    }

    @Test
    void suppressingACodeOfThisModuleIsNoMistake() {
        assertThat(findings("mpi: {preset: mpich/tcp}, suppress: [CW-PRESET-003]"))
                .extracting(Finding::code)
                .doesNotContain("CW-PRESET-003", "CW-SUPPRESS-001");
    }

    @Test
    void theLessonOfTheDeviceNameIsFound() {
        String lesson = read("/lessons/one-device-name.yaml");

        assertThat(Planner.check(SpecReader.read(lesson, "lesson.yaml")))
                .extracting(Finding::code)
                .contains("CW-FABRIC-005");
    }

    private static List<Finding> findings(String text) {
        String nodes = text.contains("nodes: ") ? "" : ", nodes: {count: 4, size: Standard_HB120rs_v3}";
        ClusterSpec spec = SpecReader.read("{name: demo, region: northeurope, " + text + nodes + "}", "case.yaml");
        return Planner.check(spec);
    }

    private static String read(String name) {
        try (InputStream in = MpiRulesTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
