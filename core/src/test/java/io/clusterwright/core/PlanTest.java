package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(MemoryBackend.LOCK)
class PlanTest {
    private static final String SPEC =
            "{name: demo, region: westeurope, timeToLive: 8h, costCap: {currency: EUR, perHour: 10},"
                    + " nodes: {count: 3, size: Standard_HB120-16rs_v3}}";

    @TempDir
    private Path folder;

    private final MemoryProvider provider = new MemoryProvider();

    private ClusterManager manager() {
        return ClusterManager.builder(provider)
                .stateStore(StateStore.inFolder(folder))
                .build();
    }

    private static ClusterSpec spec(String text) {
        return SpecReader.read(text, "s.yaml");
    }

    @Test
    void countsConstrainedSizesInFull() {
        Plan plan = manager().plan(spec(SPEC));
        assertThat(plan.quota()).extracting(QuotaLine::family).containsExactly("standardHBv3Family", "cores");
        assertThat(plan.quota()).allSatisfy(line -> {
            assertThat(line.machines()).isEqualTo(3);
            assertThat(line.visibleCores()).isEqualTo(48);
            assertThat(line.billedCores()).isEqualTo(360);
            assertThat(line.use()).isEmpty();
        });
        assertThat(plan.notChecked()).anyMatch(line -> line.startsWith("quota: "));
    }

    @Test
    void saysThatThePriceIsNotCheckedWithoutATable() {
        Plan plan = manager().plan(spec(SPEC));
        assertThat(plan.price()).isEmpty();
        assertThat(plan.notChecked()).contains("price: no price table was given");
    }

    @Test
    void refusesAPlanAboveTheCostCap() {
        PriceTable prices = new PriceTable("EUR", Map.of(VmSize.of("Standard_HB120-16rs_v3"), new BigDecimal("3.60")));
        Plan plan = manager().plan(spec(SPEC), prices);
        assertThat(plan.price())
                .hasValueSatisfying(price -> assertThat(price.perHour()).isEqualByComparingTo("10.8"));
        assertThat(plan.findings()).extracting(Finding::code).contains("CW-COST-002");
        assertThat(plan.isFeasible()).isFalse();
    }

    @Test
    void suppressesFindingsOfTheProvider() {
        provider.findings = List.of(new Finding("CW-TEST-001", Severity.ERROR, "", "no", "stop"));
        String suppressing = SPEC.replace("{name", "{suppress: [CW-TEST-001], name");
        assertThat(manager().plan(spec(SPEC)).isFeasible()).isFalse();
        assertThat(manager().plan(spec(suppressing)).isFeasible()).isTrue();
    }

    @Test
    void writesTheSameTextForTheSameSpec() {
        String text = manager().plan(spec(SPEC)).toText();
        assertThat(text)
                .isEqualTo(manager().plan(spec(SPEC)).toText())
                .startsWith("plan for cluster demo on memory\nfindings\n  ")
                .contains(
                        "\n"
                                + "steps\n"
                                + "   1  resource group  demo-rg in westeurope\n"
                                + "                      + resource group demo-rg\n"
                                + "   2  network ",
                        "\nnot checked\n")
                .containsPattern("\n  FAMILY +MACHINES +ASKED +BILLED +USED +LIMIT\n  \\S.* +3 +48 +360 +[?] +[?]\n")
                .endsWith("This can be created.\n");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(96));
    }

    @Test
    void offlinePlanNamesTheChecksNotMade() {
        Plan plan = Planner.offline().plan(spec(SPEC.replace("nodes:", "on: {azure: {nodes: {count: 5}}}, nodes:")));
        assertThat(plan.offline()).isTrue();
        assertThat(plan.isFeasible()).isTrue();
        assertThat(plan.steps())
                .extracting(PlanStep::step)
                .containsExactly(
                        Step.RESOURCE_GROUP,
                        Step.NETWORK,
                        Step.TEMPLATE,
                        Step.CUSTOMIZE,
                        Step.DEPROVISION,
                        Step.GENERALIZE,
                        Step.CAPTURE,
                        Step.BOOT_TEST,
                        Step.PLACEMENT,
                        Step.NODES,
                        Step.JOIN,
                        Step.CHECK);
        assertThat(plan.quota()).extracting(QuotaLine::billedCores).containsExactly(600, 600);
        assertThat(plan.notChecked())
                .anyMatch(line -> line.startsWith("size: Standard_HB120-16rs_v3: offered"))
                .anyMatch(line -> line.startsWith("names: whether demo-rg exists"))
                .anyMatch(line -> line.startsWith("quota: "));
        assertThat(plan.toText()).contains("an offline plan, no provider was queried", "price\n  not checked\n");
    }

    @Test
    void refusesToCreateAClusterFromAnOfflinePlan() {
        Plan plan = Planner.offline().provider("memory").plan(spec(SPEC));
        assertThatThrownBy(() -> manager().create(plan))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("use a plan of ClusterManager.plan");
    }

    @Test
    void readsPricesOfAnyCaseFromAFile() throws IOException {
        Path file = folder.resolve("prices.yaml");
        Files.writeString(file, "currency: EUR\nperHour:\n  standard_hb120-16RS_v3: 3.60\n");
        assertThat(Planner.offline()
                        .prices(Planner.readPrices(file))
                        .plan(spec(SPEC))
                        .price())
                .hasValueSatisfying(price -> assertThat(price.perHour()).isEqualByComparingTo("10.8"));
    }

    @Test
    void namesTheSizeThatAPriceTableLacks() {
        PriceTable prices = new PriceTable("EUR", Map.of(VmSize.of("Standard_HB120-16rs_v33"), new BigDecimal("3.60")));

        assertThat(manager().plan(spec(SPEC), prices).notChecked())
                .contains(
                        "price: Standard_HB120-16rs_v3 is missing in the price table, which has Standard_HB120-16rs_v33");
    }

    @Test
    void refusesASecondPriceOfASize() throws IOException {
        Path file = folder.resolve("prices.yaml");
        Files.writeString(file, "currency: EUR\nperHour: {Standard_A9: 1, standard_a9: 2}\n");

        assertThatThrownBy(() -> Planner.readPrices(file))
                .isInstanceOf(InvalidSpecException.class)
                .hasMessageContaining("the price table has a problem")
                .hasMessageContaining(":2:40: perHour.standard_a9: the size has a second price");
        Files.writeString(file, "[1]\n");
        assertThatThrownBy(() -> Planner.readPrices(file))
                .hasMessageContaining(":1:1: found a list, expected the fields of a price table")
                .hasMessageNotContaining("cluster");
    }

    @Test
    void reportsAllMistakesOfAPriceTable() throws IOException {
        Path file = folder.resolve("prices.yaml");
        Files.writeString(file, "currency: euro\nperhour: {}\nperHour: {Standard_A9: -1}\n");
        assertThatThrownBy(() -> Planner.readPrices(file))
                .isInstanceOfSatisfying(
                        InvalidSpecException.class,
                        refusal -> assertThat(refusal.problems())
                                .extracting(SpecProblem::path)
                                .containsExactlyInAnyOrder("currency", "perhour", "perHour.Standard_A9"));
    }
}
