package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Describing and planning through the real program, without rights, an account or a network. */
@Tag("breadth")
class DescribeTest {
    private static final String SPEC = "name: demo\nregion: westeurope\nnodes: {count: 4, size: Standard_HB120rs_v3}\n";

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm();

    @Test
    void validateRefusesUnknownKeyWithItsLine() throws JsonProcessingException {
        Path spec = machine.write("typo.yaml", SPEC + "netwrok: {}\n");

        Program.Ended ended = machine.clusterwright("validate", spec.toString(), "--json");

        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        JsonNode finding = AnalyzeTest.json(ended.stdout()).at("/findings/0");
        assertThat(finding.path("line").asInt()).isEqualTo(4);
        assertThat(finding.path("remedy").asText()).isEqualTo("did you mean network?");
    }

    @Test
    void planShowsStepsCoresAndChecksNotMade() throws JsonProcessingException {
        Path spec = machine.write("good.yaml", SPEC);

        Program.Ended ended = machine.clusterwright("plan", spec.toString(), "--on", "azure", "--json");

        assertThat(ended.status()).as(ended.toString()).isZero();
        JsonNode plan = AnalyzeTest.json(ended.stdout());
        assertThat(AnalyzeTest.keys(plan))
                .containsExactlyInAnyOrder("valid", "findings", "steps", "quota", "price", "notChecked");
        assertThat(plan.at("/steps/0/step").asText()).isEqualTo("resource-group");
        assertThat(plan.at("/quota/0/billedCores").asInt()).isEqualTo(480);
        assertThat(plan.path("notChecked")).isNotEmpty();
    }

    @Test
    void planUsesGivenPricesAndQuotas() throws JsonProcessingException {
        Path spec = machine.write("good.yaml", SPEC);
        Path prices = machine.write("prices.yaml", "{currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}");
        Path quota = machine.write("quota.csv", "family,used,limit\nstandardHBv3Family,1,480\n");

        Program.Ended ended = machine.clusterwright(
                "plan",
                spec.toString(),
                "--prices",
                prices.toString(),
                "--quota",
                quota.toString(),
                "--severity",
                "error",
                "--json");

        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        JsonNode plan = AnalyzeTest.json(ended.stdout());
        assertThat(plan.path("findings").findValuesAsText("code")).containsExactly("CW-QUOTA-001");
        assertThat(plan.at("/quota/0/limit").asInt()).isEqualTo(480);
        assertThat(plan.at("/price/perHour").decimalValue()).isEqualByComparingTo("14.4");
        assertThat(plan.path("steps").findValuesAsText("kind")).contains("Standard_HB120rs_v3 machine");
    }

    @Test
    void sizesWithRdmaAreAnArray() throws JsonProcessingException {
        Program.Ended ended = machine.clusterwright("sizes", "--rdma", "--json");

        assertThat(ended.status()).as(ended.toString()).isZero();
        JsonNode sizes = AnalyzeTest.json(ended.stdout());
        assertThat(sizes.isArray()).isTrue();
        assertThat(sizes.toString()).contains("Standard_A9").doesNotContain("Standard_D8s_v5");
    }

    @Test
    void imagesRefuseSearchThatIsNoRegularExpression() {
        Program.Ended ended = machine.clusterwright("images", "--match", "(");

        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.stderr()).contains("regular expression").doesNotContain("\tat ");
    }
}
