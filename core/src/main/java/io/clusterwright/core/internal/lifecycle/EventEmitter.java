package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events of an operation to its listener: in order, one at a time, on a thread that the operation does not wait for, so that a
 * listener neither stops nor ends it. Safe for use by several threads.
 */
public final class EventEmitter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventEmitter.class);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final ClusterListener listener;
    private final Clock clock;
    private final Duration longestEnd;
    private final Map<NodeName, Long> firstSeenNanos = new HashMap<>();
    private final Queue<ClusterEvent> waiting = new ArrayDeque<>();
    /** Done when nothing waits; its thread ends then as well. */
    private CompletableFuture<Void> delivered = CompletableFuture.completedFuture(null);

    /** An emitter of one operation. */
    public EventEmitter(ClusterListener listener, Clock clock) {
        this(listener, clock, LONGEST_END);
    }

    EventEmitter(ClusterListener listener, Clock clock, Duration longestEnd) {
        this.listener = listener;
        this.clock = clock;
        this.longestEnd = longestEnd;
    }

    /** Does a step between its two events. */
    public <T> T step(Step step, String what, Supplier<T> work) {
        long beginNanos = WaitTime.nanos();
        emit(new ClusterEvent.StepStarted(clock.instant(), step, what));
        try {
            T result = work.get();
            emit(new ClusterEvent.StepFinished(clock.instant(), step, since(beginNanos)));
            return result;
        } catch (RuntimeException | Error e) {
            emit(new ClusterEvent.StepFailed(clock.instant(), step, since(beginNanos), String.valueOf(e.getMessage())));
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
        long firstNanos = firstSeenNanos.computeIfAbsent(node, name -> WaitTime.nanos());
        emit(new ClusterEvent.NodeChanged(clock.instant(), node, phase, since(firstNanos), detail));
    }

    /** Something worth knowing. */
    public void notice(Finding finding) {
        emit(new ClusterEvent.Noticed(clock.instant(), finding));
    }

    /** A check ended. */
    public void checked(CheckReport report, Duration took) {
        emit(new ClusterEvent.Checked(clock.instant(), report, took));
    }

    /** The time in which this process ran since then: the clock of the machine may jump. */
    private static Duration since(long beginNanos) {
        return Duration.ofNanos(WaitTime.nanos() - beginNanos);
    }

    private synchronized void emit(ClusterEvent event) {
        waiting.add(event);
        if (delivered.isDone()) {
            delivered = new CompletableFuture<>();
            Threads.start("events", this::deliver);
        }
    }

    private void deliver() {
        for (ClusterEvent event = next(); event != null; event = next()) {
            try {
                listener.onEvent(event);
            } catch (Throwable e) {
                LOG.debug("a cluster listener failed on {}", event, e);
            }
        }
    }

    private synchronized @Nullable ClusterEvent next() {
        ClusterEvent event = waiting.poll();
        if (event == null) {
            delivered.complete(null);
        }
        return event;
    }

    private synchronized CompletableFuture<Void> delivered() {
        return delivered;
    }

    /** Waits for the listener, at most 10 s; a slower one gets the rest later. An interrupt does not shorten the wait, and is kept. */
    @Override
    public void close() {
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "end of the events", longestEnd);
        boolean interrupted = Thread.interrupted();
        while (true) {
            try {
                WaitTime.get(delivered(), deadline.remaining());
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException e) {
                LOG.debug("a cluster listener did not take all events within {}", deadline, e);
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
