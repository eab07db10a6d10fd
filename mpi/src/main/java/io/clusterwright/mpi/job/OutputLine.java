package io.clusterwright.mpi.job;

import io.clusterwright.core.RunningCommand.OutputListener;
import java.util.OptionalInt;

/**
 * A line of a job's output. Use it to follow the output of a job rank by rank.
 *
 * @param stream the stream it was written to
 * @param rank the rank that wrote it; empty when the launcher wrote it or did not label it
 * @param text the line without its line break
 * @see io.clusterwright.mpi.PlacedMpiJob
 */
public record OutputLine(OutputListener.Stream stream, OptionalInt rank, String text) {}
