package io.clusterwright.core.internal.planning;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.plan.QuotaLine;
import java.util.List;
import java.util.Locale;

/** Writes a plan for people, at most {@value #WIDTH} columns wide where words allow. */
final class PlanText {
    private static final int WIDTH = 96;

    private final StringBuilder text = new StringBuilder();

    private PlanText() {}

    static String of(Plan plan) {
        PlanText writer = new PlanText();
        writer.line("plan for cluster " + plan.spec().name() + " on " + plan.provider()
                + (plan.offline() ? ": an offline plan, no provider was queried" : ""));
        writer.findings(plan.findings());
        writer.steps(plan.steps());
        writer.quota(plan.quota());
        writer.price(plan);
        writer.title("not checked", plan.notChecked());
        plan.notChecked().forEach(one -> writer.wrap("  ", "    ", one));
        writer.line(verdict(plan));
        return writer.text.toString();
    }

    private static String verdict(Plan plan) {
        if (!plan.isFeasible()) {
            return "This cannot be created: correct the errors first.";
        }
        return plan.offline()
                ? "No rule prevents this cluster; the checks that could not run still may."
                : "This can be created.";
    }

    private void findings(List<Finding> findings) {
        title("findings", findings);
        for (Finding finding : findings) {
            String path = finding.path().isEmpty() ? "" : finding.path() + ": ";
            String place = finding.line().isEmpty()
                    ? ""
                    : "line " + finding.line().getAsInt() + ":"
                            + finding.column().orElse(1) + ": ";
            wrap("  ", "    ", finding.severity() + " " + finding.code() + " " + place + path + finding.message());
            wrap("    -> ", "       ", finding.remedy());
        }
    }

    private void steps(List<PlanStep> steps) {
        title("steps", steps);
        int number = 1;
        for (PlanStep step : steps) {
            String start = String.format(
                    Locale.ROOT, "  %2d  %-14s  ", number++, step.step().title());
            wrap(start, " ".repeat(start.length()), step.description());
            for (PlannedResource made : step.creates()) {
                wrap(" ".repeat(start.length()) + "+ ", " ".repeat(start.length() + 2), made.toString());
            }
        }
    }

    private void quota(List<QuotaLine> quota) {
        title("quota, in cores", quota);
        if (!quota.isEmpty()) {
            row("FAMILY", "MACHINES", "ASKED", "BILLED", "USED", "LIMIT");
        }
        for (QuotaLine line : quota) {
            row(
                    line.family(),
                    Integer.toString(line.machines()),
                    Integer.toString(line.visibleCores()),
                    Integer.toString(line.billedCores()),
                    line.use().map(use -> Integer.toString(use.usedCores())).orElse("?"),
                    line.use().map(use -> Integer.toString(use.limitCores())).orElse("?"));
        }
    }

    private void row(String family, String machines, String asked, String billed, String used, String limit) {
        line(String.format(Locale.ROOT, "  %-34s %9s %9s %9s %9s %9s", family, machines, asked, billed, used, limit));
    }

    /** Local nodes cost nothing, so nothing is said of their price. */
    private void price(Plan plan) {
        if (plan.price().isPresent()) {
            Price price = plan.price().get();
            line("price");
            line("  " + price.perHour().toPlainString() + " " + price.currency() + " per hour, machines only");
        } else if (!plan.quota().isEmpty()) {
            line("price");
            line("  not checked");
        }
    }

    private void title(String title, List<?> lines) {
        if (!lines.isEmpty()) {
            line(title);
        }
    }

    private void wrap(String first, String rest, String words) {
        StringBuilder line = new StringBuilder(first);
        int indent = first.length();
        for (String word : words.split(" ", -1)) {
            boolean begun = line.length() > indent;
            if (begun && line.length() + 1 + word.length() > WIDTH) {
                line(line.toString());
                line = new StringBuilder(rest);
                indent = rest.length();
                begun = false;
            }
            line.append(begun ? " " : "").append(word);
        }
        line(line.toString());
    }

    private void line(String one) {
        text.append(one).append('\n');
    }
}
