package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.OutputLine;
import io.clusterwright.mpi.preset.MpiPresets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "mpi", description = "Runs an MPI job and streams its output.", footer = "Put -- before the program.")
final class MpiCommand extends ClusterCommand {
    @Option(names = "-n", paramLabel = "RANKS", description = "Number of ranks; default: every slot of the nodes.")
    private @Nullable Integer ranks;

    @Option(names = "--ppn", paramLabel = "N", description = "Ranks on each node.")
    private @Nullable Integer ranksPerNode;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "Time limit; default: none.")
    private @Nullable Integer timeoutSeconds;

    @Option(
            names = "--preset",
            paramLabel = "P",
            description = "MPI preset, such as open-mpi/tcp; default: the preset of the spec.")
    private @Nullable String preset;

    @Option(
            names = "--no-mpi-environment",
            description = "Leave out the variables that the scripts or modules of the MPI itself set.")
    private boolean withoutEnvironment;

    @Option(
            names = "--launch-over",
            paramLabel = "sessions|ssh",
            description =
                    "Start the launcher's proxies over the open SSH sessions or by ssh; default: through the scheduler"
                            + " of the spec, or else over sessions where the MPI allows it.")
    private @Nullable LaunchPath path;

    @Parameters(arity = "1..*", index = "1..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
    private List<String> program = List.of();

    @Override
    public Integer call() {
        job(); // refuses before a cluster is searched
        return super.call();
    }

    @Override
    int run(ClusterManager manager) {
        try (Cluster open = manager.open(name())) {
            JobTarget target = path == null ? JobTarget.scheduled(open) : JobTarget.of(open);
            JobResult result = job().on(target)
                    .onOutput(this::print)
                    .run(timeoutSeconds == null ? Duration.ofDays(365) : Duration.ofSeconds(timeoutSeconds));
            if (json) {
                print(json(result));
            } else {
                ProgressPrinter notes = new ProgressPrinter();
                result.findings().forEach(notes::finding);
                result.launchFailures().forEach(failure -> notes.line(failure.toString()));
                if (!result.succeeded()) {
                    notes.line("the job failed: " + result.outcome() + ", exit status "
                            + (result.exitStatus().isPresent()
                                    ? result.exitStatus().getAsInt()
                                    : "unknown"));
                }
            }
            return ExitCodes.ofWork(result.succeeded());
        }
    }

    private MpiJob job() {
        try {
            MpiJob job = MpiJob.of(program).withoutRankLabels();
            job = ranks == null ? job : job.ranks(ranks);
            job = path == null ? job : path == LaunchPath.SSH ? job.launchOverSsh() : job.launchOverSessions();
            job = preset == null ? job : job.preset(MpiPresets.named(preset));
            job = withoutEnvironment ? job.withoutMpiEnvironment() : job;
            return ranksPerNode == null ? job : job.ranksPerNode(ranksPerNode);
        } catch (InvalidValueException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }

    private void print(OutputLine line) {
        if (!json) {
            (line.stream() == OutputListener.Stream.STDOUT ? out : System.err).println(line.text());
        }
    }

    private static ObjectNode json(JobResult result) {
        ObjectNode json = Json.object();
        result.exitStatus().ifPresent(status -> json.put("exit", status));
        json.put(
                "outcome",
                result.outcome().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
        json.put("ranks", result.ranks());
        json.put("millis", result.duration().toMillis());
        ArrayNode command = json.putArray("command");
        result.command().forEach(command::add);
        ArrayNode output = json.putArray("output");
        result.outputTail().forEach(line -> output.add(line.text()));
        json.set("findings", ResultJson.findings(result.findings()));
        return json;
    }

    /** The values of {@code --launch-over}. */
    enum LaunchPath {
        SESSIONS,
        SSH
    }
}
