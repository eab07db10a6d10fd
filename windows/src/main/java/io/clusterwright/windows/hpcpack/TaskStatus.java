package io.clusterwright.windows.hpcpack;

import java.util.OptionalInt;

/**
 * A task as the head node tells of it.
 *
 * @param jobId the number of its job
 * @param id its number in the job, from 1
 * @param properties all that was sent
 */
public record TaskStatus(int jobId, int id, Properties properties) {

    /** Its state. */
    public JobState state() {
        return JobState.parse(properties.text("State"));
    }

    /** What its command ended with; absent while it has not. Windows programs may end with negative numbers. */
    public OptionalInt exitCode() {
        return state().ended() ? properties.number("ExitCode") : OptionalInt.empty();
    }

    /**
     * What its command has written to the console so far; empty when it writes to a file ({@code StdOutFilePath}). The head node keeps
     * a limited length.
     */
    public String output() {
        return properties.text("Output");
    }

    /** Why it failed; empty when nothing was said. */
    public String errorMessage() {
        return properties.text("ErrorMessage");
    }
}
