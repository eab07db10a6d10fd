package io.clusterwright.windows.hpcpack;

/**
 * A job as the head node tells of it.
 *
 * @param id its number
 * @param properties all that was sent
 */
public record JobStatus(int id, Properties properties) {

    /** Its state. */
    public JobState state() {
        return JobState.parse(properties.text("State"));
    }

    /** Why it failed or was cancelled; empty when nothing was said, as for jobs that finished. */
    public String errorMessage() {
        return properties.text("ErrorMessage");
    }
}
