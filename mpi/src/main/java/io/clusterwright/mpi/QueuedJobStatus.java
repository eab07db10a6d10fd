package io.clusterwright.mpi;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The state of a job in a scheduler's queue. Immutable. */
public final class QueuedJobStatus {
    private final State state;
    private final String word;
    private final String reason;
    private final @Nullable Integer exitStatus;
    private final @Nullable Integer signal;

    private QueuedJobStatus(
            State state, String word, String reason, @Nullable Integer exitStatus, @Nullable Integer signal) {
        this.state = state;
        this.word = word;
        this.reason = reason;
        this.exitStatus = exitStatus;
        this.signal = signal;
    }

    /**
     * A status without exit status and signal.
     *
     * @param word the scheduler's word for the state, such as {@code PENDING}
     * @param reason the scheduler's reason for it, such as {@code Resources}; empty when there is none
     */
    public static QueuedJobStatus of(State state, String word, String reason) {
        return new QueuedJobStatus(state, word, reason, null, null);
    }

    /** The same with the exit status of the job. */
    public QueuedJobStatus withExitStatus(int number) {
        return new QueuedJobStatus(state, word, reason, number, null);
    }

    /** The same with the number of the signal that ended the job. */
    public QueuedJobStatus withSignal(int number) {
        return new QueuedJobStatus(state, word, reason, null, number);
    }

    /** The state, in the words of this library. */
    public State state() {
        return state;
    }

    /** The state in the scheduler's word, such as {@code NODE_FAIL} of Slurm. */
    public String word() {
        return word;
    }

    /** The scheduler's reason for the state; empty when it gives none. */
    public String reason() {
        return reason;
    }

    /** The exit status of the job; absent when it has not ended or a signal ended it. */
    public OptionalInt exitStatus() {
        return exitStatus == null ? OptionalInt.empty() : OptionalInt.of(exitStatus);
    }

    /** The number of the signal that ended the job; absent when none did. */
    public OptionalInt signal() {
        return signal == null ? OptionalInt.empty() : OptionalInt.of(signal);
    }

    /** Whether the job has ended, or the scheduler does not know it any more. */
    public boolean ended() {
        return state != State.WAITING && state != State.RUNNING;
    }

    /** Whether the job ended by itself with status 0. */
    public boolean succeeded() {
        return state == State.SUCCEEDED;
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

    /** The status for people, such as {@code FAILED (NonZeroExitCode), exit status 3}. */
    @Override
    public String toString() {
        return word
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + (exitStatus == null ? "" : ", exit status " + exitStatus)
                + (signal == null ? "" : ", signal " + signal);
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
