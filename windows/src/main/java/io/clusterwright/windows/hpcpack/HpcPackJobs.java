package io.clusterwright.windows.hpcpack;

import io.clusterwright.windows.internal.rest.Deadline;
import io.clusterwright.windows.internal.rest.Dialect;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The jobs of a head node with their tasks: {@link HpcPackClient#jobs()}, whose rules hold here, too. Safe for use by several threads. */
public final class HpcPackJobs {
    private final Dialect dialect;

    HpcPackJobs(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Creates a job; it does not run before {@link #submit(int)}.
     *
     * @return its number
     */
    public int create(HpcPackJob job) {
        if (dialect.generation() == ApiGeneration.WINDOWS_HPC
                && !job.environment().isEmpty()) {
            dialect.jobEnvironment(0, job.environment());
        }
        int id = dialect.createJob(job.properties());
        if (!job.environment().isEmpty()) {
            dialect.jobEnvironment(id, job.environment());
        }
        return id;
    }

    /**
     * Creates a job, with its tasks, from a job description in XML.
     *
     * @return its number
     */
    public int createFromXml(String xml) {
        return dialect.createJobFromXml(xml);
    }

    /**
     * Adds a task to a job that was not submitted yet.
     *
     * @return its number in the job, from 1
     */
    public int addTask(int job, HpcPackTask task) {
        int id = dialect.addTask(job, task.properties());
        if (!task.environment().isEmpty()) {
            dialect.taskEnvironment(job, id, task.environment());
        }
        return id;
    }

    /**
     * Hands a job in, to run as the account that logged in, whose password the head node must hold.
     *
     * @throws HpcPackCredentialsException when it holds none, or one that expired
     */
    public void submit(int job) {
        submit(job, Map.of());
    }

    /**
     * Hands a job in, to run as this account.
     *
     * @throws HpcPackCredentialsException when its password is not accepted
     */
    public void submit(int job, RunAs account) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("UserName", account.user());
        properties.put("Password", account.password().reveal());
        submit(job, properties);
    }

    private void submit(int job, Map<String, String> properties) {
        try {
            dialect.submit(job, properties);
        } catch (HpcPackRefusedException | HpcPackLoginException | HpcPackUnavailableException e) {
            String said = e.getMessage().toLowerCase(Locale.ROOT);
            if (e instanceof HpcPackLoginException && said.contains("answered 401")
                    || !(said.contains("credential") || said.contains("password"))) {
                throw e;
            }
            throw new HpcPackCredentialsException(
                    e.getMessage()
                            + "; submit with the account's password (RunAs), or cache it on the head node once: hpccred setcreds");
        }
    }

    /** Cancels a job, harmlessly when it has ended; with {@code forced}, without a grace period for its tasks. */
    public void cancel(int job, String message, boolean forced) {
        try {
            dialect.cancelJob(job, message, forced);
        } catch (HpcPackRefusedException e) {
            if (!get(job).state().ended()) {
                throw e;
            }
        }
    }

    /** Ends a job as if it had finished. */
    public void finish(int job, String message) {
        dialect.finishJob(job, message);
    }

    /** Queues a job that ended again. */
    public void requeue(int job) {
        dialect.requeueJob(job);
    }

    /** Cancels one task; it ends as failed, and so does its job. */
    public void cancelTask(int job, int task, String message, boolean forced) {
        dialect.cancelTask(job, task, message, forced);
    }

    /**
     * The state of a job.
     *
     * @throws HpcPackNotFoundException when there is none of this number
     */
    public JobStatus get(int id) {
        return dialect.job(id);
    }

    /** All that the head node tells of a job. */
    public Properties allOf(int id) {
        return dialect.allOfJob(id);
    }

    /** The state and output of a task. */
    public TaskStatus task(int job, int id) {
        return dialect.task(job, id);
    }

    /** The tasks of a job, in order; a parametric sweep counts as one. */
    public List<TaskStatus> tasks(int job) {
        return dialect.tasks(job);
    }

    /** All jobs, of all pages. */
    public List<JobStatus> list() {
        return dialect.jobs("");
    }

    /** The jobs in this state, of all pages. */
    public List<JobStatus> list(JobState state) {
        return dialect.jobs("JobState eq " + state.word());
    }

    /**
     * Waits for a job to end, at most this long, asking every 0.2 to 5 s.
     *
     * @return its last state, or empty when it is still under way
     * @throws HpcPackInterruptedException when this thread was interrupted; the job goes on
     */
    public Optional<JobStatus> await(int id, Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Pauses pauses = new Pauses();
        while (true) {
            JobStatus now = get(id);
            if (now.state().ended()) {
                return Optional.of(now);
            }
            if (deadline.passed()) {
                return Optional.empty();
            }
            deadline.pause(pauses.next(), "see job " + id + " end");
        }
    }

    /**
     * The names of the job templates.
     *
     * @throws HpcPackUnsupportedException with HPC Pack 2012
     */
    public List<String> templates() {
        return dialect.jobTemplates();
    }
}
