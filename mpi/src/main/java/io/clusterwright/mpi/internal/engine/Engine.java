package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult.Outcome;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The means by which a job is run: a launcher on nodes, or a scheduler. Used by the thread of its {@link JobSupervisor}. */
interface Engine extends AutoCloseable {

    /** Begins the work that can be done while the job's files are prepared. */
    default void prepare() {}

    /** Starts the job, or fails with its ending. */
    default Optional<Ending> launch() {
        return Optional.empty();
    }

    /** Asks for the end of the job; waits shortly where that saves a pause. */
    Optional<Ending> poll();

    /** The pause before the next poll; zero where the poll itself waits. */
    default Duration pause() {
        return Duration.ZERO;
    }

    /** Ends the job. */
    void stop(Outcome why);

    /** Looks after the end for remains of the job, and removes them unless it ended well. */
    Aftermath cleanUp(Ending ending);

    /** The aftermath of a run that could not be ended in time. */
    Aftermath unknown();

    /** Ends the remains of a run whose supervision failed. */
    default void abandon() {}

    /** Releases everything; waits for nothing. */
    @Override
    default void close() {}

    /**
     * The end of a run.
     *
     * @param status the exit status, if the job ended by itself: the first failed rank's if it is known, else the launcher's
     * @param running whether the job must still be ended
     * @param finding the reason, where it is a finding
     */
    record Ending(
            Outcome outcome,
            @Nullable Integer status,
            boolean running,
            @Nullable Finding finding) {
        static Ending ended(int status) {
            return new Ending(Outcome.ENDED, status, false, null);
        }

        static Ending stillRunning(Outcome outcome) {
            return new Ending(outcome, null, true, null);
        }

        Ending with(Finding reason) {
            return new Ending(outcome, status, running, reason);
        }

        boolean good() {
            return outcome == Outcome.ENDED && exitStatus().equals(OptionalInt.of(0));
        }

        OptionalInt exitStatus() {
            return status == null ? OptionalInt.empty() : OptionalInt.of(status);
        }
    }

    /**
     * The state of the nodes after a run.
     *
     * @param lost the nodes that were lost meanwhile
     */
    record Aftermath(
            List<LaunchFailure> failures,
            Map<NodeName, Leftovers> leftovers,
            List<Finding> findings,
            List<NodeName> lost) {}
}
