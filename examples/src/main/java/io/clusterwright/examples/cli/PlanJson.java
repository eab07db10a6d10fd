package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable.Price;

/** The JSON of {@code plan --json}. */
final class PlanJson {
    private PlanJson() {}

    static ResultJson of(Plan plan) {
        return ResultJson.of("valid", plan.isFeasible())
                .and("findings", plan.findings())
                .and(
                        "steps",
                        ResultJson.array(
                                plan.steps(),
                                step -> ResultJson.of("step", Style.word(step.step()))
                                        .and("description", step.description())
                                        .and(
                                                "creates",
                                                ResultJson.array(
                                                        step.creates(),
                                                        made -> ResultJson.of("kind", made.kind())
                                                                .and("name", made.name())
                                                                .and("count", made.count())
                                                                .and("billed", made.billed())))))
                .and(
                        "quota",
                        ResultJson.array(
                                plan.quota(),
                                line -> ResultJson.of("family", line.family())
                                        .and("machines", line.machines())
                                        .and("asked", line.visibleCores())
                                        .and("billedCores", line.billedCores())
                                        .and("used", line.use().map(use -> use.usedCores()))
                                        .and("limit", line.use().map(use -> use.limitCores()))))
                .and(
                        "price",
                        ResultJson.of("status", plan.price().isPresent() ? "checked" : "not checked")
                                .and("currency", plan.price().map(Price::currency))
                                .and("perHour", plan.price().map(Price::perHour)))
                .and("notChecked", plan.notChecked());
    }
}
