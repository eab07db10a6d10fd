package io.clusterwright.windows.hpcpack;

import java.util.Map;

/**
 * A job as the head node reports it. Use it to see how far a job is and why it failed.
 *
 * @param id its number
 * @param properties all properties that were sent, by their names in HPC Pack's ISchedulerJob
 * @see HpcPackJobs
 */
public record JobStatus(int id, Map<String, String> properties) {
    /** Copies the map. */
    public JobStatus {
        properties = Map.copyOf(properties);
    }

    /** Its state. */
    public JobState state() {
        return JobState.of(properties.getOrDefault("State", ""));
    }

    /** The reason why it failed or was cancelled; empty when none was sent, as for jobs that finished. */
    public String errorMessage() {
        return properties.getOrDefault("ErrorMessage", "");
    }
}
