package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.job.QueuedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The answer of {@code squeue}. */
final class SlurmQueue {
    private static final Duration ASK = Duration.ofSeconds(30);
    /** Only the name, which comes last, can hold a bar. */
    private static final String FORMAT = "%i|%T|%r|%u|%N|%j";

    private static final int COLUMNS = 6;

    private SlurmQueue() {}

    static List<QueuedJob.Listed> read(NodeSession session) {
        return parse(session.run(
                        Command.of("squeue", "--all", "--noheader", "--states=all", "--sort=i", "--format=" + FORMAT)
                                .timeout(ASK))
                .orThrow()
                .stdout());
    }

    static List<QueuedJob.Listed> parse(String text) {
        List<QueuedJob.Listed> jobs = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] columns = line.split("\\|", COLUMNS);
            if (columns.length < COLUMNS) {
                throw new ClusterwrightException("squeue printed \"" + line + "\", expected " + COLUMNS + " columns");
            }
            jobs.add(new QueuedJob.Listed(
                    columns[0],
                    columns[5].strip(),
                    columns[3],
                    SlurmJobRecord.status(columns[1], columns[2]),
                    columns[4]));
        }
        return List.copyOf(jobs);
    }
}
