package io.clusterwright.core.plan;

/**
 * One step of a plan.
 *
 * @param step which
 * @param description what it will do, for people
 */
public record PlanStep(Step step, String description) {}
