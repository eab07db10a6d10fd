package io.clusterwright.mpi;

import io.clusterwright.core.OutputListener;
import java.util.OptionalInt;

/**
 * A line of a job's output.
 *
 * @param stream which stream it was written to
 * @param rankOrNone the rank that wrote it, or {@link #NONE} when the launcher wrote it or could not tell
 * @param text the line without its line break
 */
public record OutputLine(OutputListener.Stream stream, int rankOrNone, String text) {
    /** Stands for no rank. */
    public static final int NONE = -1;

    /** The rank that wrote it. */
    public OptionalInt rank() {
        return rankOrNone == NONE ? OptionalInt.empty() : OptionalInt.of(rankOrNone);
    }
}
