package io.clusterwright.core;

/**
 * Receives the events of an operation. Use it to show progress: {@link io.clusterwright.core.plan.Step} has the title
 * of each step. Events of one node come in order; calls never overlap. An exception thrown here is logged and does
 * not break the work.
 *
 * <pre>{@code
 * ClusterListener listener = event -> {
 *     if (event instanceof ClusterEvent.StepFailed failed) {
 *         System.out.println(failed.step().title() + ": " + failed.reason());
 *     } else if (event instanceof ClusterEvent.NodeChanged changed) {
 *         System.out.println(changed.node() + ": " + changed.phase());
 *     }
 * };
 * }</pre>
 */
@FunctionalInterface
public interface ClusterListener {
    /** Takes an event; returns soon, because the work waits. */
    void onEvent(ClusterEvent event);
}
