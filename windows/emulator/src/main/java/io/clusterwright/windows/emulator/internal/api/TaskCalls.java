package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import io.clusterwright.windows.emulator.internal.scheduler.Task;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked of tasks. */
final class TaskCalls {
    private static final String DEFAULT_PROPERTIES =
            "TaskId,Name,State,CommandLine,ExitCode,ParentJobId,JobTaskId,InstanceId";

    private final Scheduler scheduler;

    TaskCalls(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    Optional<Reply> answer(Call call) {
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
                return Optional.of(JobCalls.rows(call, all, asked.isEmpty() ? DEFAULT_PROPERTIES : asked));
            }
        }
        return call.segments().size() < 4 ? Optional.empty() : one(call, scheduler.task(job, call.number(3)));
    }

    private Optional<Reply> one(Call call, Task task) {
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
            return JobCalls.done();
        }
        if (call.is("POST", "jobs", "*", "tasks", "*", "cancel")
                || call.is("POST", "jobs", "*", "tasks", "*", "finish")) {
            scheduler.cancel(job, task.id(), "Canceled by user. Message: " + HpcJson.readText(call.text()));
            return JobCalls.done();
        }
        if (call.is("POST", "jobs", "*", "tasks", "*", "requeue")) {
            scheduler.requeue(job, task.id());
            return JobCalls.done();
        }
        return call.segments().size() == 5
                ? JobCalls.variables(call, task, call.segments().get(4))
                : Optional.empty();
    }
}
