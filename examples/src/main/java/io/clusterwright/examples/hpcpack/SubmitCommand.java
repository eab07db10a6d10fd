package io.clusterwright.examples.hpcpack;

import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobClient;
import io.clusterwright.windows.hpcpack.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "submit",
        description = "Submits a job as job submit does, and prints its number.",
        footer = {
            "Put -- before the program. The ping-pong of the article:",
            "  clusterwright hpcpack HOST submit --group AzureNodes --nodes 4 -- \\",
            "    mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul"
        })
final class SubmitCommand extends HeadNodeCommand {
    @Option(
            names = "--file",
            paramLabel = "FILE.xml",
            description = "A job file, as HPC Pack exports it, and no program.")
    private @Nullable Path file;

    @Option(names = "--name", paramLabel = "NAME", description = "The job's name.")
    private @Nullable String name;

    @Option(names = "--nodes", paramLabel = "MIN[-MAX]", description = "Number of nodes (job submit /numnodes).")
    private @Nullable String nodes;

    @Option(names = "--cores", paramLabel = "MIN[-MAX]", description = "Number of cores (job submit /numcores).")
    private @Nullable String cores;

    @Option(names = "--group", paramLabel = "GROUP", split = ",", description = "Node groups (job submit /nodegroup).")
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

    @Option(names = "--runtime", paramLabel = "SECONDS", description = "Ends the job after this time from its start.")
    private @Nullable Integer seconds;

    @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
    private List<String> program = List.of();

    @Override
    void check() {
        if ((file == null) == program.isEmpty()) {
            throw new RefusedException(
                    file == null
                            ? "no program is given; add -- PROGRAM…, or name a job file by --file"
                            : "a job file and a program are given; leave one of them out");
        }
        if (file != null && !job(HpcPackTask.of("none")).properties().isEmpty()) {
            throw new RefusedException("--file takes size, groups and template from the file; leave their options out");
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
        int id =
                file == null ? client.jobs().create(job(task())) : client.jobs().createFromXml(text(file));
        try {
            if (head().runsAsLogin()) {
                client.jobs().submit(id, head().user(), head().password());
            } else {
                client.jobs().submit(id);
            }
        } catch (RuntimeException e) {
            client.jobs().cancelAtOnce(id, "it could not be submitted");
            throw e;
        }
        JobStatus job = client.jobs().get(id);
        JobCommands.print(head(), job);
        return ExitCodes.OK;
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
                    option + " " + text + " is no number; give one, such as 4, or a range, such as 2-4");
        }
        String[] ends = text.split("-", 2);
        return new int[] {Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])};
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new RefusedException(
                    "the job file " + file + " cannot be read: " + e + "; name one that HPC Pack exported");
        }
    }
}
