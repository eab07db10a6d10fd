package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.windows.emulator.TaskRunner;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the tasks of one job, one after the other, on a separate thread. */
final class HpcJobRun {
    private static final Logger LOG = LoggerFactory.getLogger(HpcJobRun.class);
    private static final long JOIN_MILLIS = 60_000;
    private static final int KILLED = -1;

    private final HeadNodeScheduler scheduler;
    private final Job job;
    private final TaskRunner runner;
    private final HeadNodeFaults faults;
    private final ScheduledExecutorService clock;
    private final Thread thread;
    private @Nullable State stopAs;
    private String stopMessage = "";
    private @Nullable String taskMessage;
    private boolean inTask;

    HpcJobRun(
            HeadNodeScheduler scheduler,
            Job job,
            TaskRunner runner,
            HeadNodeFaults faults,
            ScheduledExecutorService clock) {
        this.scheduler = scheduler;
        this.job = job;
        this.runner = runner;
        this.faults = faults;
        this.clock = clock;
        this.thread = Threads.daemon("hpc-pack-job-" + job.id(), this::run);
    }

    void start() {
        thread.start();
    }

    synchronized void stop(State how, String message) {
        stopAs = how;
        stopMessage = message;
        notifyAll();
        if (inTask) {
            thread.interrupt();
        }
    }

    synchronized void cancelTask(String message) {
        taskMessage = message;
        if (inTask) {
            thread.interrupt();
        }
    }

    void join() {
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long started = System.nanoTime();
        Future<?> limit = limit();
        boolean good = true;
        for (Task task : List.copyOf(job.tasks())) {
            if (task.state() == State.QUEUED && !stopped()) {
                good &= one(task);
            } else {
                good &= task.state() == State.FINISHED;
            }
        }
        if (job.runsUntilCanceled()) {
            awaitStop();
        }
        limit.cancel(false);
        end(good, System.nanoTime() - started);
    }

    /** Ends the job after its {@code RuntimeSeconds}; the state that a real head node gives it then is not published. */
    private Future<?> limit() {
        int seconds = job.number("RuntimeSeconds", 0);
        Runnable end = () -> stop(State.CANCELED, "The job exceeded its run time of " + seconds + " s.");
        return clock.schedule(end, seconds == 0 ? Integer.MAX_VALUE : seconds, TimeUnit.SECONDS);
    }

    private synchronized boolean stopped() {
        return stopAs != null;
    }

    private synchronized void awaitStop() {
        boolean interrupted = false;
        while (stopAs == null && !interrupted) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private boolean one(Task task) {
        synchronized (scheduler) {
            task.enter(State.RUNNING);
        }
        int code = KILLED;
        String problem = "";
        synchronized (this) {
            inTask = true;
            taskMessage = null;
        }
        try {
            code = execute(task);
        } catch (InterruptedException e) {
            LOG.debug("task {}.{} was ended", job.id(), task.id());
        } catch (RuntimeException e) {
            problem = "The emulator could not run the task: " + e.getMessage();
        }
        synchronized (this) {
            inTask = false;
            // An interrupt that came after the task had ended is not for what follows.
            Thread.interrupted();
            if (taskMessage != null) {
                problem = taskMessage;
            } else if (stopAs != null) {
                problem = stopMessage;
            } else if (code != 0 && problem.isEmpty()) {
                problem = "Task failed during execution with exit code " + code + ".";
            }
        }
        return finish(task, code, problem);
    }

    private boolean finish(Task task, int code, String problem) {
        State stop;
        synchronized (this) {
            stop = stopAs;
        }
        boolean good = code == 0 && problem.isEmpty();
        State how = good ? State.FINISHED : stop != null ? stop : State.FAILED;
        synchronized (scheduler) {
            task.end(how, code, problem);
        }
        return good;
    }

    private int execute(Task task) throws InterruptedException {
        if (scheduler.lost(job)) {
            throw new IllegalStateException("a node of the job is unreachable");
        }
        var failure = faults.taskFailure();
        if (failure.isPresent()) {
            append(task, failure.get().output());
            return failure.get().exitCode();
        }
        return runner.run(described(task), text -> append(task, text));
    }

    private void append(Task task, String text) {
        synchronized (scheduler) {
            task.append(text);
        }
    }

    private TaskRunner.Run described(Task task) {
        List<ComputeNode> nodes = job.nodes();
        StringBuilder list = new StringBuilder(Integer.toString(nodes.size()));
        nodes.forEach(node -> list.append(' ').append(node.name()).append(' ').append(node.cores()));
        List<String> names = nodes.stream().map(ComputeNode::name).toList();
        Map<String, String> variables = new LinkedHashMap<>(job.environment());
        variables.putAll(task.environment());
        variables.put("CCP_NODES", list.toString());
        variables.put("CCP_JOBID", Integer.toString(job.id()));
        variables.put("CCP_TASKID", Integer.toString(task.id()));
        return new TaskRunner.Run(job.id(), task.id(), task.property("CommandLine", ""), variables, names);
    }

    private void end(boolean good, long nanos) {
        State how;
        String message;
        synchronized (this) {
            how = stopAs != null ? stopAs : good ? State.FINISHED : State.FAILED;
            message = stopAs != null ? stopMessage : good ? "" : "One or more tasks of the job failed.";
        }
        LOG.debug("job {} is {} after {} ms", job.id(), how, TimeUnit.NANOSECONDS.toMillis(nanos));
        synchronized (scheduler) {
            job.tasks().stream()
                    .filter(task -> task.state() == State.QUEUED)
                    .forEach(task -> task.end(how == State.FINISHED ? State.FINISHED : State.CANCELED, 0, message));
            scheduler.finish(job, how, how == State.FINISHED ? "" : message);
        }
    }
}
