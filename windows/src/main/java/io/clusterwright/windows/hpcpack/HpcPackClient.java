package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.windows.internal.jobs.HpcPackQueue;
import io.clusterwright.windows.internal.rest.Dialect;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.NodeOperation;
import io.clusterwright.windows.internal.rest.Probe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;

/**
 * A client of a head node over REST: {@link #jobs()}, with their tasks and output, and {@link #nodes()}, with their groups.
 *
 * <p>All methods block, for the connection's operation limit at most where they name no other, and end with
 * {@link io.clusterwright.core.type.OperationInterruptedException} when this thread is interrupted. Reading is retried when the head node
 * is busy or the connection breaks; a change is sent once. Nothing ever prompts: a head node that lacks a password refuses, with
 * {@link HpcPackException.LoginRefused}. Safe for use by several threads; the caller that opened it closes it.
 */
public final class HpcPackClient implements AutoCloseable {
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
     * Connects, and asks for the generation of the interface unless the connection names it.
     *
     * @throws HpcPackException.Unavailable when nothing answers, or the certificate is not trusted
     * @throws HpcPackException.LoginRefused when the login is not accepted
     * @throws HpcPackException.NotFound when there is no such interface
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

    /** The version of HPC Pack, such as {@code 6.1.7531.0}; absent when it was not asked for or the generation does not send it. */
    public Optional<String> version() {
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** The connection it was opened with. */
    public HpcPackConnection connection() {
        return connection;
    }

    /** Its jobs, their tasks and the templates of jobs. */
    public Jobs jobs() {
        return new Jobs(dialect);
    }

    /** Its nodes and their groups. */
    public Nodes nodes() {
        return new Nodes(dialect);
    }

    /** Frees the connections; jobs go on. */
    @Override
    public void close() {
        http.close();
    }

    /** Queues an MPI job of a target, which completes and submits it. */
    ScheduledJob queue(
            LaunchRequest request,
            Duration limit,
            BiFunction<HpcPackJob, List<LaunchNode>, HpcPackJob> placement,
            IntConsumer submission) {
        return new HpcPackQueue(this, placement, submission).submit(request, limit);
    }

    /** The MPI job of this number. */
    ScheduledJob queued(String id) {
        return HpcPackQueue.find(this, id);
    }

    private static Backoff pauses() {
        return new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    }

    /** The jobs of a head node with their tasks. Safe for use by several threads. */
    public static final class Jobs {
        private final Dialect dialect;

        private Jobs(Dialect dialect) {
            this.dialect = dialect;
        }

        /**
         * Creates a job with its tasks, in their order; it does not run before {@link #submit(int)}.
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
            job.tasks().forEach(task -> addTask(id, task));
            return id;
        }

        /**
         * Creates a job, with its tasks, from the text of a job file, such as one that HPC Pack has exported.
         *
         * @return its number
         */
        public int createFromXml(String file) {
            return dialect.createJobFromXml(file);
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
                dialect.submit(job, properties);
            } catch (HpcPackException.Refused | HpcPackException.LoginRefused | HpcPackException.Unavailable e) {
                // No generation has a code for a missing password: it can be known by the text alone.
                String text = e.getMessage().toLowerCase(Locale.ROOT);
                if (e instanceof HpcPackException.LoginRefused && text.contains("answered 401")
                        || !(text.contains("credential") || text.contains("password"))) {
                    throw e;
                }
                throw new HpcPackException.LoginRefused(
                        e.getMessage()
                                + "; submit with the account's password (runAs), or cache it on the head node once: hpccred setcreds");
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
                dialect.cancelJob(job, message, forced);
            } catch (HpcPackException.Refused e) {
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

        /** Cancels one task after its grace period; it ends as failed, and so does its job. */
        public void cancelTask(int job, int task, String message) {
            dialect.cancelTask(job, task, message);
        }

        /**
         * The state of a job.
         *
         * @throws HpcPackException.NotFound when there is none of this number
         */
        public JobStatus get(int id) {
            return dialect.job(id);
        }

        /** All properties of a job. */
        public Map<String, String> properties(int id) {
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
         * Waits for a job to end, at most this long, asking every 0.1 to 5 s. An interrupt ends the wait, not the job.
         *
         * @return its last state, or empty when it is still under way
         */
        public Optional<JobStatus> await(int id, Duration limit) {
            Deadline deadline = Deadline.in("limit", limit);
            Backoff pauses = pauses();
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

        /**
         * The names of the job templates.
         *
         * @throws HpcPackException.Unsupported with HPC Pack 2012
         */
        public List<String> templates() {
            return dialect.jobTemplates();
        }
    }

    /**
     * The nodes of a head node and their groups. Changes need HPC Pack 2019; with others they throw {@link HpcPackException.Unsupported}.
     * Safe for use by several threads.
     */
    public static final class Nodes {
        private final Dialect dialect;

        private Nodes(Dialect dialect) {
            this.dialect = dialect;
        }

        /** The nodes. */
        public List<HpcPackNode> list() {
            return dialect.nodes();
        }

        /**
         * A node.
         *
         * @throws HpcPackException.NotFound when there is none of this name
         */
        public HpcPackNode get(String name) {
            return dialect.node(name);
        }

        /** Starts a burst or virtual node, as far as {@code OFFLINE}: see {@link #await}. Billed nodes cost from then on. */
        public void start(String node) {
            operate(node, NodeOperation.START);
        }

        /** Stops a burst or virtual node, as far as {@code NOT_DEPLOYED}: see {@link #await}. */
        public void stop(String node) {
            operate(node, NodeOperation.STOP);
        }

        /** Lets a node take jobs; see {@link #await}. Nothing happens when it is online already. */
        public void bringOnline(String node) {
            operate(node, NodeOperation.BRING_ONLINE);
        }

        /** Lets a node take no more jobs; those that run there go on until it is {@code OFFLINE}: see {@link #await}. */
        public void takeOffline(String node) {
            operate(node, NodeOperation.TAKE_OFFLINE);
        }

        /** Restarts the system of a node. */
        public void reboot(String node) {
            operate(node, NodeOperation.REBOOT);
        }

        /** Shuts the system of a node down. */
        public void shutdown(String node) {
            operate(node, NodeOperation.SHUTDOWN);
        }

        private void operate(String node, NodeOperation operation) {
            boolean toggles = operation == NodeOperation.BRING_ONLINE || operation == NodeOperation.TAKE_OFFLINE;
            if (toggles
                    && dialect.generation() == ApiGeneration.HPC_2019
                    && get(node).state() == operation.goal()) {
                return;
            }
            dialect.operate(node, operation);
        }

        /**
         * Waits for a node to reach a state, asking every 0.1 to 5 s.
         *
         * @throws HpcPackException.Unavailable when it does not in this time; the message has its last state
         */
        public HpcPackNode await(String name, NodeState goal, Duration limit) {
            Deadline deadline = Deadline.in("limit", limit);
            Backoff pauses = pauses();
            while (true) {
                HpcPackNode now = get(name);
                if (now.state() == goal) {
                    return now;
                }
                if (deadline.passed()) {
                    throw new HpcPackException.Unavailable(
                            "node " + name + " is " + now.state().word() + ", health "
                                    + now.health() + ", and not " + goal.word() + " after " + limit.toSeconds()
                                    + " s; look at its operations in the cluster manager, or wait longer",
                            null);
                }
                HeadNodeHttp.pause(pauses.next(), deadline, "see node " + name + " become " + goal.word());
            }
        }

        /** The names of the node groups. */
        public List<String> groups() {
            return dialect.nodeGroups();
        }

        /** The names of the nodes of a group. */
        public List<String> inGroup(String group) {
            return dialect.nodesOf(group);
        }

        /** Creates a node group. */
        public void createGroup(String name, String description) {
            dialect.createNodeGroup(name, description);
        }

        /** Deletes a node group; its nodes stay. */
        public void deleteGroup(String name) {
            dialect.deleteNodeGroup(name);
        }

        /**
         * Adds nodes to a group.
         *
         * @return the nodes it has now
         */
        public List<String> addToGroup(String group, List<String> nodes) {
            return dialect.changeNodeGroup(group, true, nodes);
        }

        /**
         * Takes nodes out of a group.
         *
         * @return the nodes it has now
         */
        public List<String> removeFromGroup(String group, List<String> nodes) {
            return dialect.changeNodeGroup(group, false, nodes);
        }
    }
}
