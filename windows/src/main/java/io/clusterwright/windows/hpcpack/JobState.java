package io.clusterwright.windows.hpcpack;

import io.clusterwright.mpi.job.QueuedJobStatus;
import java.util.Arrays;

/**
 * The state of a job or of a task. Use it to see whether a job has ended. A cancelled task ends as {@link #FAILED},
 * and so does its job then.
 *
 * @see HpcPackJobs
 */
public enum JobState {
    /** It can still be changed. */
    CONFIGURING("Configuring"),
    /** It has been handed in. */
    SUBMITTED("Submitted"),
    /** The head node checks it. */
    VALIDATING("Validating"),
    /** A filter of the administrator checks it. */
    EXTERNAL_VALIDATION("ExternalValidation"),
    /** It waits for nodes. */
    QUEUED("Queued"),
    /** It is on its way to its nodes. */
    DISPATCHING("Dispatching"),
    /** It runs. */
    RUNNING("Running"),
    /** It is being ended in order. */
    FINISHING("Finishing"),
    /** It has ended well. */
    FINISHED("Finished"),
    /** It has ended badly, or could not start. */
    FAILED("Failed"),
    /** It is being cancelled. */
    CANCELING("Canceling"),
    /** It was cancelled. */
    CANCELED("Canceled"),
    /** A word that is not known here. */
    UNKNOWN("Unknown");

    private final String word;

    JobState(String word) {
        this.word = word;
    }

    /** The head node's word for it. */
    public String word() {
        return word;
    }

    /** Reads the head node's word, whatever its case; {@link #UNKNOWN} for one that is not known. */
    public static JobState of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equalsIgnoreCase(word.strip()))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** What this state of a job means to a queued job; the exit status of its task may still make a finished job a failed one. */
    QueuedJobStatus.State queued() {
        return switch (this) {
            case CONFIGURING, SUBMITTED, VALIDATING, EXTERNAL_VALIDATION, QUEUED -> QueuedJobStatus.State.WAITING;
            case FINISHED -> QueuedJobStatus.State.SUCCEEDED;
            case FAILED -> QueuedJobStatus.State.FAILED;
            case CANCELED -> QueuedJobStatus.State.CANCELLED;
            case DISPATCHING, RUNNING, FINISHING, CANCELING, UNKNOWN -> QueuedJobStatus.State.RUNNING;
        };
    }

    /** Whether it stays so unless the job is queued again. */
    public boolean ended() {
        return this == FINISHED || this == FAILED || this == CANCELED;
    }
}
