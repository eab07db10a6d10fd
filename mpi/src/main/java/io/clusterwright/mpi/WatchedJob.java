package io.clusterwright.mpi;

import io.clusterwright.mpi.spi.LaunchRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Whoever watches over one run. */
interface WatchedJob {
    LaunchRequest request();

    /** The launcher's command line. */
    List<String> command();

    /** Completed once everything of the run is over. */
    CompletableFuture<JobResult> result();

    /** Has the run ended soon; returns at once. */
    void cancel();

    /** What is known of a run that could not be ended in time. */
    JobResult unfinished();
}
