package io.clusterwright.mpi.job;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.stream.Collectors;

/** A job did not succeed; the message has the command, how it ended, the findings and the last lines of output. */
public final class JobFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_LINES = 8;

    private final transient JobResult result;

    /** Creates the exception for a result. */
    public JobFailedException(JobResult result) {
        super(describe(result));
        this.result = result;
    }

    /** The result of the job. */
    public JobResult result() {
        return result;
    }

    static String describe(JobResult result) {
        StringBuilder text = new StringBuilder("`")
                .append(String.join(" ", result.command()))
                .append("` over ")
                .append(result.ranks())
                .append(" ranks ")
                .append(ending(result));
        result.firstFailure().ifPresent(failure -> text.append("; first, ").append(failure));
        result.findings().forEach(finding -> text.append("; ").append(finding));
        List<OutputLine> lines = result.outputTail();
        if (!lines.isEmpty()) {
            text.append("; output ends: ")
                    .append(lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()).stream()
                            .map(OutputLine::text)
                            .collect(Collectors.joining(" | ")));
        }
        return text.toString();
    }

    private static String ending(JobResult result) {
        return switch (result.outcome()) {
            case ENDED -> "ended with exit status " + result.exitStatus().orElse(0);
            case LAUNCH_FAILED -> "could not be started on every node";
            case NODE_LOST -> "lost a node";
            case TIMED_OUT -> "was ended because its time had passed (" + result.duration() + ")";
            case HUNG -> "was ended because its ranks waited for each other in MPI_Finalize";
            case CANCELLED -> "was cancelled";
            case LOST -> "was lost: the connection to the launch node broke";
        };
    }
}
