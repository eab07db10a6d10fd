package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.windows.emulator.TaskRunner;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gives jobs to nodes, in the order they came; a job has its nodes for itself. Remembers 1,000 jobs that ended, the latest. Its methods hold
 * one lock; tasks run outside of it.
 */
public final class HeadNodeScheduler implements AutoCloseable {
    private static final int MOST_ENDED = 1000;

    private final Nodes nodes;
    private final TaskRunner runner;
    private final HeadNodeFaults faults;
    private final Users users;
    private final boolean credentialsCached;
    private final Map<Integer, Job> jobs = new TreeMap<>();
    private final Map<Integer, HpcJobRun> running = new HashMap<>();
    private int lastJob;

    public HeadNodeScheduler(
            Nodes nodes, TaskRunner runner, HeadNodeFaults faults, Users users, boolean credentialsCached) {
        this.nodes = nodes;
        this.runner = runner;
        this.faults = faults;
        this.users = users;
        this.credentialsCached = credentialsCached;
        nodes.onChange(this::schedule);
    }

    /** Creates a job. */
    public synchronized Job create(Map<String, String> properties, String owner) {
        Job job = new Job(++lastJob, owner);
        job.given().putAll(properties);
        jobs.put(job.id(), job);
        return job;
    }

    /** Adds a task to a job that was not handed in. */
    public synchronized Task add(int id, Map<String, String> properties) {
        Job job = job(id);
        require(job, State.CONFIGURING, "add a task");
        if (!properties.getOrDefault("Type", "Basic").equals("Basic")) {
            throw HttpRefusalException.badRequest(
                    "The emulator runs tasks of type Basic only, not " + properties.get("Type") + ".");
        }
        Task task = new Task(id, job.tasks().size() + 1);
        task.given().putAll(properties);
        job.tasks().add(task);
        return task;
    }

