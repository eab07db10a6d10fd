package io.clusterwright.mpi.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.SpecCheck;
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
    void aRuleSpeaksOfWhatBreaksIt(Case rule) {
        assertThat(findings(rule.broken))
                .filteredOn(finding -> finding.code().equals(rule.code))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.path()).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRuleIsSilentAboutWhatKeepsIt(Case rule) {
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

    @Test
    void suppressingACodeOfThisModuleIsNoMistake() {
        assertThat(findings("mpi: {preset: mpich/tcp}, suppress: [CW-PRESET-003]"))
                .extracting(Finding::code)
                .doesNotContain("CW-PRESET-003", "CW-SUPPRESS-001");
    }

    @Test
    void theLessonOfTheDeviceNameIsFound() {
        String lesson = read("/lessons/one-device-name.yaml");

        assertThat(SpecCheck.offline(SpecReader.read(lesson, "lesson.yaml")))
                .extracting(Finding::code)
                .contains("CW-FABRIC-005");
    }

    private static List<Finding> findings(String text) {
        String nodes = text.contains("nodes: ") ? "" : ", nodes: {count: 4, size: Standard_HB120rs_v3}";
        ClusterSpec spec = SpecReader.read("{name: demo, region: northeurope, " + text + nodes + "}", "case.yaml");
        return SpecCheck.offline(spec);
    }

    private static String read(String name) {
        try (InputStream in = MpiRulesTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
