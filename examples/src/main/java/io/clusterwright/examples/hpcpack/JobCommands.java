package io.clusterwright.examples.hpcpack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.JobState;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The commands about the jobs of a head node. */
final class JobCommands {
    private JobCommands() {}

    /** Prints a job as one line or document. */
    static void print(HpcPackCommand head, JobStatus job) {
        if (head.json()) {
            head.print(json(job));
        } else {
            head.line("job " + job.id() + " is " + job.state().word());
        }
    }

    private static ObjectNode json(JobStatus job) {
        ObjectNode json =
                Json.object().put("id", job.id()).put("state", job.state().word());
        for (String key : List.of("Name", "Owner")) {
            String value = job.properties().getOrDefault(key, "");
            if (!value.isEmpty()) {
                json.put(key.toLowerCase(Locale.ROOT), value);
            }
        }
        return json;
    }

    private static String exit(TaskStatus task) {
        return task.exitCode().isPresent() ? Integer.toString(task.exitCode().getAsInt()) : "-";
    }

    @Command(name = "templates", description = "Lists the job templates.")
    static final class Templates extends HeadNodeCommand {
        @Override
        int run(HpcPackClient client) {
            head().print(client.jobs().templates(), TextNode::valueOf, head()::line);
            return ExitCodes.OK;
        }
    }

    @Command(name = "jobs", description = "Lists the jobs.")
    static final class Jobs extends HeadNodeCommand {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                converter = StateConverter.class,
                description = "Only jobs in this state, such as Queued, Running, Finished, Failed or Canceled.")
        private @Nullable JobState state;

        @Override
        int run(HpcPackClient client) {
            List<JobStatus> jobs =
                    state == null ? client.jobs().list() : client.jobs().list(state);
            if (head().json()) {
                head().print(jobs, JobCommands::json, job -> {});
                return ExitCodes.OK;
            }
            head().table(
                            List.of("ID", "STATE", "OWNER", "NAME"),
                            jobs.stream()
                                    .map(job -> List.of(
                                            Integer.toString(job.id()),
                                            job.state().word(),
                                            job.properties().getOrDefault("Owner", "-"),
                                            job.properties().getOrDefault("Name", "-")))
                                    .toList());
            return ExitCodes.OK;
        }
    }

    /** A command about one job. */
    abstract static class OfJob extends HeadNodeCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "The number of the job.")
        int id;
    }

    @Command(name = "view", description = "Shows a job with its properties and tasks.")
    static final class View extends OfJob {
        @Override
        int run(HpcPackClient client) {
            JobStatus job = client.jobs().get(id);
            Map<String, String> properties = new TreeMap<>(client.jobs().properties(id));
            properties.values().removeIf(String::isBlank);
            List<TaskStatus> tasks = client.jobs().tasks(id);
            if (head().json()) {
                ObjectNode json = json(job);
                ObjectNode all = json.putObject("properties");
                properties.forEach(all::put);
                ArrayNode list = json.putArray("tasks");
                tasks.forEach(task -> {
                    ObjectNode one = list.addObject()
                            .put("id", task.id())
                            .put("state", task.state().word());
                    task.exitCode().ifPresent(code -> one.put("exit", code));
                    String command = task.properties().getOrDefault("CommandLine", "");
                    if (!command.isEmpty()) {
                        one.put("command", command);
                    }
                });
                head().print(json);
                return ExitCodes.OK;
            }
            int width =
                    properties.keySet().stream().mapToInt(String::length).max().orElse(0);
            properties.forEach((key, value) -> head().line(key + " ".repeat(width - key.length()) + " : " + value));
            head().line("");
            head().table(
                            List.of("TASK", "STATE", "EXIT", "COMMAND"),
                            tasks.stream()
                                    .map(task -> List.of(
                                            id + "." + task.id(),
                                            task.state().word(),
                                            exit(task),
                                            task.properties().getOrDefault("CommandLine", "-")))
                                    .toList());
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "output",
            description = "Prints the output of the tasks of a job, as far as the head node keeps it.")
    static final class Output extends OfJob {
        @Option(names = "--task", paramLabel = "N", description = "Only this task; default: all, in their order.")
        private @Nullable Integer task;

        @Override
        int run(HpcPackClient client) {
            List<Integer> numbers = task == null
                    ? client.jobs().tasks(id).stream().map(TaskStatus::id).toList()
                    : List.of(task);
            List<TaskStatus> tasks = numbers.stream()
                    .map(number -> client.jobs().task(id, number))
                    .toList();
            if (head().json()) {
                head().print(
                                tasks,
                                one -> {
                                    ObjectNode json = Json.object()
                                            .put("task", one.id())
                                            .put("state", one.state().word())
                                            .put("output", one.output());
                                    one.exitCode().ifPresent(code -> json.put("exit", code));
                                    return json;
                                },
                                one -> {});
            } else {
                tasks.forEach(one -> {
                    one.output().lines().forEach(head()::line);
                });
            }
            return ExitCodes.OK;
        }
    }

    @Command(name = "cancel", description = "Cancels a job; harmless when it has ended.")
    static final class Cancel extends OfJob {
        @Option(names = "--force", description = "Without a grace period for its tasks.")
        private boolean force;

        @Option(names = "--message", paramLabel = "TEXT", description = "A reason for the head node's records.")
        private String message = "cancelled by its owner";

        @Override
        int run(HpcPackClient client) {
            if (force) {
                client.jobs().cancelAtOnce(id, message);
            } else {
                client.jobs().cancel(id, message);
            }
            print(head(), client.jobs().get(id));
            return ExitCodes.OK;
        }
    }

    @Command(name = "requeue", description = "Queues a job that has ended again.")
    static final class Requeue extends OfJob {
        @Override
        int run(HpcPackClient client) {
            client.jobs().requeue(id);
            print(head(), client.jobs().get(id));
            return ExitCodes.OK;
        }
    }

    /** Reads the head node's word for a state. */
    static final class StateConverter implements ITypeConverter<JobState> {
        @Override
        public JobState convert(String word) {
            JobState state = JobState.of(word);
            if (state == JobState.UNKNOWN) {
                throw new TypeConversionException("'" + word + "' is not a state of jobs; allowed: "
                        + Arrays.stream(JobState.values())
                                .filter(each -> each != JobState.UNKNOWN)
                                .map(JobState::word)
                                .collect(Collectors.joining(", ")));
            }
            return state;
        }
    }
}
