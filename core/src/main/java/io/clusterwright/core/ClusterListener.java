package io.clusterwright.core;

/**
 * Receives the events of an operation. Events of one node come in order; calls never overlap. An exception thrown here is logged and does
 * not break the work.
 */
@FunctionalInterface
public interface ClusterListener {
    /** Takes an event; returns soon, because the work waits. */
    void onEvent(ClusterEvent event);
}
