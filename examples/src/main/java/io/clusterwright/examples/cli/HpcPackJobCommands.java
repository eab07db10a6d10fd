package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.EncodedText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobClient;
import io.clusterwright.windows.hpcpack.JobState;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The commands about the jobs of a head node. */
final class HpcPackJobCommands {
    private HpcPackJobCommands() {}

    /** A command about a job. */
    abstract static class JobCommand extends HpcPackCommand.OnHead {
        /** Prints a job as one line or document; returns the exit status. */
        final int print(JobStatus job) {
            return print(
                    () -> json(job),
                    () -> out.println("job " + job.id() + " is " + job.state().word()));
        }

        static JsonFields json(JobStatus job) {
            return JsonFields.of("id", job.id())
                    .and("state", job.state().word())
                    .and("name", property(job, "Name"))
                    .and("owner", property(job, "Owner"));
        }

        private static Optional<String> property(JobStatus job, String key) {
            return Optional.ofNullable(job.properties().get(key)).filter(value -> !value.isEmpty());
        }
    }

    @Command(name = "templates", description = "Lists the job templates.")
    static final class Templates extends HpcPackCommand.OnHead {
        @Override
        int run(HpcPackClient client) {
            return print(client.jobs().templates(), TextNode::valueOf, out::println);
        }
    }

    @Command(name = "jobs", description = "Lists the jobs.")
    static final class Jobs extends JobCommand {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                converter = StateConverter.class,
                description = "Only jobs in this state, such as Queued, Running, Finished, Failed or Canceled.")
        private @Nullable JobState state;

