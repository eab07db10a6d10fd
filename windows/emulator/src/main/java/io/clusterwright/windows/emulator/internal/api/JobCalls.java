package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.emulator.internal.scheduler.Item.State;
import io.clusterwright.windows.emulator.internal.scheduler.Item;
import io.clusterwright.windows.emulator.internal.scheduler.Job;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Task;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests about jobs and their tasks. */
final class JobCalls {
    private static final String DEFAULT_PROPERTIES = "Id,Owner,Name,State,Priority";

    private static final String TASK_PROPERTIES =
            "TaskId,Name,State,CommandLine,ExitCode,ParentJobId,JobTaskId,InstanceId";

    private final Scheduler scheduler;

    JobCalls(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    Optional<Reply> answer(Call call, String user) {
        if (call.segments().isEmpty() || !call.segments().get(0).equalsIgnoreCase("jobs")) {
            return Optional.empty();
        }
        if (call.is("GET", "jobs")) {
            return Optional.of(list(call));
        }
        if (call.is("GET", "jobs", "templates")) {
            return Optional.of(HpcJson.texts(List.of("Default")));
        }
        String owner = call.headers().getOrDefault("x-ms-as-user", user);
        if (call.is("POST", "jobs")) {
            return Optional.of(HpcJson.number(
                    scheduler.create(HpcJson.readProperties(call.text()), owner).id()));
        }
        if (call.is("POST", "jobs", "jobFile")) {
            return Optional.of(HpcJson.number(JobFile.read(HpcJson.readText(call.text()))
                    .create(scheduler, owner)
                    .id()));
        }
        return one(call).or(() -> tasks(call));
    }

    private Reply list(Call call) {
        String state = Rows.filters(call).getOrDefault("jobstate", "");
        String owner = call.query("owner");
        List<Job> all = scheduler.jobs().stream()
                .filter(job -> state.isEmpty() || job.state().word().equalsIgnoreCase(state))
                .filter(job -> owner.isEmpty()
                        || owner.equalsIgnoreCase(job.properties().get("Owner")))
                .toList();
        String asked = call.query("properties");
        return rows(call, all, asked.isEmpty() ? DEFAULT_PROPERTIES : asked);
    }

    private static Reply rows(Call call, List<? extends Item> all, String asked) {
        Rows.Page<? extends Item> page = Rows.page(call, all);
        ArrayNode rows = Json.array();
        page.rows()
                .forEach(item ->
                        rows.addObject().set("Properties", HpcJson.properties(Rows.chosen(item.properties(), asked))));
        Reply reply = Reply.ok(rows);
        if (page.total() >= 0) {
            reply = reply.with("x-ms-row-count", Integer.toString(page.total()));
        }
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-queryId", page.next());
    }

    private Optional<Reply> one(Call call) {
        if (call.is("GET", "jobs", "*")) {
            Map<String, String> all = locked(scheduler.job(call.number(1)));
            return Optional.of(Reply.ok(HpcJson.properties(Rows.chosen(all, call.query("properties")))));
        }
        if (call.is("PUT", "jobs", "*")) {
            scheduler.change(scheduler.job(call.number(1)), HpcJson.readProperties(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "submit")) {
            scheduler.submit(call.number(1), HpcJson.readProperties(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "cancel")) {
            scheduler.end(
                    call.number(1), State.CANCELED, "Canceled by user. Message: " + HpcJson.readText(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "finish")) {
            scheduler.end(call.number(1), State.FINISHED, HpcJson.readText(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "requeue")) {
            scheduler.requeue(call.number(1));
            return done();
        }
        if (call.segments().size() == 3) {
            return variables(
                    call, scheduler.job(call.number(1)), call.segments().get(2));
        }
        return Optional.empty();
    }

    private Map<String, String> locked(Item item) {
        synchronized (scheduler) {
            return item.properties();
        }
    }

    /** Environment variables and custom properties. */
    private static Optional<Reply> variables(Call call, Item item, String what) {
        Map<String, String> values = switch (what) {
            case "envVariables" -> item.environment();
            case "customProperties" -> item.custom();
            default -> Map.of();
        };
        boolean known = what.equals("envVariables") || what.equals("customProperties");
        if (known && call.method().equals("GET")) {
            return Optional.of(Reply.ok(HpcJson.properties(Rows.chosen(values, call.query("names")))));
        }
        if (known && call.method().equals("POST")) {
            values.putAll(HpcJson.readProperties(call.text()));
            return done();
        }
        return Optional.empty();
    }

    private static Optional<Reply> done() {
        return Optional.of(Reply.empty(204));
    }

    private Optional<Reply> tasks(Call call) {
        if (call.segments().size() < 3
                || !call.segments().get(0).equalsIgnoreCase("jobs")
                || !call.segments().get(2).equalsIgnoreCase("tasks")) {
            return Optional.empty();
        }
        int job = call.number(1);
        if (call.is("POST", "jobs", "*", "tasks")) {
            return Optional.of(HpcJson.number(
                    scheduler.add(job, HpcJson.readProperties(call.text())).id()));
        }
        if (call.is("GET", "jobs", "*", "tasks")) {
            String state = Rows.filters(call).getOrDefault("taskstate", "");
            List<Task> all = List.copyOf(scheduler.job(job).tasks()).stream()
                    .filter(task -> state.isEmpty() || task.state().word().equalsIgnoreCase(state))
                    .toList();
            String asked = call.query("properties");
            synchronized (scheduler) {
                return Optional.of(rows(call, all, asked.isEmpty() ? TASK_PROPERTIES : asked));
            }
        }
        return call.segments().size() < 4 ? Optional.empty() : task(call, scheduler.task(job, call.number(3)));
    }

    private Optional<Reply> task(Call call, Task task) {
        int job = call.number(1);
        if (call.segments().size() > 4 && call.segments().get(4).equalsIgnoreCase("subtasks")) {
            throw HttpRefusalException.badRequest("The specified subtask has not been expanded yet.");
        }
        if (call.is("GET", "jobs", "*", "tasks", "*")) {
            Map<String, String> all;
            synchronized (scheduler) {
                all = task.properties();
            }
            return Optional.of(Reply.ok(HpcJson.properties(Rows.chosen(all, call.query("properties")))));
        }
        if (call.is("PUT", "jobs", "*", "tasks", "*")) {
            scheduler.change(task, HpcJson.readProperties(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "tasks", "*", "cancel")
                || call.is("POST", "jobs", "*", "tasks", "*", "finish")) {
            scheduler.cancel(job, task.id(), "Canceled by user. Message: " + HpcJson.readText(call.text()));
            return done();
        }
        if (call.is("POST", "jobs", "*", "tasks", "*", "requeue")) {
            scheduler.requeue(job, task.id());
            return done();
        }
        return call.segments().size() == 5
                ? variables(call, task, call.segments().get(4))
                : Optional.empty();
    }
}
