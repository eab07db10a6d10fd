package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.QueuedJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Nodes whose jobs a scheduler queues and runs, such as Slurm or a head node of HPC Pack. Implement it for another
 * scheduler; {@link SchedulerSource} makes it from a spec. A target that is a {@link NodeTarget} too runs jobs at
 * once over sessions, and queues submitted jobs; every other target gives both to its scheduler.
 *
 * <pre>{@code
 * record SiteTarget(SiteQueue queue, List<LaunchNode> nodes) implements SchedulerTarget {
 *     @Override
 *     public ScheduledJob submit(LaunchRequest request, Duration limit) {
 *         return find("" + queue.add(request.program(), request.ranks(), limit));
 *     }
 *
 *     @Override
 *     public ScheduledJob find(String id) {
 *         return new SiteJob(queue, id);
 *     }
 *
 *     @Override
 *     public SchedulerTarget only(Collection<NodeName> names) {
 *         return new SiteTarget(queue, LaunchNode.select(nodes, names));
 *     }
 *
 *     @Override
 *     public Optional<MpiInstallation> installation() {
 *         return Optional.of(new MpiInstallation(MpiFlavour.MPICH, "4.2", "mpiexec"));
 *     }
 * }
 * }</pre>
 */
public interface SchedulerTarget extends LaunchTarget {

    /**
     * Submits a job, which may wait for nodes. When this throws, no job is left behind, or the message says which.
     *
     * @param request the job
     * @param limit the time after which the scheduler itself ends the job, so that it ends even when no client asks any more
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler refuses it or does not answer
     * @throws io.clusterwright.core.type.InvalidValueException when the scheduler cannot express it
     */
    ScheduledJob submit(LaunchRequest request, Duration limit);

    /**
     * The job of this id; does not ask the scheduler.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when no job of this scheduler can have such an id
     */
    ScheduledJob find(String id);

    /**
     * The nodes that the scheduler itself reports as lost: they take no more jobs. A job is not started again on
     * them. Empty by default, for
     * schedulers that leave such nodes out by themselves.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler does not answer
     */
    default List<NodeName> lost() {
        return List.of();
    }

    /**
     * Adds local files that each node of a job gets before the start, for a scheduler to whose nodes there is no
     * session. Default: refuses.
     *
     * @param files regular files by their paths on the nodes, absolute or relative to the folder in which the ranks start
     * @throws InvalidValueException when the scheduler cannot bring these files to its nodes
     */
    default SchedulerTarget staging(Map<String, Path> files) {
        throw InvalidValueException.of(
                "this scheduler cannot copy files to its nodes", "put the files on a share instead of using stageIn");
    }

    /**
     * The jobs that the scheduler knows now, in the order of their ids. Default: refuses.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler does not answer, or its jobs cannot be listed here
     */
    default List<QueuedJob.Listed> jobs() {
        throw new ClusterwrightException("the jobs of this scheduler cannot be listed here; find one by its id");
    }

    @Override
    SchedulerTarget only(Collection<NodeName> names);
}