    public synchronized Job job(int id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw HttpRefusalException.notFound("Job " + id + " does not exist.");
        }
        return job;
    }

    public synchronized List<Job> jobs() {
        return new ArrayList<>(jobs.values());
    }

    /** The properties of items as they are now. */
    public synchronized List<Map<String, String>> properties(List<? extends Item> items) {
        return List.copyOf(items).stream().map(Item::properties).toList();
    }

    public synchronized Task task(int job, int id) {
        return job(job).tasks().stream()
                .filter(task -> task.id() == id)
                .findFirst()
                .orElseThrow(() -> HttpRefusalException.notFound("Task " + job + "." + id + " does not exist."));
    }

    /** Changes properties; some of them only before the job was handed in. */
    public synchronized void change(Item item, Map<String, String> properties) {
        if (item.state().ended()) {
            throw HttpRefusalException.badRequest(
                    "The operation is not allowed in state " + item.state().word() + ".");
        }
        item.given().putAll(properties);
    }

    /** Hands a job in. */
    public synchronized void submit(int id, Map<String, String> properties) {
        Job job = job(id);
        require(job, State.CONFIGURING, "submit the job");
        requireCredentials(properties);
        properties.forEach((name, value) -> {
            if (!name.equals("UserName") && !name.equals("Password")) {
                job.given().put(name, value);
            }
        });
        long possible = nodes.all().stream().filter(job::accepts).count();
        if (possible < job.leastNodes()) {
            throw HttpRefusalException.badRequest("The job requires at least " + job.leastNodes()
                    + " nodes, and the cluster has " + possible + " that its groups and requested nodes allow.");
        }
        job.tasks().forEach(task -> task.enter(State.QUEUED));
        job.enter(State.QUEUED);
        if (!faults.queueHeld()) {
            schedule();
        }
    }

    private void requireCredentials(Map<String, String> properties) {
        String user = properties.getOrDefault("UserName", "");
        if (!user.isEmpty()) {
            if (!users.accepts(user, properties.getOrDefault("Password", ""))) {
                throw HttpRefusalException.badRequest("The credentials of " + user + " are not valid.");
            }
        } else if (faults.credentialsExpired()) {
            throw HttpRefusalException.badRequest(
                    "The cached credentials of " + users.name() + " have expired. Provide valid credentials.");
        } else if (!credentialsCached) {
            throw HttpRefusalException.badRequest(
                    "No credentials of " + users.name() + " are cached. Provide a user name and a password.");
        }
    }

    /** Ends a job, which gets this state once its tasks have ended. */
    public synchronized void end(int id, State how, String message) {
        Job job = job(id);
        if (job.state().ended()) {
            throw HttpRefusalException.badRequest(
                    "The operation is not allowed in state " + job.state().word() + ".");
        }
        HpcJobRun run = running.get(id);
        if (run == null) {
            job.tasks().forEach(task -> task.end(how, 0, message));
            finish(job, how, message);
        } else {
            job.enter(State.CANCELING);
            run.stop(how, message);
        }
    }

    /** Ends one task: it fails, and so will its job. */
    public synchronized void cancel(int job, int id, String message) {
        Task task = task(job, id);
        HpcJobRun run = running.get(job);
        if (task.state() == State.QUEUED || task.state() == State.CONFIGURING) {
            task.end(State.FAILED, 0, message);
        } else if (task.state() == State.RUNNING && run != null) {
            run.cancelTask(message);
        } else {
            throw HttpRefusalException.badRequest(
                    "The operation is not allowed in state " + task.state().word() + ".");
        }
    }

    /** Queues a job that ended again, with its tasks that did not finish. */
    public synchronized void requeue(int id) {
        Job job = job(id);
        if (!job.state().ended()) {
            throw HttpRefusalException.badRequest(
                    "The operation is not allowed in state " + job.state().word() + ".");
        }
        job.explain("");
        job.tasks().stream().filter(task -> task.state() != State.FINISHED).forEach(task -> {
            task.again();
            task.enter(State.QUEUED);
        });
        job.enter(State.QUEUED);
        schedule();
    }

    /** Makes a task ready to be queued with its job. */
    public synchronized void requeue(int job, int id) {
        task(job, id).again();
    }

    private static void require(Job job, State state, String what) {
        if (job.state() != state) {
            throw HttpRefusalException.badRequest("Cannot " + what + ": job " + job.id() + " is in state "
                    + job.state().word() + ".");
        }
    }

    private synchronized void schedule() {
        if (faults.queueHeld()) {
            return;
        }
        for (Job job : jobs.values()) {
            if (job.state() == State.QUEUED && !running.containsKey(job.id())) {
                List<ComputeNode> given = nodes.take(job);
                if (!given.isEmpty()) {
                    job.nodes().clear();
                    job.nodes().addAll(given);
                    job.enter(State.RUNNING);
                    HpcJobRun run = new HpcJobRun(this, job, runner, faults, nodes.clock());
                    running.put(job.id(), run);
                    run.start();
                }
            }
        }
    }

    synchronized void finish(Job job, State how, String message) {
        running.remove(job.id());
        nodes.free(job.id());
        job.explain(message);
        job.enter(how);
        List<Job> ended =
                jobs.values().stream().filter(each -> each.state().ended()).toList();
        ended.stream().limit(Math.max(0, ended.size() - MOST_ENDED)).forEach(old -> jobs.remove(old.id()));
        schedule();
    }

    /** Whether a node of the job is lost. */
    synchronized boolean lost(Job job) {
        return job.nodes().stream().anyMatch(node -> !node.isReachable());
    }

    /** A node is lost: what runs there ends. */
    public synchronized void lose(String name) {
        ComputeNode node = nodes.find(name);
        node.reachable(false);
        HpcJobRun run = running.get(node.job());
        if (run != null) {
            run.cancelTask("Node " + name + " is unreachable.");
        }
    }

    @Override
    public void close() {
        List<HpcJobRun> all;
        synchronized (this) {
            all = new ArrayList<>(running.values());
        }
        all.forEach(run -> run.stop(State.CANCELED, "The head node stops."));
        all.forEach(HpcJobRun::join);
    }

    /**
     * The one user who may log in, by password or token.
     *
     * @param name the user
     * @param password its password
     * @param token a bearer token that stands for it
     */
    public record Users(String name, Secret password, Secret token) {

        /** The user that an {@code Authorization} header proves. */
        public Optional<String> of(String authorization) {
            String basic = "Basic "
                    + Base64.getEncoder()
                            .encodeToString((name + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8));
            boolean good = authorization.equals(basic) || authorization.equals("Bearer " + token.reveal());
            return good ? Optional.of(name) : Optional.empty();
        }

        /** Whether these are the user and its password. */
        public boolean accepts(String user, String given) {
            return name.equalsIgnoreCase(user) && password.reveal().equals(given);
        }
    }
}
