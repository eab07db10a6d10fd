package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.engine.JobQueue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A job in the queue of a scheduler. Use it to follow, await or cancel a job that was submitted. It waits, runs and
 * ends without this program, which finds it again by its id. Safe for use by several threads.
 *
 * <pre>{@code
 * SlurmTarget slurm = SlurmTarget.of(cluster).partition("nodes");
 * String id = MpiJob.of("/opt/app/solver", "case.xml").on(slurm).submit().id();
 *
 * QueuedJob job = QueuedJob.find(slurm, id); // later, also in another process
 * job.follow(Duration.ofHours(8), line -> System.out.println(line.text()));
 * }</pre>
 *
 * <p>Each method that asks the scheduler throws {@link io.clusterwright.core.type.ClusterwrightException} when it does not answer.
 */
public interface QueuedJob {

    /**
     * The job of this id; does not ask the scheduler.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the target has no queue, or no job of it can have such an id
     */
    static QueuedJob find(JobTarget target, String id) {
        return JobQueue.find(target, id);
    }

    /**
     * The jobs that the scheduler of a target knows now, jobs of other users included, in the order of their ids; also jobs that ended a short
     * time ago (Slurm: 5 min by default).
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the target has no queue
     */
    static List<Listed> list(JobTarget target) {
        return JobQueue.list(target);
    }

    /** The scheduler's id of the job, by which {@link #find} finds it again. */
    String id();

    /** The job for people, such as {@code job 19 of head.hpc.example}. */
    String name();

    /** The state of the job now. */
    QueuedJobStatus status();

    /**
     * Waits for the end of the job, at most this long.
     *
     * @return its last status, or empty when it has not ended yet
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread is interrupted; the job goes on
     */
    default Optional<QueuedJobStatus> await(Duration limit) {
        return JobQueue.await(this, limit);
    }

    /**
     * Waits for the end of the job, at most this long, and hands on its output line by line as it comes: from its beginning, or from where an
     * earlier call on this object stopped. Output of any size takes little memory. HPC Pack hands on what its head node keeps, and Batch all
     * at once when the job has ended. The scheduler is asked every 0.2 to 2 s, and given up when it is silent for 3 min.
     *
     * @param lines called on one thread at a time; an exception thrown there ends the wait, not the job; a {@link java.io.Flushable} is
     *     flushed whenever no further line is at hand
     * @return the end, or empty when the job has not ended yet
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread is interrupted; the job goes on
     */
    default Optional<QueuedJobResult> follow(Duration limit, Consumer<OutputLine> lines) {
        return JobQueue.follow(this, limit, lines);
    }

    /**
     * The output so far as text, at most its last 16 MiB; {@link #writeOutput} has no limit.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when it has not started, or the scheduler does not know it any more
     */
    String output();

    /**
     * Writes the output so far to a stream, to the byte and of any size. Batch and HPC Pack give their output as text.
     *
     * @throws IOException when the stream takes no more
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #output()} does
     */
    void writeOutput(OutputStream out) throws IOException;

    /**
     * Copies the output so far to a file on this machine, replacing it.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #output()} does
     */
    void downloadOutput(Path local);

    /**
     * Ends the job. Harmless when it has ended.
     *
     * @return the processes that were found on each node and ended; empty where the scheduler ends them itself
     */
    Map<NodeName, Leftovers> cancel();

    /**
     * A job in a list.
     *
     * @param id the scheduler's id, by which {@link #find} finds it
     * @param name the name of the job in the scheduler
     * @param user the account that it runs as; empty when the scheduler does not say
     * @param status its state
     * @param nodes its nodes, as the scheduler writes them; empty while it waits
     */
    record Listed(String id, String name, String user, QueuedJobStatus status, String nodes) implements HasJson {
        @Override
        public Map<String, Object> toMap() {
            return JsonFields.of("id", id)
                    .with(status)
                    .and("user", user)
                    .and("nodes", nodes)
                    .and("name", name);
        }
    }
}
