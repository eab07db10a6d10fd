package io.clusterwright.core.plan;

import java.util.List;

/** Writes a plan for people. */
final class PlanText {
    private final StringBuilder text = new StringBuilder();

    private PlanText() {}

    static String of(Plan plan) {
        PlanText writer = new PlanText();
        writer.line("plan for cluster " + plan.spec().name() + " on " + plan.provider());
        writer.section(
                "findings", plan.findings().stream().map(Finding::toString).toList());
        writer.section(
                "steps",
                plan.steps().stream()
                        .map(step -> step.step().title() + ": " + step.description())
                        .toList());
        writer.section("quota", plan.quota().stream().map(PlanText::quota).toList());
        plan.price()
                .ifPresent(price -> writer.section(
                        "price",
                        List.of(price.perHour().toPlainString() + " " + price.currency()
                                + " per hour, machines only")));
        writer.section("not checked", plan.notChecked());
        writer.line(plan.feasible() ? "This can be created." : "This cannot be created: correct the errors first.");
        return writer.text.toString();
    }

    private static String quota(QuotaLine line) {
        String use = line.use()
                .map(found -> found.usedCores() + " of " + found.limitCores() + " in use")
                .orElse("use and limit not known");
        return line.family() + ": " + line.machines() + " machines, " + line.visibleCores() + " cores, billed as "
                + line.billedCores() + "; " + use;
    }

    private void section(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            line(title);
            lines.forEach(one -> line("  " + one));
        }
    }

    private void line(String one) {
        text.append(one).append('\n');
    }
}
