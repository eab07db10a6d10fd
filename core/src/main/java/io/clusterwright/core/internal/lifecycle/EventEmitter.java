package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends events to the listener, one at a time. */
public final class EventEmitter {
    private static final Logger LOG = LoggerFactory.getLogger(EventEmitter.class);

    private final ClusterListener listener;
    private final Clock clock;
    private final Map<NodeName, Instant> firstSeen = new HashMap<>();

    /** An emitter of one operation. */
    public EventEmitter(ClusterListener listener, Clock clock) {
        this.listener = listener;
        this.clock = clock;
    }

    /** Does a step between its two events. */
    public <T> T step(Step step, String what, Supplier<T> work) {
        Instant start = clock.instant();
        emit(new ClusterEvent.StepStarted(start, step, what));
        try {
            T result = work.get();
            emit(new ClusterEvent.StepFinished(clock.instant(), step, since(start)));
            return result;
        } catch (RuntimeException | Error e) {
            emit(new ClusterEvent.StepFailed(clock.instant(), step, since(start), String.valueOf(e.getMessage())));
            throw e;
        }
    }

    /** Does a step that has no result. */
    public void step(Step step, String what, Runnable work) {
        step(step, what, () -> {
            work.run();
            return step;
        });
    }

    /** A line of a running step. */
    public void progress(Step step, String line) {
        emit(new ClusterEvent.StepProgress(clock.instant(), step, line));
    }

    /** A node came into a phase. */
    public synchronized void node(NodeName node, NodePhase phase, String detail) {
        Instant now = clock.instant();
        Instant first = firstSeen.computeIfAbsent(node, name -> now);
        emit(new ClusterEvent.NodeChanged(now, node, phase, Duration.between(first, now), detail));
    }

    /** Something worth knowing. */
    public void notice(Finding finding) {
        emit(new ClusterEvent.Noticed(clock.instant(), finding));
    }

    /** A check ended. */
    public void checked(CheckReport report, Duration took) {
        emit(new ClusterEvent.Checked(clock.instant(), report, took));
    }

    private Duration since(Instant start) {
        return Duration.between(start, clock.instant());
    }

    private synchronized void emit(ClusterEvent event) {
        try {
            listener.onEvent(event);
        } catch (RuntimeException e) {
            LOG.debug("a cluster listener failed on {}", event, e);
        }
    }
}
