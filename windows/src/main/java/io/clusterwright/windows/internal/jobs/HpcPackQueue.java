package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue of a head node: each MPI job is a job of one task. */
public final class HpcPackQueue {
    private static final Logger LOG = LoggerFactory.getLogger(HpcPackQueue.class);
    private static final Duration LONGEST = Duration.ofDays(30);

    private final HpcPackClient client;
    private final BiFunction<HpcPackJob, List<LaunchNode>, HpcPackJob> placement;
    private final IntConsumer submission;

    /**
     * Creates the queue.
     *
     * @param placement completes a job that runs on these nodes, or on as many others
     * @param submission submits the job of a number
     */
    public HpcPackQueue(
            HpcPackClient client,
            BiFunction<HpcPackJob, List<LaunchNode>, HpcPackJob> placement,
            IntConsumer submission) {
        this.client = client;
        this.placement = placement;
        this.submission = submission;
    }

    /**
     * Submits a job. When this throws, no job is left behind.
     *
     * @param limit the time after which the head node itself ends the job
     */
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        LaunchCommand command = new HpcPackLauncher().command(request);
        List<LaunchNode> used = request.usedNodes();
        HpcPackTask task = HpcPackTask.of(HpcPackCommandLine.stored(command.arguments()))
                .name(request.program().get(0))
                .nodes(used.size(), used.size());
        HpcPackJob job = HpcPackJob.named(request.folder().token())
                .nodes(used.size(), used.size())
                .property("FailOnTaskFailure", "true");
        if (limit.compareTo(LONGEST) <= 0) {
            job = job.runtime(limit.plusSeconds(1));
        }
        int id = client.jobs().create(placement.apply(job, used));
        try {
            int number = client.jobs().addTask(id, task);
            submission.accept(id);
            return new HpcPackRun(client, id, number, command.arguments());
        } catch (RuntimeException e) {
            abandon(id, e);
            throw e;
        }
    }

    /** The job of a number; jobs that {@link #submit} made have one task, the first. */
    public static ScheduledJob find(HpcPackClient client, String id) {
        if (!id.matches("[1-9]\\d{0,8}")) {
            throw new InvalidValueException("id of an HPC Pack job", id, "a positive number", "19");
        }
        return new HpcPackRun(client, Integer.parseInt(id), 1, List.of());
    }

    /** A job that was created and not submitted would stay for ever. */
    private void abandon(int job, RuntimeException why) {
        boolean interrupted = Thread.interrupted();
        try {
            client.jobs().cancelAtOnce(job, "it could not be submitted");
        } catch (ClusterwrightException e) {
            LOG.debug("job {} stays at the head node", job, e);
            why.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
