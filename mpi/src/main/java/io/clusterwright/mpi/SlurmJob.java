package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job in Slurm's hands, which goes on whatever happens to this program. Safe for use by several threads. */
public final class SlurmJob {
    private static final Duration ASK = Duration.ofSeconds(30);
    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final long LONGEST_PAUSE_MILLIS = 5000;
    private static final String TOKEN = "cwjob-[0-9a-f]{16}";

    private final SlurmTarget target;
    private final long id;

    private SlurmJob(SlurmTarget target, long id) {
        this.target = target;
        this.id = id;
    }

    /**
     * The job of this number; asks nobody.
     *
     * @throws IllegalArgumentException when the number is not positive
     */
    public static SlurmJob of(SlurmTarget target, long id) {
        if (id < 1) {
            throw new IllegalArgumentException("a Slurm job has a positive number, not " + id);
        }
        return new SlurmJob(target, id);
    }

    /** The number that Slurm gave it. */
    public long id() {
        return id;
    }

    /**
     * What Slurm says about the job now: its controller, or its accounting where the controller has forgotten it (by default 300 s after
     * the end).
     *
     * @throws ClusterwrightException when the controller does not answer, or the first node cannot be reached
     */
    public SlurmJobStatus status() {
        CommandResult shown = run("scontrol", "show", "job", Long.toString(id));
        if (shown.exitStatus() == 0) {
            return SlurmJobStatus.ofControl(shown.stdout())
                    .orElseThrow(() -> new IllegalStateException(
                            "scontrol says of job " + id + ": " + shown.stdout().strip()));
        }
        if (!shown.stderr().contains("Invalid job id")) {
            shown.orThrow();
        }
        CommandResult accounted = run(
                "sacct",
                "--noheader",
                "--parsable2",
                "--allocations",
                "--jobs=" + id,
                "--format=State,ExitCode,JobName");
        return SlurmJobStatus.ofAccounting(id, accounted.stdout()).orElseGet(() -> SlurmJobStatus.forgotten(id));
    }

    /**
     * Waits for the job to end, at most this long, and asks for its state every 0.2 to 5 s.
     *
     * @return its last state, or empty when it is still under way or this thread was interrupted (the flag stays set; the job goes
     *     on)
     * @throws ClusterwrightException as {@link #status()} does
     */
    public Optional<SlurmJobStatus> await(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            SlurmJobStatus now = status();
            if (now.ended()) {
                return Optional.of(now);
            }
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                return Optional.empty();
            }
            try {
                Thread.sleep(Math.min(pause, left));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
            pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
        }
    }

    /**
     * Cancels the job, and ends its processes on every node of the target at once instead of after Slurm's {@code KillWait}. Harmless
     * when it has ended.
     *
     * @return what was found on each node; empty for a job that {@link SlurmBatch} did not submit, which is left to Slurm
     * @throws ClusterwrightException as {@link #status()} does
     */
    public Map<NodeName, Leftovers> cancel() {
        String name = status().name();
        run("scancel", "--quiet", Long.toString(id));
        return name.matches(TOKEN) ? new LeftoverSweep(target, new JobFolder(name)).end() : Map.of();
    }

    /**
     * What the job has written so far, at most its last 16 MiB.
     *
     * @throws IllegalStateException when it has not started, or is forgotten
     * @throws ClusterwrightException when its node cannot be reached or the file cannot be read
     */
    public String output() {
        SlurmJobStatus now = started();
        return batchSession(now)
                .run(Command.of("cat", "--", now.outputFileOrEmpty()).timeout(ASK))
                .orThrow()
                .stdout();
    }

    /**
     * Copies what the job has written so far to a file on this machine, replacing it.
     *
     * @throws IllegalStateException when it has not started, or is forgotten
     * @throws ClusterwrightException when its node cannot be reached or the file cannot be read
     */
    public void downloadOutput(Path local) {
        SlurmJobStatus now = started();
        batchSession(now).download(now.outputFileOrEmpty(), local);
    }

    private SlurmJobStatus started() {
        SlurmJobStatus now = status();
        if (now.batchHostOrEmpty().isEmpty() || now.outputFileOrEmpty().isEmpty()) {
            throw new IllegalStateException("job " + id + " has no output that Slurm knows of: its state is "
                    + now.state() + "; wait until it runs");
        }
        return now;
    }

    private NodeSession batchSession(SlurmJobStatus now) {
        return target.session(now.batchHost().orElseThrow());
    }

    private CommandResult run(String... argv) {
        NodeSession session = target.session(target.nodes().get(0).name());
        return session.run(Command.of(List.of(argv)).timeout(ASK));
    }
}