        @Override
        int run(HpcPackClient client) {
            return print(
                    state == null ? client.jobs().list() : client.jobs().list(state),
                    JobCommand::json,
                    List.of("ID", "STATE", "OWNER", "NAME"),
                    job -> List.of(
                            Integer.toString(job.id()),
                            job.state().word(),
                            job.properties().getOrDefault("Owner", "-"),
                            job.properties().getOrDefault("Name", "-")));
        }
    }

    /** A command about one job. */
    abstract static class OfJob extends JobCommand {
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
            return print(() -> json(job, properties, tasks), () -> {
                int width = properties.keySet().stream()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
                properties.forEach((key, value) -> out.println(key + " ".repeat(width - key.length()) + " : " + value));
                out.println();
                table(
                        List.of("TASK", "STATE", "EXIT", "COMMAND"),
                        tasks,
                        task -> List.of(
                                id + "." + task.id(),
                                task.state().word(),
                                task.exitCode().isPresent()
                                        ? Integer.toString(task.exitCode().getAsInt())
                                        : "-",
                                task.properties().getOrDefault("CommandLine", "-")));
            });
        }

        private static JsonFields json(JobStatus job, Map<String, String> properties, List<TaskStatus> tasks) {
            return json(job).and("properties", properties).and("tasks", JsonFields.list(tasks, task -> {
                String command = task.properties().getOrDefault("CommandLine", "");
                return JsonFields.of("id", task.id())
                        .and("state", task.state().word())
                        .and("exit", task.exitCode())
                        .andIf(!command.isEmpty(), "command", command);
            }));
        }
    }

    @Command(
            name = "output",
            description = "Prints the output of the tasks of a job (the part that the head node keeps).")
    static final class Output extends OfJob {
        @Option(names = "--task", paramLabel = "N", description = "Only this task; default: all, in their order.")
        private @Nullable Integer task;

        @Override
        int run(HpcPackClient client) {
            List<Integer> numbers = task == null
                    ? client.jobs().tasks(id).stream().map(TaskStatus::id).toList()
                    : List.of(task);
            return print(
                    numbers.stream()
                            .map(number -> client.jobs().task(id, number))
                            .toList(),
                    one -> JsonFields.of("task", one.id())
                            .and("state", one.state().word())
                            .and("output", one.output())
                            .and("exit", one.exitCode()),
                    one -> one.output().lines().forEach(out::println));
        }
    }

    @Command(name = "cancel", description = "Cancels a job; an ended job stays as it is.")
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
            return print(client.jobs().get(id));
        }
    }

    @Command(name = "requeue", description = "Queues an ended job again.")
    static final class Requeue extends OfJob {
        @Override
        int run(HpcPackClient client) {
            client.jobs().requeue(id);
            return print(client.jobs().get(id));
        }
    }

    @Command(
            name = "submit",
            description = "Submits a job as job submit does, and prints its number.",
            footer = "Put -- before the program.")
    static final class Submit extends JobCommand {
        @Option(
                names = "--file",
                paramLabel = "FILE.xml",
                description = "A job file that HPC Pack exported, instead of a program.")
        private @Nullable Path file;

        @Option(names = "--name", paramLabel = "NAME", description = "The job's name.")
        private @Nullable String name;

        @Option(names = "--nodes", paramLabel = "MIN[-MAX]", description = "Number of nodes (job submit /numnodes).")
        private @Nullable String nodes;

        @Option(names = "--cores", paramLabel = "MIN[-MAX]", description = "Number of cores (job submit /numcores).")
        private @Nullable String cores;

        @Option(
                names = "--group",
                paramLabel = "GROUP",
                split = ",",
                description = "Node groups (job submit /nodegroup).")
        private List<String> groups = List.of();

        @Option(
                names = "--on",
                paramLabel = "NODE",
                split = ",",
                description = "Only these nodes (job submit /requestednodes).")
        private List<String> requested = List.of();

        @Option(names = "--template", paramLabel = "NAME", description = "The job template (job submit /jobtemplate).")
        private @Nullable String template;

        @Option(names = "--env", paramLabel = "NAME=VALUE", description = "An environment variable of the task.")
        private Map<String, String> environment = new LinkedHashMap<>();

        @Option(names = "--workdir", paramLabel = "FOLDER", description = "The working folder of the task.")
        private @Nullable String folder;

        @Option(
                names = "--runtime",
                paramLabel = "SECONDS",
                description = "Ends the job after this time from its start.")
        private @Nullable Integer seconds;

        @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
        private List<String> program = List.of();

        @Override
        void check() {
            if ((file == null) == program.isEmpty()) {
                throw new RefusedException(
                        file == null
                                ? "no program: add -- PROGRAM…, or --file FILE with a job file"
                                : "--file and a program are both there: remove one of the two");
            }
            if (file != null && !job(HpcPackTask.of("none")).properties().isEmpty()) {
                throw new RefusedException(
                        "a job file has size, groups and template: remove their options, or remove --file");
            }
            if (file == null) {
                job(task());
            }
        }

        /** The ranks of an MPI job reach each other over RDMA in one placement domain only. */
        private void requireOneDomain(HpcPackClient client) {
            if (file != null || !program.get(0).matches("(?i)(.*[\\\\/])?mpiexec(\\.exe)?")) {
                return;
            }
            List<HpcPackNode> possible = client.nodes().list().stream()
                    .filter(HpcPackNode::takesJobs)
                    .filter(node -> groups.isEmpty() || groups.stream().anyMatch(group -> holds(node.groups(), group)))
                    .filter(node -> requested.isEmpty() || holds(requested, node.name()))
                    .toList();
            if (possible.size() > 1) {
                HpcPackJob.of(task())
                        .requestedNodes(possible.stream().map(HpcPackNode::name).toList())
                        .requireOneDomain(client.nodes().domains());
            }
        }

        private static boolean holds(List<String> names, String name) {
            return names.stream().anyMatch(name::equalsIgnoreCase);
        }

        @Override
        int run(HpcPackClient client) {
            requireOneDomain(client);
            int id = file == null
                    ? client.jobs().create(job(task()))
                    : client.jobs().createFromXml(text(file));
            try {
                if (head.runsAsLogin()) {
                    client.jobs().submit(id, head.user(), head.password());
                } else {
                    client.jobs().submit(id);
                }
            } catch (RuntimeException e) {
                client.jobs().cancelAtOnce(id, "it could not be submitted");
                throw e;
            }
            return print(client.jobs().get(id));
        }

        private HpcPackTask task() {
            HpcPackTask task = HpcPackTask.of(JobClient.taskCommand(program));
            for (Map.Entry<String, String> variable : environment.entrySet()) {
                task = task.environment(variable.getKey(), variable.getValue());
            }
            int[] size = range("--nodes", nodes);
            task = size.length == 0 ? task : task.nodes(size[0], size[1]);
            return folder == null ? task : task.property("WorkDirectory", folder);
        }

        private HpcPackJob job(HpcPackTask task) {
            HpcPackJob job = HpcPackJob.of(task);
            int[] size = range("--nodes", nodes);
            job = size.length == 0 ? job : job.nodes(size[0], size[1]);
            int[] several = range("--cores", cores);
            job = several.length == 0 ? job : job.cores(several[0], several[1]);
            job = name == null ? job : job.property("Name", name);
            job = groups.isEmpty() ? job : job.nodeGroups(groups);
            job = requested.isEmpty() ? job : job.requestedNodes(requested);
            job = template == null ? job : job.template(template);
            return seconds == null ? job : job.runtime(Duration.ofSeconds(seconds));
        }

        private static int[] range(String option, @Nullable String text) {
            if (text == null) {
                return new int[0];
            }
            if (!text.matches("[1-9]\\d{0,5}(-[1-9]\\d{0,5})?")) {
                throw new RefusedException(
                        "invalid " + option + " \"" + text + "\": use a number or a range (example: 2-4)");
            }
            String[] ends = text.split("-", 2);
            return new int[] {Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])};
        }

        private static String text(Path file) {
            try {
                return EncodedText.decode(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new RefusedException("cannot read the job file " + file + ": " + Reason.of(e)
                        + "; name a job file that HPC Pack exported");
            }
        }
    }

    @Command(
            name = "mpi",
            description = "Runs an MPI job of MS-MPI through the queue, and streams its output.",
            footer = "Put -- before the program.")
    static final class Mpi extends HpcPackCommand.OnNodes {
        private static final Duration LONGEST = Duration.ofDays(365);

        @Mixin
        private JobOptions.Ranks common = new JobOptions.Ranks();

        @Mixin
        private JobOptions.Retry retry = new JobOptions.Retry();

        @Mixin
        private AttachOption attach = new AttachOption();

        @Option(names = "--bind", paramLabel = "none|core", description = "Bind each rank to a core, or none.")
        private Binding binding = Binding.DEFAULT;

        @Option(names = "--workdir", paramLabel = "FOLDER", description = "The working folder of the ranks.")
        private @Nullable String folder;

        @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
        private List<String> program = List.of();

        @Override
        void check() {
            String self = "clusterwright hpcpack " + head.host() + " mpi";
            if (attach.given()) {
                attach.check(program, self);
                return;
            }
            if (program.isEmpty()) {
                throw new RefusedException("no program was given: write " + self + " -- PROGRAM");
            }
            retry.check();
            limit();
            job();
        }

        @Override
        int run(HpcPackTarget target) {
            JobPrinter printer = new JobPrinter(this);
            if (attach.given()) {
                String self = "clusterwright hpcpack " + head.host();
                return attach.watch(target, printer, self + " mpi", self + " cancel");
            }
            return printer.end(retry.run(job().on(target).onOutput(printer), limit()));
        }

        private Duration limit() {
            return common.limit(LONGEST);
        }

        private MpiJob job() {
            return common.job(program, job -> {
                MpiJob bound = job.withoutRankLabels().binding(binding);
                return folder == null ? bound : bound.workingDirectory(folder);
            });
        }
    }

    @Command(
            name = "verify",
            description = "Runs mpipingpong between all pairs of nodes, for latency and for throughput, and judges each"
                    + " pair.")
    static final class PingPong extends HpcPackCommand.OnNodes {
        @Option(
                names = "--size",
                paramLabel = "VMSIZE",
                description =
                        "Judge by this size of the nodes, such as Standard_A9. Default: the size of the spec, or no"
                                + " verdict.")
        private @Nullable String size;

        @Option(
                names = "--minutes",
                paramLabel = "N",
                description = "Time limit for each test, with the wait for nodes; default: 30.")
        private int minutes = 30;

        @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the latency of the pairs.")
        private @Nullable Path plot;

        @Override
        void check() {
            if (minutes < 1) {
                throw new RefusedException("invalid --minutes \"" + minutes + "\": use 1 or more");
            }
            ProgramCommand.requireSvg("--plot", plot);
            facts();
        }

        private Optional<VmSizeFacts> facts() {
            if (size != null) {
                return Optional.of(VmSizes.standard()
                        .find(VmSize.of(size))
                        .orElseThrow(() -> new RefusedException(
                                "the size " + size + " is not in the catalog; clusterwright sizes lists the sizes")));
            }
            return head.spec().flatMap(spec -> VmSizes.standard().ofNodes(spec));
        }

        @Override
        int run(HpcPackTarget target) {
            return new PairVerification(this, this::judge, Duration.ofMinutes(minutes)).run(target, plot);
        }

        private Verdict judge(BenchmarkReport table) {
            return facts().map(known -> FabricEnvelope.judge(known, table))
                    .orElseGet(() -> Verdict.notJudged("no size was given; give --size VMSIZE to have it judged"));
        }
    }

    /** Reads the head node's word for a state. */
    static final class StateConverter implements ITypeConverter<JobState> {
        @Override
        public JobState convert(String word) {
            JobState state = JobState.of(word);
            if (state == JobState.UNKNOWN) {
                throw new TypeConversionException("invalid job state \"" + word + "\": use one of "
                        + Arrays.stream(JobState.values())
                                .filter(each -> each != JobState.UNKNOWN)
                                .map(JobState::word)
                                .collect(Collectors.joining(", ")));
            }
            return state;
        }
    }
}
