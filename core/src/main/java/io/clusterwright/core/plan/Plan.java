package io.clusterwright.core.plan;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.HasJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The steps, findings, quota and price of creating a cluster. Use it to show what {@code create} will do and cost
 * before anything is billed. Making a plan changes nothing. Immutable. Two plans of the same content are equal.
 *
 * <pre>{@code
 * Plan plan = clusters.plan(spec);
 * if (!plan.isFeasible()) {
 *     plan.findings().stream().filter(Finding::isError).forEach(System.out::println);
 * }
 * for (PlanStep step : plan.steps()) {
 *     for (PlannedResource resource : step.creates()) {
 *         System.out.println(step.description() + ": " + resource); // says what is billed
 *     }
 * }
 * for (QuotaLine line : plan.quota()) {
 *     System.out.println(line.family() + ": " + line.billedCores() + " cores, exceeded: " + line.exceeded());
 * }
 * System.out.println(plan.toText()); // the same for people
 * }</pre>
 */
public interface Plan extends HasJson {

    /** The spec to carry out, with the provider's own part merged in, and the MPI of the size where it names none. */
    ClusterSpec spec();

    /** The name of the provider it was made for. */
    String provider();

    /** The errors, warnings and notes. */
    List<Finding> findings();

    /** The steps, in order. */
    List<PlanStep> steps();

    /**
     * The use of quotas by the machines, one line for each family of sizes, then the lines of the region; empty where nothing is billed.
     */
    List<QuotaLine> quota();

    /** The checks that could not run, each with the reason. */
    List<String> notChecked();

    /** Whether no provider was queried, so that the cluster cannot be created from this plan. */
    boolean offline();

    /** The price of the machines for an hour; empty without a price table that has their sizes. */
    Optional<Price> price();

    /** Returns the plan with only the findings of this severity and worse. Errors always stay. */
    Plan atLeast(Severity least);

    /** The plan for people: always the same text for the same plan. */
    String toText();

    /** Whether no finding is an error. */
    default boolean isFeasible() {
        return findings().stream().noneMatch(Finding::isError);
    }

    @Override
    default Map<String, Object> toMap() {
        return JsonFields.of("valid", isFeasible())
                .and("findings", findings())
                .and("steps", steps())
                .and("quota", quota())
                .and(
                        "price",
                        JsonFields.of("status", price().isPresent() ? "checked" : "not checked")
                                .and("currency", price().map(Price::currency))
                                .and("perHour", price().map(Price::perHour)))
                .and("notChecked", notChecked());
    }
}
