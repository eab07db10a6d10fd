package io.clusterwright.core;

/**
 * Receives the events of an operation. Use it to show progress: {@link io.clusterwright.core.plan.Step} has the title
 * of each step.
 *
 * <p>The events of an operation come in order, and one call ends before the next begins. They come on a thread of this
 * library, which the operation does not wait for: a listener neither slows nor interrupts it, and whatever the listener
 * throws is logged. Only at its end the operation waits, at most 10 s, until the listener has taken all events. What
 * the listener wrote until then is visible to the caller of the operation. A slower listener gets the other events later.
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
    /** Takes an event. */
    void onEvent(ClusterEvent event);
}
