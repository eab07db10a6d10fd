package io.clusterwright.windows.emulator.internal.task;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.windows.emulator.TaskRunner;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs tasks on real nodes: MS-MPI's {@code mpiexec} is translated to the MPI of these nodes.
 *
 * @param target the nodes
 * @param mostIterations the largest number of times that a ping-pong sends each message
 */
public record MpiTaskRunner(JobTarget target, int mostIterations) implements TaskRunner {

    /** The nodes of a head node whose tasks run on these: the same names. */
    public static List<ComputeNode.Setup> nodes(JobTarget target) {
        return LaunchTarget.of(target).nodes().stream()
                .map(node -> new ComputeNode.Setup(node.name().value(), node.slots(), List.of(), true))
                .toList();
    }

    @Override
    public int run(Run task, Consumer<String> output) throws InterruptedException {
        List<NodeName> names = task.nodes().stream().map(this::find).toList();
        return new TranslatedTask(task, NodeTarget.of(target).only(names), mostIterations, output).run();
    }

    private NodeName find(String name) {
        return target.nodeNames().stream()
                .filter(node -> node.value().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow();
    }
}
