package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.internal.jobs.Netmask;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.HeadNodeRequest;
import io.clusterwright.windows.internal.rest.HeadNodeRest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs of a head node with their tasks. Use it to create, submit, watch and cancel jobs; {@link HpcPackTarget}
 * runs MPI jobs. Safe for use by several threads.
 *
 * <pre>{@code
 * HpcPackJobs jobs = client.jobs();
 * HpcPackTask task = HpcPackTask.of("hostname").name("names");
 * int id = jobs.create(HpcPackJob.of(task).nodes(1, 2).runtime(Duration.ofMinutes(10)));
 * jobs.submit(id);
 * Optional<JobStatus> end = jobs.await(id, Duration.ofMinutes(10));
 * for (TaskStatus done : jobs.tasks(id)) {
 *     System.out.println(done.state() + " " + done.exitCode() + ": " + done.output());
 * }
 * }</pre>
 */
public final class HpcPackJobs {
    private static final String JOB = "Id,Name,State,PreviousState,Owner,ErrorMessage";
    private static final String TASK = "TaskId,Name,State,CommandLine,ExitCode,ErrorMessage,Output";

    private final HeadNodeRest rest;

    HpcPackJobs(HeadNodeRest rest) {
        this.rest = rest;
    }

    /**
     * Creates a job with its tasks, in their order; it does not run before {@link #submit(int)}.
     *
     * @return its number
     */
    public int create(HpcPackJob job) {
        job.environment().forEach(Netmask::checked);
        job.tasks().forEach(task -> task.environment().forEach(Netmask::checked));
        int id = rest.post("create a job", "jobs").body(job.properties()).number();
        if (!job.environment().isEmpty()) {
            rest.post("set the environment of job " + id, "jobs/*/envVariables", id)
                    .body(job.environment())
                    .send();
        }
        job.tasks().forEach(task -> addTask(id, task));
        return id;
    }

    /**
     * Creates a job, with its tasks, from the text of a job file, such as one that HPC Pack has exported.
     *
     * @return its number
     */
    public int createFromXml(String file) {
        HeadNodeRequest request = rest.post("create a job", "jobs/jobFile");
        return (rest.is2012() ? request.rawBody(file) : request.body(file)).number();
    }

    /**
     * Adds a task to a job that was not submitted yet.
     *
     * @return its number in the job, from 1
     */
    public int addTask(int job, HpcPackTask task) {
        task.environment().forEach(Netmask::checked);
        int id = rest.post("add a task to job " + job, "jobs/*/tasks", job)
                .body(task.properties())
                .number();
        if (!task.environment().isEmpty()) {
            rest.post("set the environment of task " + job + "." + id, "jobs/*/tasks/*/envVariables", job, id)
                    .body(task.environment())
                    .send();
        }
        return id;
    }

    /**
     * Submits a job, to run as the account that logged in, whose password the head node must hold.
     *
     * @throws HpcPackException.LoginRefused when it holds none, or one that expired
     */
    public void submit(int job) {
        submit(job, Map.of());
    }

