package io.clusterwright.windows.rest;

import io.clusterwright.windows.internal.rest.Deadline;
import io.clusterwright.windows.internal.rest.Dialect;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.Probe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks a head node over REST: jobs and tasks, their output, nodes and node groups.
 *
 * <p>All methods block, for the connection's operation limit at most where they say nothing else, and can be interrupted. Reading is tried
 * again when the head node is busy or the connection breaks; what changes something is sent once. Nothing ever prompts: a head node
 * that lacks a password refuses, and {@link HpcPackCredentialsException} says so. Safe for use by several threads; whoever opened it
 * closes it.
 */
public final class HpcPackClient implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final HpcPackConnection connection;
    private final HeadNodeHttp http;
    private final Dialect dialect;
    private final String version;

    private HpcPackClient(HpcPackConnection connection, HeadNodeHttp http, Probe probe) {
        this.connection = connection;
        this.http = http;
        this.dialect = probe.dialect();
        this.version = probe.version();
    }

    /**
     * Connects, and asks which generation of the interface it is unless the connection says it.
     *
     * @throws HpcPackUnavailableException when nothing answers, or the certificate is not trusted
     * @throws HpcPackLoginException when the login is not accepted
     * @throws HpcPackNotFoundException when there is no such interface
     */
    public static HpcPackClient open(HpcPackConnection connection) {
        HeadNodeHttp http = new HeadNodeHttp(Objects.requireNonNull(connection, "connection"));
        try {
            return new HpcPackClient(connection, http, Probe.of(http, connection));
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    /** The generation of the interface. */
    public ApiGeneration generation() {
        return dialect.generation();
    }

    /** The version of HPC Pack, such as {@code 6.1.7531.0}; absent when it was not asked for or the generation does not tell. */
    public Optional<String> version() {
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** How the head node is reached. */
    public HpcPackConnection connection() {
        return connection;
    }

    /**
     * Creates a job; it does not run before {@link #submit(int)}.
     *
     * @return its number
     */
    public int createJob(HpcPackJob job) {
        if (generation() == ApiGeneration.WINDOWS_HPC && !job.environment().isEmpty()) {
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
    public int createJobFromXml(String xml) {
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
    public void cancelJob(int job, String message, boolean forced) {
        try {
            dialect.cancelJob(job, message, forced);
        } catch (HpcPackRefusedException e) {
            if (!job(job).state().ended()) {
                throw e;
            }
        }
    }

    /** Ends a job as if it had finished. */
    public void finishJob(int job, String message) {
        dialect.finishJob(job, message);
    }

    /** Queues a job that ended again. */
    public void requeueJob(int job) {
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
    public JobStatus job(int id) {
        return dialect.job(id);
    }

    /** All that the head node tells of a job. */
    public Properties allOfJob(int id) {
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
    public List<JobStatus> jobs() {
        return dialect.jobs("");
    }

    /** The jobs in this state, of all pages. */
    public List<JobStatus> jobs(JobState state) {
        return dialect.jobs("JobState eq " + state.word());
    }

    /**
     * Waits for a job to end, at most this long, asking every 0.2 to 5 s.
     *
     * @return its last state, or empty when it is still under way
     * @throws HpcPackInterruptedException when this thread was interrupted; the job goes on
     */
    public Optional<JobStatus> awaitJob(int id, Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Duration pause = FIRST_PAUSE;
        while (true) {
            JobStatus now = job(id);
            if (now.state().ended()) {
                return Optional.of(now);
            }
            if (deadline.passed()) {
                return Optional.empty();
            }
            deadline.pause(pause, "see job " + id + " end");
            pause = longer(pause);
        }
    }

    /** The nodes. */
    public List<HpcPackNode> nodes() {
        return dialect.nodes();
    }

    /**
     * A node.
     *
     * @throws HpcPackNotFoundException when there is none of this name
     */
    public HpcPackNode node(String name) {
        return dialect.node(name);
    }

    /**
     * Asks something of a node; the head node works on it after it answered: see {@link #awaitNode}. Bringing a node online that is
     * online already does nothing.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public void operate(String node, NodeOperation operation) {
        boolean toggles = operation == NodeOperation.BRING_ONLINE || operation == NodeOperation.TAKE_OFFLINE;
        if (toggles && generation() == ApiGeneration.HPC_2019 && node(node).state() == operation.goal()) {
            return;
        }
        dialect.operate(node, operation);
    }

    /**
     * Waits for a node to reach a state, asking every 0.2 to 5 s.
     *
     * @throws HpcPackTimeoutException when it does not in this time; the message has its last state
     * @throws HpcPackInterruptedException when this thread was interrupted
     */
    public HpcPackNode awaitNode(String name, NodeState goal, Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Duration pause = FIRST_PAUSE;
        while (true) {
            HpcPackNode now = node(name);
            if (now.state() == goal) {
                return now;
            }
            if (deadline.passed()) {
                throw new HpcPackTimeoutException(
                        "node " + name + " is " + now.state().word() + ", health "
                                + now.health().word() + ", and not " + goal.word() + " after " + limit.toSeconds()
                                + " s; look at its operations in the cluster manager, or wait longer",
                        null);
            }
            deadline.pause(pause, "see node " + name + " become " + goal.word());
            pause = longer(pause);
        }
    }

    /** The node groups. */
    public List<HpcPackNodeGroup> nodeGroups() {
        return dialect.nodeGroups();
    }

    /** The names of the nodes of a group. */
    public List<String> nodesOf(String group) {
        return dialect.nodesOf(group);
    }

    /**
     * Creates a node group.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public HpcPackNodeGroup createNodeGroup(String name, String description) {
        return dialect.createNodeGroup(name, description);
    }

    /**
     * Deletes a node group; its nodes stay.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public void deleteNodeGroup(String name) {
        dialect.deleteNodeGroup(name);
    }

    /**
     * Adds nodes to a group.
     *
     * @return the nodes it has now
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public List<String> addToGroup(String group, List<String> nodes) {
        return dialect.changeNodeGroup(group, true, nodes);
    }

    /**
     * Takes nodes out of a group.
     *
     * @return the nodes it has now
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public List<String> removeFromGroup(String group, List<String> nodes) {
        return dialect.changeNodeGroup(group, false, nodes);
    }

    /**
     * The names of the job templates.
     *
     * @throws HpcPackUnsupportedException with HPC Pack 2012
     */
    public List<String> jobTemplates() {
        return dialect.jobTemplates();
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** Frees the connections; jobs go on. */
    @Override
    public void close() {
        http.close();
    }
}
