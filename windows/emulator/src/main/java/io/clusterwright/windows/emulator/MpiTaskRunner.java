package io.clusterwright.windows.emulator;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.windows.emulator.internal.task.TranslatedTask;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Runs tasks on real nodes, such as local ones: what MS-MPI's {@code mpiexec} was told, the MPI of these nodes is.
 *
 * <p>Translated are {@code mpiexec} with {@code -n}, {@code -c}, {@code -env}, {@code -wdir}, {@code -timeout}, {@code -exitcodes} and
 * {@code -affinity} (which is left out on nodes that share one machine). The program runs under its own name, which must exist on the
 * nodes, but for {@code mpipingpong}: NetPIPE sends the same message in its place, between the first two nodes, as often as it was told
 * to but not above a limit, and its output is the task's. A line at the start of the output says so. A command without mpiexec runs on the
 * first node, without a shell. Anything else fails with a message and exit code 1.
 */
public final class MpiTaskRunner implements TaskRunner {
    /** How often a ping-pong sends a message at most, when nothing else is said. */
    public static final int DEFAULT_MOST_ITERATIONS = 200;

    private final JobTarget target;
    private final int mostIterations;

    private MpiTaskRunner(JobTarget target, int mostIterations) {
        this.target = target;
        this.mostIterations = mostIterations;
    }

    /** A runner over these nodes. */
    public static MpiTaskRunner over(JobTarget target) {
        return new MpiTaskRunner(Objects.requireNonNull(target, "target"), DEFAULT_MOST_ITERATIONS);
    }

    /**
     * The same runner whose ping-pongs send each message so often at most: nodes that share few cores take long for each.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public MpiTaskRunner mostIterations(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a ping-pong sends a message at least once, not " + number + " times");
        }
        return new MpiTaskRunner(target, number);
    }

    /** The nodes for {@link HpcPackEmulator.Builder#nodes}: the same names. */
    public List<EmulatedNode> nodes() {
        return target.nodes().stream()
                .map(node -> new EmulatedNode(node.name().value(), node.slots()))
                .toList();
    }

    @Override
    public int run(Run task, Consumer<String> output) throws InterruptedException {
        List<NodeName> names =
                task.nodes().stream().map(node -> find(node.name())).toList();
        return new TranslatedTask(task, target.only(names), mostIterations, output).run();
    }

    private NodeName find(String name) {
        return target.nodes().stream()
                .map(LaunchNode::name)
                .filter(node -> node.value().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the head node's node " + name
                        + " is none of the runner's: build the head node with nodes(runner.nodes())"));
    }
}
