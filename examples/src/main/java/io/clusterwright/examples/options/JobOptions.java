package io.clusterwright.examples.options;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.Binding;
import io.clusterwright.mpi.job.JobTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe an MPI job, whether it is run at once or submitted to a queue. */
public final class JobOptions {
    private static final String EVERY_FLAVOUR =
            Arrays.stream(MpiFlavour.values()).map(MpiFlavour::toString).collect(Collectors.joining(", "));
    private static final Duration LONGEST = Duration.ofDays(365);

    @Mixin
    private RankOptions common = new RankOptions();

    @Option(names = "--nodes", paramLabel = "EXPR", description = "Nodes, such as cluster[11-12]; default: all.")
    private @Nullable String nodes;

    @Option(
            names = "--mpi",
            paramLabel = "FLAVOUR",
            description = "MPI that starts the job, such as mpich or open-mpi; default: that of the spec, or the first"
                    + " found on the first node.")
    private @Nullable String flavour;

    @Option(
            names = "--no-mpi-environment",
            description = "Leave out the variables that the scripts or modules of the MPI itself set.")
    private boolean withoutEnvironment;

    @Option(
            names = "--bind",
            paramLabel = "TO",
            description = "Bind each rank to a ${COMPLETION-CANDIDATES}; default: as the launcher does.")
    private @Nullable Binding binding;

    @Option(
            names = "--workdir",
            paramLabel = "DIR",
            description = "Folder in which the ranks start, on every node; default: the home folder of the user.")
    private @Nullable String workingDirectory;

    @Option(
            names = "--stage-in",
            paramLabel = "FILE[:PATH]",
            description = "Local file that is copied to every node before the job; PATH is absolute. Default: its name"
                    + " in the folder in which the ranks start.")
    private List<String> stagedIn = List.of();

    /** Checks what can be checked without the nodes, before any is reached. */
    public void check(List<String> program) {
        base(program);
        stagedIn.forEach(JobOptions::localFile);
    }

    /** The job. */
    public MpiJob job(List<String> program) {
        MpiJob job = base(program);
        for (String staged : stagedIn) {
            Path local = localFile(staged);
            String path = staged.length() == local.toString().length()
                    ? String.valueOf(local.getFileName())
                    : staged.substring(local.toString().length() + 1);
            job = job.stageIn(local, path);
        }
        return job;
    }

    private MpiJob base(List<String> program) {
        return common.job(program, job -> {
            MpiJob with = flavour == null ? job : job.flavour(flavour(flavour, "there is " + EVERY_FLAVOUR));
            with = withoutEnvironment ? with.withoutMpiEnvironment() : with;
            with = binding == null ? with : with.binding(binding);
            return workingDirectory == null ? with : with.workingDirectory(workingDirectory);
        });
    }

    /**
     * The MPI of this name; refuses a name that is not known.
     *
     * @param remedy the end of the refusal, such as {@code write hpc-x or open-mpi}
     */
    public static MpiFlavour flavour(String name, String remedy) {
        return Arrays.stream(MpiFlavour.values())
                .filter(known -> known.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new RefusedException("--mpi " + name + " is no MPI that is known; " + remedy));
    }

    /** The file before the first colon after which an absolute path stands; the whole text where there is none. */
    private static Path localFile(String staged) {
        int colon = staged.indexOf(":/");
        Path file = Path.of(colon < 1 ? staged : staged.substring(0, colon));
        if (!Files.isRegularFile(file)) {
            throw new RefusedException(
                    "--stage-in " + staged + ": there is no file " + file + "; write FILE or FILE:/path/on/the/nodes");
        }
        return file;
    }

    /** The target without the nodes that were not chosen. */
    public JobTarget chosen(Cluster cluster, JobTarget target) {
        if (nodes == null) {
            return target;
        }
        List<NodeName> names = NodeChoice.compute(cluster, nodes);
        return target.only(names);
    }

    /** The time limit; a year where none was given. */
    public Duration limit() {
        return common.limit(LONGEST);
    }
}
