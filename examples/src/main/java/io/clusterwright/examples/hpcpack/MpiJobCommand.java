package io.clusterwright.examples.hpcpack;

import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.AttachOption;
import io.clusterwright.examples.options.RankOptions;
import io.clusterwright.examples.options.RetryOption;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.Binding;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "mpi",
        description = "Runs an MPI job of MS-MPI through the queue, and streams its output.",
        footer = "Put -- before the program.")
final class MpiJobCommand extends TargetCommand {
    private static final Duration LONGEST = Duration.ofDays(365);

    @Mixin
    private RankOptions common = new RankOptions();

    @Mixin
    private RetryOption retry = new RetryOption();

    @Mixin
    private AttachOption attach = new AttachOption();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--bind", paramLabel = "none|core", description = "Bind each rank to a core, or none.")
    private Binding binding = Binding.DEFAULT;

    @Option(names = "--workdir", paramLabel = "FOLDER", description = "The working folder of the ranks.")
    private @Nullable String folder;

    @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "The program and its arguments.")
    private List<String> program = List.of();

    @Override
    void check() {
        String self = "clusterwright hpcpack " + head().host() + " mpi";
        if (attach.given()) {
            attach.check(command.commandLine().getParseResult(), program, self);
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
        if (attach.given()) {
            String self = "clusterwright hpcpack " + head().host();
            return attach.watch(
                    target, this::print, head().json() ? head()::print : null, self + " mpi", self + " cancel");
        }
        JobResult result = retry.run(job().on(target).onOutput(this::print), limit());
        if (head().json()) {
            head().print(ResultJson.job(result));
        } else {
            ProgressPrinter notes = new ProgressPrinter();
            result.findings().forEach(notes::finding);
            notes.failure(result);
        }
        return ExitCodes.ofWork(result.succeeded());
    }

    private void print(OutputLine line) {
        if (!head().json()) {
            head().line(line.text());
        }
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
