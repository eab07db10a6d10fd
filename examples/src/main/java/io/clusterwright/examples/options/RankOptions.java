package io.clusterwright.examples.options;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.preset.MpiPresets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an MPI job that every engine has: its ranks, its time, its preset and its variables. */
public final class RankOptions {
    @Option(
            names = {"-n", "-np"},
            paramLabel = "RANKS",
            description = "Number of ranks; default: every slot of the nodes.")
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
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Environment variable of every rank; may be given several times.")
    private List<String> environment = List.of();

    /**
     * The job of a program under these options; a value that is not accepted is refused as an option of the program.
     *
     * @param others adds what other options say
     */
    public MpiJob job(List<String> program, UnaryOperator<MpiJob> others) {
        try {
            MpiJob job = MpiJob.of(program);
            job = ranks == null ? job : job.ranks(ranks);
            job = ranksPerNode == null ? job : job.ranksPerNode(ranksPerNode);
            job = preset == null ? job : job.preset(MpiPresets.named(preset));
            job = others.apply(job);
            for (String variable : environment) {
                String[] parts = variable.split("=", 2);
                if (parts.length < 2) {
                    throw new RefusedException("--env " + variable + " has no value: write --env " + variable
                            + "=VALUE, or --env " + variable + "= for an empty one");
                }
                job = job.environment(parts[0], parts[1]);
            }
            return job;
        } catch (InvalidValueException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }

    /** The time limit, or this one where none was given. */
    public Duration limit(Duration longest) {
        if (timeoutSeconds != null && timeoutSeconds < 1) {
            throw new RefusedException("--timeout " + timeoutSeconds + " is not a time limit: give at least 1 second");
        }
        return timeoutSeconds == null ? longest : Duration.ofSeconds(timeoutSeconds);
    }
}
