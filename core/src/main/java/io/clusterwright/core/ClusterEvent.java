package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.time.Instant;

/**
 * An event of creating, checking or destroying a cluster. Use it to show the progress of an operation.
 *
 * @see ClusterListener
 */
public sealed interface ClusterEvent {

    /** The time of the event. */
    Instant time();

    /**
     * A step began.
     *
     * @param time the time of the event
     * @param step the step
     * @param what the work that begins, for people
     */
    record StepStarted(Instant time, Step step, String what) implements ClusterEvent {}

    /**
     * A line of a running step.
     *
     * @param time the time of the event
     * @param step the step
     * @param line one line for people
     */
    record StepProgress(Instant time, Step step, String line) implements ClusterEvent {}

    /**
     * A step was done.
     *
     * @param time the time of the event
     * @param step the step
     * @param took its duration
     */
    record StepFinished(Instant time, Step step, Duration took) implements ClusterEvent {}

    /**
     * A step failed, or was interrupted.
     *
     * @param time the time of the event
     * @param step the step
     * @param took its duration
     * @param reason the cause
     */
    record StepFailed(Instant time, Step step, Duration took, String reason) implements ClusterEvent {}

    /**
     * A node entered another phase.
     *
     * @param time the time of the event
     * @param node the node
     * @param phase the phase it is in now
     * @param sinceStart how long after its first phase
     * @param detail more, for people; may be empty
     */
    record NodeChanged(Instant time, NodeName node, NodePhase phase, Duration sinceStart, String detail)
            implements ClusterEvent {}

    /**
     * A finding about the cluster.
     *
     * @param time the time of the event
     * @param finding the finding
     */
    record Noticed(Instant time, Finding finding) implements ClusterEvent {}

    /**
     * A check ended.
     *
     * @param time the time of the event
     * @param report its result
     * @param took its duration
     */
    record Checked(Instant time, CheckReport report, Duration took) implements ClusterEvent {}

    /** The phases of a node, from its creation to its deletion. */
    enum NodePhase {
        /** Its machine is being created. */
        CREATING,
        /** Its machine was created and is starting. */
        BOOTING,
        /** A command ran on it over a session with its pinned host key. */
        READY,
        /** It has the host list of all nodes. */
        JOINED,
        /** It did not become ready. */
        FAILED,
        /** It was late and its machine is being restarted. */
        RESTARTING,
        /** Its machine is deleted and created again. */
        REPLACING,
        /** Its machine was stopped; its disk stays. */
        STOPPED,
        /** Its machine was deleted. */
        DELETED
    }
}
