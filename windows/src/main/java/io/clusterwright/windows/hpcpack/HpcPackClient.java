package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.windows.internal.jobs.HpcPackQueue;
import io.clusterwright.windows.internal.rest.HeadNodeApi;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
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
    private final HeadNodeApi api;

    private HpcPackClient(HpcPackConnection connection, HeadNodeHttp http, HeadNodeApi api) {
        this.connection = connection;
        this.http = http;
        this.api = api;
    }

    /**
     * Connects, and asks for the generation of the interface.
     *
     * @throws HpcPackException.Unavailable when nothing answers, or the certificate is not trusted
     * @throws HpcPackException.LoginRefused when the login is not accepted
     * @throws HpcPackException.NotFound when there is no such interface
     */
    public static HpcPackClient open(HpcPackConnection connection) {
        HeadNodeHttp http = new HeadNodeHttp(Objects.requireNonNull(connection, "connection"));
        try {
            return new HpcPackClient(connection, http, HeadNodeApi.of(http));
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    /** The version of HPC Pack, such as {@code 6.1.7531.0}; absent when the generation does not send it. */
    public Optional<String> version() {
        return Optional.of(api.version()).filter(text -> !text.isEmpty());
    }

    /** The connection it was opened with. */
    public HpcPackConnection connection() {
        return connection;
    }

    /** Its jobs, their tasks and the templates of jobs. */
    public Jobs jobs() {
        return new Jobs(api);
    }

    /** Its nodes and their groups. */
    public Nodes nodes() {
        return new Nodes(api);
    }

    /** The generation of the interface and the head node, such as {@code HPC Pack 2019 at https://head.hpc.example}. */
    @Override
    public String toString() {
        return api.title() + " at " + connection.headNode();
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
        private final HeadNodeApi api;

        private Jobs(HeadNodeApi api) {
            this.api = api;
        }

        /**
         * Creates a job with its tasks, in their order; it does not run before {@link #submit(int)}.
         *
         * @return its number
         */
        public int create(HpcPackJob job) {
            return api.create(job);
        }

        /**
         * Creates a job, with its tasks, from the text of a job file, such as one that HPC Pack has exported.
         *
         * @return its number
         */
        public int createFromXml(String file) {
            return api.createFromXml(file);
        }

        /**
         * Adds a task to a job that was not submitted yet.
         *
         * @return its number in the job, from 1
         */
        public int addTask(int job, HpcPackTask task) {
            return api.addTask(job, task);
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
                api.submit(job, properties);
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
                api.cancelJob(job, message, forced);
            } catch (HpcPackException.Refused e) {
                if (!get(job).state().ended()) {
                    throw e;
                }
            }
        }

        /** Ends a job as if it had finished. */
        public void finish(int job, String message) {
            api.finishJob(job, message);
        }

        /** Queues a job that ended again. */
        public void requeue(int job) {
            api.requeueJob(job);
        }

        /** Cancels one task after its grace period; it ends as failed, and so does its job. */
        public void cancelTask(int job, int task, String message) {
            api.cancelTask(job, task, message);
        }

        /**
         * The state of a job.
         *
         * @throws HpcPackException.NotFound when there is none of this number
         */
        public JobStatus get(int id) {
            return api.job(id);
        }

        /** All properties of a job. */
        public Map<String, String> properties(int id) {
            return api.allOfJob(id);
        }

        /** The state and output of a task. */
        public TaskStatus task(int job, int id) {
            return api.task(job, id);
        }

        /** The tasks of a job, in order; a parametric sweep counts as one. */
        public List<TaskStatus> tasks(int job) {
            return api.tasks(job);
        }

        /** All jobs, of all pages. */
        public List<JobStatus> list() {
            return api.jobs("");
        }

        /** The jobs in this state, of all pages. */
        public List<JobStatus> list(JobState state) {
            return api.jobs("JobState eq " + state.word());
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
            return api.jobTemplates();
        }
    }

    /**
     * The nodes of a head node and their groups. Changes need HPC Pack 2019; with others they throw {@link HpcPackException.Unsupported}.
     * Safe for use by several threads.
     */
    public static final class Nodes {
        private final HeadNodeApi api;

        private Nodes(HeadNodeApi api) {
            this.api = api;
        }

        /** The nodes. */
        public List<HpcPackNode> list() {
            return api.nodes();
        }

        /**
         * A node.
         *
         * @throws HpcPackException.NotFound when there is none of this name
         */
        public HpcPackNode get(String name) {
            return api.node(name);
        }

        /**
         * The placement domain of each node as far as the head node reports it, for {@link HpcPackJob#requireOneDomain}: burst nodes of one
         * node template are in one cloud service, and all others in the network of the head node.
         */
        public Map<String, String> domains() {
            return PlacementDomains.of(Map.of()).of(list());
        }

        /** Starts a burst or virtual node, as far as {@code OFFLINE}: see {@link #await}. Billed nodes cost from then on. */
        public void start(String node) {
            api.operate(node, "start", Optional.empty());
        }

        /** Stops a burst or virtual node, as far as {@code NOT_DEPLOYED}: see {@link #await}. */
        public void stop(String node) {
            api.operate(node, "stop", Optional.empty());
        }

        /** Lets a node take jobs; see {@link #await}. Nothing happens when it is online already. */
        public void bringOnline(String node) {
            api.operate(node, "bringOnline", Optional.of(NodeState.ONLINE));
        }

        /** Lets a node take no more jobs; those that run there go on until it is {@code OFFLINE}: see {@link #await}. */
        public void takeOffline(String node) {
            api.operate(node, "takeOffline", Optional.of(NodeState.OFFLINE));
        }

        /** Restarts the system of a node. */
        public void reboot(String node) {
            api.operate(node, "reboot", Optional.empty());
        }

        /** Shuts the system of a node down. */
        public void shutdown(String node) {
            api.operate(node, "shutdown", Optional.empty());
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
                                    + now.health().word() + ", and not " + goal.word() + " after " + limit.toSeconds()
                                    + " s; look at its operations in the cluster manager, or wait longer",
                            null);
                }
                HeadNodeHttp.pause(pauses.next(), deadline, "see node " + name + " become " + goal.word());
            }
        }

        /** The names of the node groups. */
        public List<String> groups() {
            return api.nodeGroups();
        }

        /** The names of the nodes of a group. */
        public List<String> inGroup(String group) {
            return api.nodesOf(group);
        }

        /** Creates a node group. */
        public void createGroup(String name, String description) {
            api.createNodeGroup(name, description);
        }

        /** Deletes a node group; its nodes stay. */
        public void deleteGroup(String name) {
            api.deleteNodeGroup(name);
        }

        /**
         * Adds nodes to a group.
         *
         * @return the nodes it has now
         */
        public List<String> addToGroup(String group, List<String> nodes) {
            return api.changeNodeGroup(group, true, nodes);
        }

        /**
         * Takes nodes out of a group.
         *
         * @return the nodes it has now
         */
        public List<String> removeFromGroup(String group, List<String> nodes) {
            return api.changeNodeGroup(group, false, nodes);
        }
    }
}
