package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job to be handed to Slurm on purpose ({@code sbatch}): it waits in Slurm's queue, runs, and ends without this program, which
 * may be gone by then. Immutable.
 *
 * <pre>{@code
 * SlurmJob job = SlurmBatch.of(MpiJob.of("/opt/app/solver", "case.xml").ranksPerNode(4), target).submit();
 * // now, or in another program that knows the id:
 * Optional<SlurmJobStatus> end = SlurmJob.of(target, job.id()).await(Duration.ofHours(8));
 * }</pre>
 */
public final class SlurmBatch {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Pattern ID = Pattern.compile("(\\d+)(?:;\\S+)?");

    private final MpiJob job;
    private final SlurmTarget target;
    private final String outputFile;

    private SlurmBatch(MpiJob job, SlurmTarget target, String outputFile) {
        this.job = job;
        this.target = target;
        this.outputFile = outputFile;
    }

    /**
     * This job on these nodes. Its output is a file that no rank labels: labels belong to jobs that are watched. Files to be staged in
     * are copied when it is submitted, and must stay as they are until it has run.
     *
     * @throws IllegalArgumentException when the job has standard input or files to be staged out, which need somebody who is there when
     *     it runs
     */
    public static SlurmBatch of(MpiJob job, SlurmTarget target) {
        if (job.input() != null) {
            throw new IllegalArgumentException(
                    "a job handed over to Slurm has no standard input: put the input into a file with"
                            + " stageIn or on a shared file system, and let the program read it: sh -c 'exec solver < /data/case'");
        }
        if (!job.filesOut().isEmpty()) {
            throw new IllegalArgumentException(
                    "a job handed over to Slurm cannot stage files out, since this program may be gone when"
                            + " it ends: leave stageOut out, and download the files when SlurmJob.await says that it has ended");
        }
        return new SlurmBatch(job, target, "");
    }

    /**
     * The same job with its output in this file on the node that Slurm starts it on; by default {@code slurm-ID.out} in the
     * folder it is submitted from, the home folder of the user. Slurm replaces {@code %j} by the id.
     *
     * @throws InvalidValueException when the path is not absolute or holds a line break or a NUL character
     */
    public SlurmBatch outputFile(String path) {
        if (!path.startsWith("/") || path.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("output file of a job", path, "an absolute path", "/data/job-%j.out");
        }
        return new SlurmBatch(job, target, path);
    }

    /**
     * Hands the job to Slurm and returns at once. Submitting again makes another job.
     *
     * @throws MpiNotFoundException when the MPI asked for is not on the first node
     * @throws IllegalArgumentException when the ranks do not fit, srun cannot express the job, or each rank would be alone
     * @throws StagingFailedException when a file could not be staged in
     * @throws ClusterwrightException when Slurm refuses the job (the message has its words) or does not answer within a minute, or the
     *     first node cannot be reached
     */
    public SlurmJob submit() {
        LaunchRequest request = JobStart.of(job, target, line -> {}, null).request();
        SlurmScript script = SlurmScript.of(request, target.settings(), outputFile);
        List<String> argv = new ArrayList<>(List.of("sbatch"));
        argv.addAll(script.options());
        NodeSession session = target.session(target.nodes().get(0).name());
        SlurmPmi.require(session, request, new SlurmLauncher(target.settings()).pmi(request.mpi()));
        new Staging(target, job).in();
        CommandResult result = session.run(Command.of(argv).input(script.text()).timeout(LIMIT))
                .orThrow();
        Matcher id = ID.matcher(result.stdout().strip());
        if (!id.matches()) {
            throw new IllegalStateException(
                    "sbatch answered \"" + result.stdout().strip() + "\" instead of a job's id");
        }
        return SlurmJob.of(target, Long.parseLong(id.group(1)));
    }
}
