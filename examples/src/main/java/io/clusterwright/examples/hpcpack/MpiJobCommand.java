package io.clusterwright.examples.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.JobAttempts;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "mpi",
        description = "Runs an MPI job of MS-MPI through the queue, and streams its output.",
        footer = "Put -- before the program.")
final class MpiJobCommand extends TargetCommand {
    @Option(names = "-n", paramLabel = "RANKS", description = "Number of ranks; default: every core of the nodes.")
    private @Nullable Integer ranks;

    @Option(names = "--ppn", paramLabel = "N", description = "Ranks on each node.")
    private @Nullable Integer ranksPerNode;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "An environment variable of the ranks.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(names = "--bind", paramLabel = "none|core", description = "Bind each rank to a core, or none.")
    private Binding binding = Binding.DEFAULT;

    @Option(names = "--preset", paramLabel = "P", description = "MPI preset, such as ms-mpi/network-direct.")
    private @Nullable String preset;

    @Option(names = "--workdir", paramLabel = "FOLDER", description = "The working folder of the ranks.")
    private @Nullable String folder;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "Time limit; default: none.")
    private @Nullable Integer seconds;

    @Option(
            names = "--retry",
            paramLabel = "N",
            description =
                    "Start the job again up to N times when nodes are lost, without those the head node reports as lost.")
    private int retries;

    @Parameters(arity = "1..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
    private List<String> program = List.of();

    @Override
    void check() {
        if (retries < 0 || retries > 99) {
            throw new RefusedException("--retry " + retries + " is not possible; give 0 to 99");
        }
        job();
    }

    @Override
    int run(HpcPackTarget target) {
        Duration limit = seconds == null ? Duration.ofDays(365) : Duration.ofSeconds(seconds);
        PlacedMpiJob placed = job().on(target).onOutput(line -> {
            if (!head().json()) {
                head().line(line.text());
            }
        });
        JobResult result = retries == 0 ? placed.run(limit) : last(placed.run(limit, JobPolicy.attempts(retries + 1)));
        if (head().json()) {
            head().print(ResultJson.job(result));
        } else {
            ProgressPrinter notes = new ProgressPrinter();
            result.findings().forEach(notes::finding);
            notes.failure(result);
        }
        return ExitCodes.ofWork(result.succeeded());
    }

    private JobResult last(JobAttempts attempts) {
        ProgressPrinter notes = new ProgressPrinter();
        attempts.attempts().stream()
                .filter(attempt -> !attempt.next().isEmpty())
                .forEach(attempt -> notes.line("attempt " + attempt.number() + ": " + attempt.next()));
        return attempts.result();
    }

    private MpiJob job() {
        try {
            MpiJob job = MpiJob.of(program).withoutRankLabels().binding(binding);
            job = ranks == null ? job : job.ranks(ranks);
            job = ranksPerNode == null ? job : job.ranksPerNode(ranksPerNode);
            job = preset == null ? job : job.preset(MpiPresets.named(preset));
            job = folder == null ? job : job.workingDirectory(folder);
            for (Map.Entry<String, String> variable : environment.entrySet()) {
                job = job.environment(variable.getKey(), variable.getValue());
            }
            return job;
        } catch (InvalidValueException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }
}
