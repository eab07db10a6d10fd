package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.time.Instant;

/** Something that happened while a cluster was created, checked or destroyed. */
public sealed interface ClusterEvent {

    /** When it happened. */
    Instant time();

    /**
     * A step began.
     *
     * @param time when
     * @param step which
     * @param what what it is about to do
     */
    record StepStarted(Instant time, Step step, String what) implements ClusterEvent {}

    /**
     * A step has something to say while it runs.
     *
     * @param time when
     * @param step which
     * @param line one line for people
     */
    record StepProgress(Instant time, Step step, String line) implements ClusterEvent {}

    /**
     * A step was done.
     *
     * @param time when
     * @param step which
     * @param took how long it took
     */
    record StepFinished(Instant time, Step step, Duration took) implements ClusterEvent {}

    /**
     * A step failed, or was interrupted.
     *
     * @param time when
     * @param step which
     * @param took how long it took
     * @param reason why
     */
    record StepFailed(Instant time, Step step, Duration took, String reason) implements ClusterEvent {}

    /**
     * A node came into another phase.
     *
     * @param time when
     * @param node which
     * @param phase the phase it is in now
     * @param sinceStart how long after its first phase
     * @param detail more, for people; may be empty
     */
    record NodeChanged(Instant time, NodeName node, NodePhase phase, Duration sinceStart, String detail)
            implements ClusterEvent {}

    /**
     * Something was found that is worth knowing.
     *
     * @param time when
     * @param finding what
     */
    record Noticed(Instant time, Finding finding) implements ClusterEvent {}

    /**
     * A check ended.
     *
     * @param time when
     * @param report what it found
     * @param took how long it took
     */
    record Checked(Instant time, CheckReport report, Duration took) implements ClusterEvent {}
}
