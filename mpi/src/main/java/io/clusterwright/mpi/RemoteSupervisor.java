package io.clusterwright.mpi;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a job of a {@link RemoteScheduler} on a thread of its own: its end, its time, a cancel. */
final class RemoteSupervisor implements WatchedJob {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteSupervisor.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofSeconds(25);

    private final JobTarget target;
    private final LaunchRequest request;
    private final LaunchCommand command;
    private final RemoteJob job;
    private final JobOutput output;
    private final List<Finding> findings;
    private final Function<JobResult.Outcome, List<Finding>> afterwards;
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final long started = System.nanoTime();

    RemoteSupervisor(
            JobTarget target,
            LaunchRequest request,
            LaunchCommand command,
            RemoteJob job,
            JobOutput output,
            List<Finding> findings,
            Function<JobResult.Outcome, List<Finding>> afterwards) {
        this.target = target;
        this.request = request;
        this.command = command;
        this.job = job;
        this.output = output;
        this.findings = new CopyOnWriteArrayList<>(findings);
        this.afterwards = afterwards;
    }

    @Override
    public LaunchRequest request() {
        return request;
    }

    @Override
    public List<String> command() {
        return command.arguments();
    }

    @Override
    public CompletableFuture<JobResult> result() {
        return result;
    }

    @Override
    public void cancel() {
        cancelled.countDown();
    }

    @Override
    public JobResult unfinished() {
        return result(JobResult.Outcome.CANCELLED, JobResult.NONE, "whether " + job.name() + " has ended is not known");
    }

    void start(Duration limit) {
        Thread thread = new Thread(
                () -> supervise(limit), "clusterwright-" + request.folder().token());
        thread.setDaemon(true);
        thread.start();
    }

    private void supervise(Duration limit) {
        try {
            Ending ending = watch(limit);
            String notEnded = ending.status == JobResult.NONE && !ending.over ? end(ending.outcome) : "";
            output.finish();
            findings.addAll(afterwards.apply(ending.outcome));
            result.complete(result(ending.outcome, ending.status, notEnded));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private Ending watch(Duration limit) {
        Duration pause = FIRST_PAUSE;
        long answered = System.nanoTime();
        while (true) {
            try {
                if (job.ask(output) instanceof RemoteJob.Over over) {
                    return over(over);
                }
                answered = System.nanoTime();
            } catch (ClusterwrightException e) {
                LOG.debug("{} was not told of", job.name(), e);
                if (System.nanoTime() - answered > SILENCE.toNanos()) {
                    findings.add(MpiFindings.schedulerSilent(job.name(), e));
                    return new Ending(JobResult.Outcome.LOST, JobResult.NONE, false);
                }
            }
            Duration left = limit.minus(elapsed());
            if (isCancelled(pause.compareTo(left) < 0 ? pause : left)) {
                return new Ending(JobResult.Outcome.CANCELLED, JobResult.NONE, false);
            }
            if (elapsed().compareTo(limit) >= 0) {
                return new Ending(JobResult.Outcome.TIMED_OUT, JobResult.NONE, false);
            }
            pause = longer(pause);
        }
    }

    private Ending over(RemoteJob.Over over) {
        if (!over.problem().isEmpty()) {
            findings.add(MpiFindings.failedAtScheduler(job.name(), over.problem()));
        }
        return new Ending(JobResult.Outcome.ENDED, over.exitStatus(), true);
    }

    /** Has the job ended and waits until it has; says what is known when it does not. */
    private String end(JobResult.Outcome why) {
        long deadline = System.nanoTime() + END.toNanos();
        Duration pause = FIRST_PAUSE;
        boolean asked = false;
        String problem = "";
        while (System.nanoTime() < deadline) {
            try {
                if (!asked) {
                    job.cancel(why == JobResult.Outcome.TIMED_OUT ? "its time has passed" : "cancelled by its owner");
                    asked = true;
                }
                if (job.ask(output) instanceof RemoteJob.Over) {
                    return "";
                }
            } catch (ClusterwrightException e) {
                problem = ": " + e.getMessage();
            }
            sleep(pause);
            pause = longer(pause);
        }
        return job.name() + " was " + (asked ? "" : "not ") + "asked to end, and did not say that it has within "
                + END.toSeconds() + " s" + problem;
    }

    private boolean isCancelled(Duration pause) {
        try {
            return cancelled.await(Math.max(1, pause.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            LOG.debug("nobody interrupts this thread", e);
        }
    }

    private JobResult result(JobResult.Outcome outcome, int status, String notEnded) {
        List<Finding> all = new ArrayList<>(findings);
        if (!notEnded.isEmpty()) {
            all.add(MpiFindings.notKnownToHaveEnded(notEnded));
        }
        all.addAll(output.diagnosed());
        all.removeIf(finding -> target.suppressed().contains(finding.code()));
        Map<NodeName, Leftovers> leftovers = new LinkedHashMap<>();
        request.nodes().forEach(node -> leftovers.put(node.name(), new Leftovers(0, 0, notEnded)));
        return new JobResult(
                outcome,
                request.mpi(),
                command.arguments(),
                request.ranks(),
                status,
                elapsed(),
                output.tail(),
                output.failures(),
                leftovers,
                all,
                output.rankFailures());
    }

    private static Duration longer(Duration pause) {
        Duration half = pause.multipliedBy(3).dividedBy(2);
        return half.compareTo(LONGEST_PAUSE) < 0 ? half : LONGEST_PAUSE;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /** @param over whether the scheduler said that it has ended */
    private record Ending(JobResult.Outcome outcome, int status, boolean over) {}
}
