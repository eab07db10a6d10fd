package io.clusterwright.mpi;

/** Receives a job's output line by line, while it runs. */
@FunctionalInterface
public interface OutputLineListener {

    /**
     * Takes a line; called by one thread at a time. An exception thrown here ends the delivery, not the job.
     *
     * @param line without the launcher's label
     */
    void onLine(OutputLine line);
}
