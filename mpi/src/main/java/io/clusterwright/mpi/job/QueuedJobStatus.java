package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.HasJson;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The state of a job in a scheduler's queue. Use it to see whether a job waits, runs or has ended.
 *
 * @param state the state, in the words of this library
 * @param word the state in the scheduler's word, such as {@code NODE_FAIL} of Slurm
 * @param reason the scheduler's reason for the state, such as {@code Resources}; empty when it gives none
 * @param exitStatus the exit status of the job; empty when it has not ended, when a signal or the scheduler ended it, or when the scheduler does not name it
 * @param signal the number of the signal that ended the job; empty when none did
 * @see QueuedJob
 */
public record QueuedJobStatus(State state, String word, String reason, OptionalInt exitStatus, OptionalInt signal)
        implements HasJson {

    /** A status without exit status and signal. */
    public static QueuedJobStatus of(State state, String word, String reason) {
        return new QueuedJobStatus(state, word, reason, OptionalInt.empty(), OptionalInt.empty());
    }

    /** Adds the exit status of the job. */
    public QueuedJobStatus withExitStatus(int number) {
        return new QueuedJobStatus(state, word, reason, OptionalInt.of(number), OptionalInt.empty());
    }

    /** Adds the number of the signal that ended the job. */
    public QueuedJobStatus withSignal(int number) {
        return new QueuedJobStatus(state, word, reason, OptionalInt.empty(), OptionalInt.of(number));
    }

    /** Whether the job has ended, or the scheduler does not know it any more. */
    public boolean ended() {
        return state != State.WAITING && state != State.RUNNING;
    }

    /** Whether the job ended by itself with status 0. */
    public boolean succeeded() {
        return state == State.SUCCEEDED;
    }

    /** The way the job ended, as {@link JobResult#outcome()} has it. */
    public JobResult.Outcome outcome() {
        return switch (state) {
            case CANCELLED -> JobResult.Outcome.CANCELLED;
            case TIMED_OUT -> JobResult.Outcome.TIMED_OUT;
            case UNKNOWN -> JobResult.Outcome.LOST;
            case WAITING, RUNNING, SUCCEEDED, FAILED -> JobResult.Outcome.ENDED;
        };
    }

    /**
     * This status when the job succeeded.
     *
     * @throws ClusterwrightException when it did not, or has not ended yet
     */
    public QueuedJobStatus orThrow() {
        if (!succeeded()) {
            throw new ClusterwrightException("the job did not succeed; its state is " + this);
        }
        return this;
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("state", PrintableText.word(state))
                .and("word", word)
                .and("reason", reason)
                .and("exit", exitStatus)
                .and("signal", signal);
    }

    /** The status for people, such as {@code FAILED (NonZeroExitCode), exit status 3}. */
    @Override
    public String toString() {
        return word
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + (exitStatus.isEmpty() ? "" : ", exit status " + exitStatus.getAsInt())
                + (signal.isEmpty() ? "" : ", signal " + signal.getAsInt());
    }

    /** The states of a queued job. */
    public enum State {
        /** It waits for nodes. */
        WAITING,
        /** It runs, or is starting or ending. */
        RUNNING,
        /** It ended by itself with status 0. */
        SUCCEEDED,
        /** It ended in another way than the other states say. */
        FAILED,
        /** It was cancelled. */
        CANCELLED,
        /** Its time passed, and the scheduler ended it. */
        TIMED_OUT,
        /** The scheduler does not know it any more. */
        UNKNOWN
    }
}
