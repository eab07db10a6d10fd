package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobResult.Outcome;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job by a scheduler, which is asked for it every 0.2 to 5 s. */
final class SchedulerEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerEngine.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofSeconds(25);
    private static final int SIGNALLED = 128;

    private final ScheduledJob job;
    private final LaunchRequest request;
    private final JobOutput output;
    private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    private Deadline answer = Deadline.in("answer of the scheduler", SILENCE);
    private String notEnded = "";

    SchedulerEngine(ScheduledJob job, LaunchRequest request, JobOutput output) {
        this.job = job;
        this.request = request;
        this.output = output;
    }

    @Override
    public Optional<Ending> poll() {
        try {
            QueuedJobStatus now = job.poll(output);
            answer = Deadline.in("answer of the scheduler", SILENCE);
            return now.ended() ? Optional.of(ended(now)) : Optional.empty();
        } catch (ClusterwrightException e) {
            LOG.debug("the scheduler did not answer about {}", job.name(), e);
            return answer.passed()
                    ? Optional.of(Ending.stillRunning(Outcome.LOST)
                            .with(MpiFinding.SCHEDULER_SILENT.of(job.name(), e.getMessage())))
                    : Optional.empty();
        }
    }

    private Ending ended(QueuedJobStatus now) {
        Outcome outcome = now.outcome();
        Ending ending = new Ending(outcome, outcome == Outcome.ENDED ? exitStatus(now) : null, false, null);
        return problem(job, now).map(ending::with).orElse(ending);
    }

    /** Unknown where the scheduler names neither a status nor a signal of a job that failed. */
    private static @Nullable Integer exitStatus(QueuedJobStatus now) {
        if (now.exitStatus().isPresent()) {
            return now.exitStatus().getAsInt();
        }
        if (now.signal().isPresent()) {
            return SIGNALLED + now.signal().getAsInt();
        }
        return now.succeeded() ? 0 : null;
    }

    /**
     * The scheduler's reason for the failure of a job. A job with an exit status and no reason, or with the reason of Slurm for such a status, is the
     * program's, whose output explains it.
     */
    static Optional<Finding> problem(ScheduledJob job, QueuedJobStatus end) {
        String reason = end.reason().equals("NonZeroExitCode") ? "" : end.reason();
        return end.succeeded() || reason.isEmpty() && end.exitStatus().orElse(0) != 0
                ? Optional.empty()
                : Optional.of(MpiFinding.FAILED_AT_SCHEDULER.of(
                        job.name(), reason.isEmpty() ? "its state is " + end.word() : reason));
    }

    @Override
    public Duration pause() {
        return pauses.next();
    }

    @Override
    public void stop(Outcome why) {
        Deadline deadline = Deadline.in("end of " + job.name(), END);
        Backoff wait = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        boolean asked = false;
        String problem = "";
        while (!deadline.passed()) {
            try {
                if (!asked) {
                    job.cancel(why == Outcome.TIMED_OUT ? "its time limit was reached" : "cancelled by its owner");
                    asked = true;
                }
                if (job.poll(output).ended()) {
                    return;
                }
            } catch (ClusterwrightException e) {
                problem = ": " + e.getMessage();
            }
            try {
                deadline.sleep(wait.next());
            } catch (InterruptedException e) {
                LOG.debug("no code interrupts this thread", e);
            }
        }
        notEnded = (asked
                        ? job.name() + " was cancelled, and the scheduler did not report its end within "
                        : job.name() + " could not be cancelled within ")
                + END.toSeconds() + " s" + problem;
    }

    @Override
    public Aftermath cleanUp(Ending ending) {
        return aftermath(notEnded);
    }

    @Override
    public Aftermath unknown() {
        return aftermath(job.name() + " may still run");
    }

    private Aftermath aftermath(String problem) {
        Map<NodeName, Leftovers> leftovers = new LinkedHashMap<>();
        request.nodes().forEach(node -> leftovers.put(node.name(), new Leftovers(0, 0, problem)));
        return new Aftermath(
                output.failures(),
                leftovers,
                problem.isEmpty() ? List.of() : List.of(MpiFinding.NOT_KNOWN_TO_HAVE_ENDED.of(problem)),
                List.of());
    }
}
