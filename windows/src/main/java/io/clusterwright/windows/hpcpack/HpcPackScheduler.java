package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.spi.JobScheduler;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The head node of a target. */
record HpcPackScheduler(HpcPackTarget target) implements JobScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(HpcPackScheduler.class);
    private static final Duration LONGEST = Duration.ofDays(30);

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        LaunchCommand command = new HpcPackLauncher().command(request);
        List<LaunchNode> used = HpcPackLauncher.used(request);
        HpcPackTask task = HpcPackTask.of(HpcPackCommandLine.stored(command.arguments()))
                .name(request.program().get(0))
                .nodes(used.size(), used.size());
        HpcPackClient client = target.client();
        int job = client.jobs().create(job(request, used, limit));
        try {
            int number = client.jobs().addTask(job, task);
            target.account()
                    .ifPresentOrElse(
                            account -> client.jobs().submit(job, account.user(), account.password()),
                            () -> client.jobs().submit(job));
            return new HpcPackRun(client, job, number, command.arguments());
        } catch (RuntimeException e) {
            abandon(client, job, e);
            throw e;
        }
    }

    /** Jobs that {@link #submit} made have one task, the first. */
    @Override
    public ScheduledJob find(String id) {
        if (!id.matches("[1-9]\\d{0,8}")) {
            throw new InvalidValueException("id of an HPC Pack job", id, "a positive number", "19");
        }
        return new HpcPackRun(target.client(), Integer.parseInt(id), 1, List.of());
    }

    private HpcPackJob job(LaunchRequest request, List<LaunchNode> used, Duration limit) {
        HpcPackJob job = HpcPackJob.named(request.folder().token())
                .nodes(used.size(), used.size())
                .property("FailOnTaskFailure", "true");
        if (limit.compareTo(LONGEST) <= 0) {
            job = job.runtime(limit.plusSeconds(1));
        }
        if (!target.group().isEmpty()) {
            job = job.nodeGroups(List.of(target.group()));
        }
        if (target.isNamed()) {
            job = job.requestedNodes(
                    used.stream().map(node -> node.name().value()).toList());
        }
        return target.template().isEmpty() ? job : job.template(target.template());
    }

    /** A job that was made and not handed in would stay for ever. */
    private static void abandon(HpcPackClient client, int job, RuntimeException why) {
        boolean interrupted = Thread.interrupted();
        try {
            client.jobs().cancelAtOnce(job, "it could not be handed in");
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
