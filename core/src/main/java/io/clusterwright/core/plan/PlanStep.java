package io.clusterwright.core.plan;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.HasJson;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One step of a plan. Use it to show the work of a plan in order.
 *
 * @param step which
 * @param description what it will do, for people
 * @param creates what it will make; empty when it makes nothing
 * @see Plan
 */
public record PlanStep(Step step, String description, List<PlannedResource> creates) implements HasJson {
    /** Copies the list. */
    public PlanStep {
        Objects.requireNonNull(step, "step");
        Objects.requireNonNull(description, "description");
        creates = List.copyOf(creates);
    }

    /** A step that makes nothing. */
    public PlanStep(Step step, String description) {
        this(step, description, List.of());
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("step", PrintableText.word(step))
                .and("description", description)
                .and("creates", creates);
    }
}