    /**
     * Submits a job, to run as an account, whose password travels in the body of this one request.
     *
     * @param user such as {@code DOMAIN\\user} or {@code user@domain.example}
     * @throws HpcPackException.LoginRefused when the password is not accepted
     */
    public void submit(int job, String user, Secret password) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("UserName", HpcPackLogin.requireUser(user));
        properties.put("Password", password.reveal());
        submit(job, properties);
    }

    private void submit(int job, Map<String, String> properties) {
        try {
            rest.post("submit job " + job, "jobs/*/submit", job)
                    .body(properties)
                    .send();
        } catch (HpcPackException.Refused | HpcPackException.LoginRefused | HpcPackException.Unavailable e) {
            // No generation has a code for a missing password: it can be known by the text alone.
            String text = e.getMessage().toLowerCase(Locale.ROOT);
            if (e instanceof HpcPackException.LoginRefused && text.contains("answered 401")
                    || !(text.contains("credential") || text.contains("password"))) {
                throw e;
            }
            throw new HpcPackException.LoginRefused(e.getMessage()
                    + "; submit with the account's password (runAs), or run once on the head node: hpccred setcreds");
        }
    }

    /** Cancels a job after the grace period of its tasks, harmlessly when it has ended. */
    public void cancel(int job, String message) {
        cancel(job, message, false);
    }

    /** Cancels a job without a grace period for its tasks, harmlessly when it has ended. */
    public void cancelAtOnce(int job, String message) {
        cancel(job, message, true);
    }

    private void cancel(int job, String message, boolean forced) {
        try {
            rest.post("cancel job " + job, "jobs/*/cancel", job)
                    .query("forced", Boolean.toString(forced))
                    .body(message)
                    .send();
        } catch (HpcPackException.Refused e) {
            if (!get(job).state().ended()) {
                throw e;
            }
        }
    }

    /**
     * Ends a job as if it had finished.
     *
     * @throws HpcPackException.Unsupported with HPC Pack 2012 and 2012 R2
     */
    public void finish(int job, String message) {
        if (rest.is2012()) {
            throw rest.unsupported("finish a job", List.of("job finish " + job));
        }
        rest.post("finish job " + job, "jobs/*/finish", job).body(message).send();
    }

    /** Queues a job that ended again. */
    public void requeue(int job) {
        HeadNodeRequest request = rest.post("queue job " + job + " again", "jobs/*/requeue", job);
        (rest.is2012() ? request.body(Map.of()) : request).send();
    }

    /** Cancels one task after its grace period; it ends as failed, and so does its job. */
    public void cancelTask(int job, int task, String message) {
        rest.post("cancel task " + job + "." + task, "jobs/*/tasks/*/cancel", job, task)
                .query("forced", "false")
                .body(message)
                .send();
    }

    /**
     * The state of a job.
     *
     * @throws HpcPackException.NotFound when the head node has no job of this number
     */
    public JobStatus get(int id) {
        HeadNodeRequest request = rest.get("ask for job " + id, "jobs/*", id).query("properties", JOB);
        return new JobStatus(id, request.properties().values());
    }

    /** All properties of a job. */
    public Map<String, String> properties(int id) {
        return rest.get("ask for job " + id, "jobs/*", id).properties().values();
    }

    /** The state and output of a task. */
    public TaskStatus task(int job, int id) {
        HeadNodeRequest request = rest.get("ask for task " + job + "." + id, "jobs/*/tasks/*", job, id)
                .query("properties", TASK);
        return new TaskStatus(job, id, request.properties().values());
    }

    /** The tasks of a job, in order; a parametric sweep counts as one. */
    public List<TaskStatus> tasks(int job) {
        HeadNodeRequest request = rest.get("list the tasks of job " + job, "jobs/*/tasks", job)
                .query("properties", TASK)
                .query("expandParametric", "false");
        return request.pages().stream()
                .map(row -> new TaskStatus(job, row.taskNumber(), row.values()))
                .toList();
    }

    /** All jobs, of all pages. */
    public List<JobStatus> list() {
        return all(listing());
    }

    /** The jobs in this state, of all pages. */
    public List<JobStatus> list(JobState state) {
        HeadNodeRequest request = listing().query("$filter", "JobState eq " + state.word());
        return all(rest.is2012() ? request.query("Render", "RestPropRender") : request);
    }

    private HeadNodeRequest listing() {
        return rest.get("list the jobs", "jobs").query("properties", JOB);
    }

    private static List<JobStatus> all(HeadNodeRequest request) {
        return request.pages().stream()
                .map(row -> new JobStatus(row.jobNumber(), row.values()))
                .toList();
    }

    /**
     * Waits for a job to end, at most this long, asking every 0.1 to 5 s. An interrupt ends the wait, not the job.
     *
     * @return its last state, or empty when it is still under way
     */
    public Optional<JobStatus> await(int id, Duration limit) {
        Deadline deadline = Deadline.in("limit", limit);
        Backoff pauses = HpcPackClient.pauses();
        while (true) {
            JobStatus now = get(id);
            if (now.state().ended()) {
                return Optional.of(now);
            }
            if (deadline.passed()) {
                return Optional.empty();
            }
            HeadNodeHttp.pause(pauses.next(), deadline, "see job " + id + " end");
        }
    }

    /** The names of the job templates. */
    public List<String> templates() {
        return rest.get("list the job templates", "jobs/templates").texts();
    }
}
