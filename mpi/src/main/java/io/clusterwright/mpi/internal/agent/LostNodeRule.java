package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.BrokenConnection;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node that is lost to a job from a connection of this machine that broke. A node that closed its connection is lost if the launch
 * node answers. Where a node fell silent, the order in which connections break and come back says nothing, as each is opened again on its own: the node
 * is lost when an attempt to reach it failed that began after the launch node had answered, and the launch node still answers. All times are by
 * {@link WaitTime#RUNNING}. Safe for use by several threads.
 */
final class LostNodeRule {
    private final BooleanSupplier launchNodeAnswers;
    private @Nullable Long answeredNanos;

    /** Asks the launch node for an answer by this. */
    LostNodeRule(BooleanSupplier launchNodeAnswers) {
        this.launchNodeAnswers = launchNodeAnswers;
    }

    /** Whether a node is lost, by what is known now. */
    synchronized boolean isLost(BrokenConnection connection) {
        if (!connection.silent()) {
            return launchNodeAnswers.getAsBoolean();
        }
        Long answered = answeredNanos;
        if (answered != null && answered - connection.sinceNanos() <= 0) {
            answered = null;
        }
        if (answered != null && connection.failedNanos() - answered <= 0) {
            return false;
        }
        boolean answers = launchNodeAnswers.getAsBoolean();
        answeredNanos = answers ? WaitTime.RUNNING.nanos() : null;
        return answered != null && answers;
    }
}
