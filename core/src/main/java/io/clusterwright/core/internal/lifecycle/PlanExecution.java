package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.TimeLimit;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** One attempt to carry out a plan: holds the cluster's record, and rolls back when the attempt fails. Used once, by one thread. */
final class PlanExecution {
    private final String failure;
    private final ClusterWork context;
    private final EventEmitter events;
    private final Optional<ClusterState> before;
    private final StateStore.Writer writer;
    private final CreateOptions options;

    /**
     * An attempt.
     *
     * @param failure a clause for the message of a failure: {@code cluster wing was not created}
     * @param writer the record; closed when the attempt ends
     */
    PlanExecution(
            String failure,
            ClusterWork context,
            Optional<ClusterState> before,
            StateStore.Writer writer,
            CreateOptions options) {
        this.failure = failure;
        this.context = context;
        this.events = context.events;
        this.before = before;
        this.writer = writer;
        this.options = options;
    }

    /** Does the work, whose resources stay; its sessions stay open. */
    <T> T run(BiFunction<ClusterWork, Optional<ClusterState>, T> work) {
        try (writer;
                events;
                TimeLimit limit = TimeLimit.of(options.limit())) {
            try {
                T result = work.apply(context, before);
                if (limit.passed() || Thread.currentThread().isInterrupted()) {
                    throw new ClusterwrightException("interrupted at the end");
                }
                return result;
            } catch (RuntimeException | Error e) {
                boolean late = limit.passed();
                boolean interrupted = Thread.interrupted();
                context.closeSessions();
                ClusterwrightException failed = failed(e, late, interrupted);
                ClusterLog.failed(failed.getMessage());
                throw failed;
            }
        }
    }

    /** Does the work, and then removes all that was announced on the way. */
    void runAndRemove(Consumer<ClusterWork> work) {
        run((same, none) -> {
            work.accept(same);
            same.closeSessions();
            Tasks.uninterruptibly(() -> {
                DestroyReport outcome = removal().removeAndSweep(same.made());
                if (outcome.left().isEmpty()) {
                    writer.forget();
                }
                return outcome;
            });
            return same;
        });
    }

    private ResourceRemoval removal() {
        return new ResourceRemoval(
                context.cluster(),
                context.provider,
                context.images,
                context.journal.forCleanUp()::deleted,
                events,
                List.of());
    }

    private ClusterwrightException failed(Throwable cause, boolean late, boolean interrupted) {
        String reason = Reason.of(cause);
        if (late) {
            reason = "it took longer than the limit of "
                    + Deadline.text(options.limit().orElse(Duration.ZERO));
        } else if (interrupted) {
            reason = "interrupted";
        }
        if (!context.begun() && context.made().isEmpty()) {
            String message = failure + ": " + reason + "; nothing was deleted or made";
            List<ResourceId> kept = List.copyOf(context.kept());
            return interrupted
                    ? new OperationInterruptedException(message, new CreateFailedException(message, cause, kept, true))
                    : new CreateFailedException(message, cause, kept);
        }
        if (context.begun()) {
            context.journal.forCleanUp().failed(reason);
        }
        String end;
        List<ResourceId> remaining;
        if (options.keepsOnFailure()) {
            remaining = new ArrayList<>(context.made());
            end = "; its resources were kept: examine them, then destroy the cluster";
        } else {
            List<ResourceId> made = context.made();
            try {
                DestroyReport outcome = Tasks.uninterruptibly(() -> rollBack(cause));
                remaining = new ArrayList<>(outcome.left().keySet());
                end = remaining.isEmpty()
                        ? "; everything created for it was deleted"
                        : "; could not be deleted: " + outcome.left() + ": destroy the cluster to try again";
            } catch (RuntimeException e) {
                cause.addSuppressed(e);
                remaining = new ArrayList<>(made);
                end = "; its clean-up did not finish: " + Reason.of(e) + ": destroy the cluster to try again";
            }
        }
        String message = failure + ": " + reason + end + earlier();
        if (interrupted) {
            // An interrupt during the rollback counts for the caller's next call only.
            return new OperationInterruptedException(
                    message, new CreateFailedException(message, cause, remaining, true));
        }
        remaining.addAll(context.kept());
        return new CreateFailedException(message, cause, remaining);
    }

    /** A clause that tells what was there before this attempt and still is. */
    private String earlier() {
        Set<ResourceId> kept = context.kept();
        if (kept.isEmpty()) {
            return "";
        }
        List<NodeName> nodes = kept(state -> state.machines().values());
        return "; of what was there before, "
                + (nodes.isEmpty() ? kept.size() + " resources" : NodeSet.fold(nodes))
                + (nodes.size() == 1 ? " remains, and is" : " remain, and are")
                + " billed where machines are: create the cluster again to complete it, or destroy it";
    }

    /** The nodes of these machines that were there before this attempt and still are. */
    private List<NodeName> kept(Function<ClusterState, Collection<Machine>> machines) {
        Set<ResourceId> kept = context.kept();
        return before.stream()
                .flatMap(state -> machines.apply(state).stream())
                .filter(machine -> kept.contains(machine.resource()))
                .map(Machine::name)
                .toList();
    }

    private void removeHostKeys() {
        List<NodeName> there = kept(ClusterState::allMachines);
        NodePlan wanted = NodePlan.of(context.spec);
        Stream.concat(wanted.machines().keySet().stream(), Stream.of(wanted.templateName(), wanted.testName()))
                .filter(node -> !there.contains(node))
                .forEach(context.keys::removeHost);
    }

    private DestroyReport rollBack(Throwable cause) {
        boolean allMadeHere = context.kept().isEmpty();
        DestroyReport outcome = events.step(
                Step.DESTROY,
                "roll back",
                () -> allMadeHere
                        ? removal().removeAndSweep(context.made())
                        : removal().remove(context.made()));
        if (outcome.left().isEmpty() && allMadeHere) {
            Lifecycle.forget(writer, cause);
        }
        if (outcome.left().isEmpty() && !allMadeHere) {
            removeHostKeys();
        }
        return outcome;
    }
}
