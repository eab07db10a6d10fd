package io.clusterwright.windows.emulator;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs the tasks of an emulated head node, for {@code HpcJobRun}, which calls it once for each task. Use it to decide
 * what a task prints and how it ends. Used by several threads at once.
 *
 * <pre>{@code
 * TaskRunner runner = (task, output) -> {
 *     output.accept("ran " + task.commandLine() + " on " + task.nodes() + "\r\n");
 *     return 0; // the exit code of the task
 * };
 * HpcPackEmulator.Builder emulator = HpcPackEmulator.builder().tasksRunBy(runner);
 * }</pre>
 */
@FunctionalInterface
public interface TaskRunner {

    /**
     * Runs a task to its end.
     *
     * @param output takes the output of the task, piece by piece, as it comes
     * @return its exit code; 0 for success
     * @throws InterruptedException when this thread is interrupted, which cancels the task; no process of it runs any more then
     */
    int run(Run task, Consumer<String> output) throws InterruptedException;

    /** Runs nothing: each task writes its command line, and ends with 0 at once. */
    static TaskRunner pretending() {
        return (task, output) -> {
            output.accept("emulated, not run: " + task.commandLine() + "\r\n");
            return 0;
        };
    }

    /**
     * A task to run.
     *
     * @param jobId the number of its job
     * @param taskId its number in the job
     * @param commandLine as the nodes' shell gets it
     * @param environment the variables of job and task, and {@code CCP_NODES}, {@code CCP_JOBID} and {@code CCP_TASKID}
     * @param nodes the names of the nodes it was given, in order; at least one
     */
    record Run(int jobId, int taskId, String commandLine, Map<String, String> environment, List<String> nodes) {
        /** Copies the collections. */
        public Run {
            environment = Map.copyOf(environment);
            nodes = List.copyOf(nodes);
        }
    }
}
