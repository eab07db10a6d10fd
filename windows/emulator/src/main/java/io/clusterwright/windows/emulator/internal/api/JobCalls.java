package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Item;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import io.clusterwright.windows.emulator.internal.scheduler.Job;
import io.clusterwright.windows.emulator.internal.scheduler.Task;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Requests about jobs and their tasks. */
final class JobCalls {
    private static final String JOB_PROPERTIES = "Id,Owner,Name,State,Priority";
    private static final String TASK_PROPERTIES =
            "TaskId,Name,State,CommandLine,ExitCode,ParentJobId,JobTaskId,InstanceId";
    private static final String JOB = "jobs/*";
    private static final String TASK = JOB + "/tasks/*";

    private final HeadNodeScheduler scheduler;
    private final Generation generation;
    private final HeadNodeRoutes.Bodies bodies;

    JobCalls(HeadNodeScheduler scheduler, Generation generation, HeadNodeRoutes.Bodies bodies) {
        this.scheduler = scheduler;
        this.generation = generation;
        this.bodies = bodies;
    }

    void addTo(HeadNodeRoutes routes) {
        routes.on("GET jobs", (call, user) -> jobs(call))
                .on("GET jobs/templates", (call, user) -> bodies.texts(List.of("Default")))
                .on("POST jobs", (call, user) -> {
                    Job job = scheduler.create(bodies.properties(call), owner(call, user));
                    return bodies.number(job.id());
                })
                .on(
                        "POST jobs/jobFile",
                        (call, user) ->
                                bodies.number(XmlBodies.createJob(bodies.jobFile(call), scheduler, owner(call, user))))
                .on("POST " + JOB + "/submit", done(call -> scheduler.submit(call.number(2), bodies.properties(call))))
                .on(
                        "POST " + JOB + "/cancel",
                        done(call -> scheduler.end(call.number(2), State.CANCELED, message(call))))
                .since2016(
                        "POST " + JOB + "/finish",
                        done(call -> scheduler.end(call.number(2), State.FINISHED, bodies.text(call))))
                .on("POST " + JOB + "/requeue", done(call -> scheduler.requeue(call.number(2))))
                .on("GET " + JOB + "/tasks", (call, user) -> tasks(call))
                .on("POST " + JOB + "/tasks", (call, user) -> {
                    Task task = scheduler.add(call.number(2), bodies.properties(call));
                    return bodies.number(task.id());
                })
                .on("POST " + TASK + "/cancel", done(this::cancelTask))
                .since2016("POST " + TASK + "/finish", done(this::cancelTask))
                .on("POST " + TASK + "/requeue", done(call -> scheduler.requeue(call.number(2), call.number(4))))
                .on("GET " + TASK + "/subtasks/*", this::subtask)
                .on("PUT " + TASK + "/subtasks/*", this::subtask)
                .since2016("POST " + TASK + "/subtasks/*/*", this::subtask);
        item(routes, JOB, call -> scheduler.job(call.number(2)));
        item(routes, TASK, call -> scheduler.task(call.number(2), call.number(4)));
    }

    private void cancelTask(Call call) {
        scheduler.cancel(call.number(2), call.number(4), message(call));
    }

    /** Properties, environment variables and custom properties, of jobs as of tasks. */
    private void item(HeadNodeRoutes routes, String path, Function<Call, Item> find) {
        routes.on(
                        "GET " + path,
                        (call, user) -> bodies.properties(Rows.chosen(
                                scheduler.properties(List.of(find.apply(call))).get(0), call.query("properties"))))
                .on("PUT " + path, done(call -> scheduler.change(find.apply(call), bodies.properties(call))));
        variables(routes, path + "/envVariables", find.andThen(Item::environment));
        variables(routes, path + "/customProperties", find.andThen(Item::custom));
    }

    private void variables(HeadNodeRoutes routes, String path, Function<Call, Map<String, String>> values) {
        routes.on(
                        "GET " + path,
                        (call, user) -> bodies.properties(Rows.chosen(values.apply(call), call.query("names"))))
                .on("POST " + path, done(call -> values.apply(call).putAll(bodies.properties(call))));
    }

    private HeadNodeRoutes.Handler done(Consumer<Call> work) {
        return (call, user) -> {
            work.accept(call);
            return bodies.done();
        };
    }

    /** In 2012 no user acts for another. */
    private String owner(Call call, String user) {
        return generation == Generation.HPC_2012 ? user : call.headers().getOrDefault("x-ms-as-user", user);
    }

    private String message(Call call) {
        return "Canceled by user. Message: " + bodies.text(call);
    }

    private Reply subtask(Call call, String user) {
        scheduler.task(call.number(2), call.number(4));
        throw HttpRefusalException.badRequest("The specified subtask has not been expanded yet.");
    }

    private Reply jobs(Call call) {
        String state = Rows.filters(call).getOrDefault("jobstate", "");
        String owner = call.query("owner");
        List<Job> all = scheduler.jobs().stream()
                .filter(job -> state.isEmpty() || job.state().word().equalsIgnoreCase(state))
                .filter(job -> owner.isEmpty()
                        || owner.equalsIgnoreCase(job.properties().get("Owner")))
                .toList();
        return bodies.rows(call, scheduler.properties(all), JOB_PROPERTIES);
    }

    private Reply tasks(Call call) {
        String state = Rows.filters(call).getOrDefault("taskstate", "");
        List<Task> all = List.copyOf(scheduler.job(call.number(2)).tasks()).stream()
                .filter(task -> state.isEmpty() || task.state().word().equalsIgnoreCase(state))
                .toList();
        return bodies.rows(call, scheduler.properties(all), TASK_PROPERTIES);
    }
}
