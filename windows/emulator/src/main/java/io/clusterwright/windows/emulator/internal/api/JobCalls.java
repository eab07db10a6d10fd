package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.Item;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import io.clusterwright.windows.emulator.internal.scheduler.Job;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Task;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Requests about jobs and their tasks. */
final class JobCalls {
    private static final String DEFAULT_PROPERTIES = "Id,Owner,Name,State,Priority";
    private static final String TASK_PROPERTIES =
            "TaskId,Name,State,CommandLine,ExitCode,ParentJobId,JobTaskId,InstanceId";
    private static final String JOB = "hpc/jobs/*";
    private static final String TASK = JOB + "/tasks/*";

    private final Scheduler scheduler;

    JobCalls(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void addTo(Routes routes) {
        routes.on("GET hpc/jobs", (call, user) -> jobs(call))
                .on("GET hpc/jobs/templates", (call, user) -> HpcJson.texts(List.of("Default")))
                .on(
                        "POST hpc/jobs",
                        (call, user) -> HpcJson.number(scheduler
                                .create(HpcJson.readProperties(call.text()), owner(call, user))
                                .id()))
                .on(
                        "POST hpc/jobs/jobFile",
                        (call, user) -> HpcJson.number(
                                Xml.createJob(HpcJson.readText(call.text()), scheduler, owner(call, user))))
                .on(
                        "POST " + JOB + "/submit",
                        done(call -> scheduler.submit(call.number(2), HpcJson.readProperties(call.text()))))
                .on(
                        "POST " + JOB + "/cancel",
                        done(call -> scheduler.end(call.number(2), State.CANCELED, message(call))))
                .on(
                        "POST " + JOB + "/finish",
                        done(call -> scheduler.end(call.number(2), State.FINISHED, HpcJson.readText(call.text()))))
                .on("POST " + JOB + "/requeue", done(call -> scheduler.requeue(call.number(2))))
                .on("GET " + JOB + "/tasks", (call, user) -> tasks(call))
                .on(
                        "POST " + JOB + "/tasks",
                        (call, user) -> HpcJson.number(scheduler
                                .add(call.number(2), HpcJson.readProperties(call.text()))
                                .id()))
                .on(
                        "POST " + TASK + "/cancel",
                        done(call -> scheduler.cancel(call.number(2), call.number(4), message(call))))
                .on(
                        "POST " + TASK + "/finish",
                        done(call -> scheduler.cancel(call.number(2), call.number(4), message(call))))
                .on("POST " + TASK + "/requeue", done(call -> scheduler.requeue(call.number(2), call.number(4))))
                .on("GET " + TASK + "/subtasks/*", this::subtask)
                .on("PUT " + TASK + "/subtasks/*", this::subtask)
                .on("POST " + TASK + "/subtasks/*/*", this::subtask);
        item(routes, JOB, call -> scheduler.job(call.number(2)));
        item(routes, TASK, call -> scheduler.task(call.number(2), call.number(4)));
    }

    /** Properties, environment variables and custom properties, of jobs as of tasks. */
    private void item(Routes routes, String path, Function<Call, Item> find) {
        routes.on(
                        "GET " + path,
                        (call, user) -> Reply.ok(HpcJson.properties(Rows.chosen(
                                scheduler.properties(List.of(find.apply(call))).get(0), call.query("properties")))))
                .on(
                        "PUT " + path,
                        done(call -> scheduler.change(find.apply(call), HpcJson.readProperties(call.text()))));
        variables(routes, path + "/envVariables", find.andThen(Item::environment));
        variables(routes, path + "/customProperties", find.andThen(Item::custom));
    }

    private static void variables(Routes routes, String path, Function<Call, Map<String, String>> values) {
        routes.on(
                        "GET " + path,
                        (call, user) ->
                                Reply.ok(HpcJson.properties(Rows.chosen(values.apply(call), call.query("names")))))
                .on("POST " + path, done(call -> values.apply(call).putAll(HpcJson.readProperties(call.text()))));
    }

    private static Routes.Handler done(Consumer<Call> work) {
        return (call, user) -> {
            work.accept(call);
            return Reply.empty(204);
        };
    }

    private static String owner(Call call, String user) {
        return call.headers().getOrDefault("x-ms-as-user", user);
    }

    private static String message(Call call) {
        return "Canceled by user. Message: " + HpcJson.readText(call.text());
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
        return rows(call, all, DEFAULT_PROPERTIES);
    }

    private Reply tasks(Call call) {
        String state = Rows.filters(call).getOrDefault("taskstate", "");
        List<Task> all = List.copyOf(scheduler.job(call.number(2)).tasks()).stream()
                .filter(task -> state.isEmpty() || task.state().word().equalsIgnoreCase(state))
                .toList();
        return rows(call, all, TASK_PROPERTIES);
    }

    private Reply rows(Call call, List<? extends Item> items, String otherwise) {
        String asked = call.query("properties");
        return HpcJson.rows(call, scheduler.properties(items), asked.isEmpty() ? otherwise : asked);
    }
}
