package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.command.Arguments;
import io.clusterwright.mpi.internal.launch.JobInput;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a job, each null or empty where it was not named. A description that was handed out never changes: {@link #with} copies. */
public final class JobDescription {
    public List<String> program;
    /** The ranks of the program, and of {@link #more} their own. */
    public @Nullable Integer ranks;

    public List<LaunchPart> more = List.of();
    public @Nullable Integer ranksPerNode;
    /** In the place of {@link #ranksPerNode}. */
    public @Nullable RanksPerDomain ranksPerDomain;

    public @Nullable Integer threadsPerRank;
    public Map<String, String> environment = Map.of();
    public String workingDirectory = "";
    public @Nullable MpiFlavour flavour;
    public @Nullable MpiInstallation installation;
    public boolean withEnvironment = true;
    public List<String> launcherArguments = List.of();
    public boolean labelled = true;
    public boolean reportBinding;
    public @Nullable LaunchPath path;
    public @Nullable MpiPreset preset;
    public @Nullable Binding binding;
    public @Nullable JobInput input;
    public StagedFiles files = StagedFiles.NONE;

    /** A job of a program and its arguments. */
    public JobDescription(List<String> program) {
        Arguments.check(program);
        this.program = List.copyOf(program);
    }

    /** Returns a changed copy. */
    public JobDescription with(Consumer<JobDescription> change) {
        JobDescription copy = new JobDescription(program);
        copy.ranks = ranks;
        copy.more = more;
        copy.ranksPerNode = ranksPerNode;
        copy.ranksPerDomain = ranksPerDomain;
        copy.threadsPerRank = threadsPerRank;
        copy.environment = environment;
        copy.workingDirectory = workingDirectory;
        copy.flavour = flavour;
        copy.installation = installation;
        copy.withEnvironment = withEnvironment;
        copy.launcherArguments = launcherArguments;
        copy.labelled = labelled;
        copy.reportBinding = reportBinding;
        copy.path = path;
        copy.preset = preset;
        copy.binding = binding;
        copy.input = input;
        copy.files = files;
        change.accept(copy);
        return copy;
    }

    /** Takes what this job leaves open from the defaults of its target. */
    JobDescription withDefaults(MpiSettings defaults) {
        return with(copy -> {
            if (ranksPerNode == null && ranksPerDomain == null) {
                copy.ranksPerDomain = RanksPerDomain.of(defaults).orElse(null);
            }
            if (threadsPerRank == null && defaults.threadsPerRank().isPresent()) {
                copy.threadsPerRank = defaults.threadsPerRank().getAsInt();
            }
            copy.binding = binding == null ? defaults.binding() : binding;
        });
    }

    /** Adds a program with its ranks, which follow the ranks of the programs before it. */
    public JobDescription withProgram(int number, List<String> words) {
        LaunchPart part = new LaunchPart(number, words);
        return with(copy ->
                copy.more = Stream.concat(more.stream(), Stream.of(part)).toList());
    }

    /** The size of the world; null where the slots decide. */
    @Nullable
    Integer world() {
        return ranks == null
                ? null
                : ranks + more.stream().mapToInt(LaunchPart::ranks).sum();
    }

    /** The programs in the order of their ranks; refuses several where the ranks of the first are not known. */
    List<LaunchPart> parts() {
        Integer first = ranks;
        if (first == null) {
            throw InvalidValueException.of(
                    "a job of several programs needs the number of ranks of each",
                    "set it for " + program.get(0) + " (example: -n 2 before --, or ranks(2))");
        }
        return Stream.concat(Stream.of(new LaunchPart(first, program)), more.stream())
                .toList();
    }

    /** Adds arguments after the program's arguments. */
    public JobDescription withArguments(List<String> more) {
        List<String> all = Stream.concat(program.stream(), more.stream()).toList();
        Arguments.check(all);
        return with(copy -> copy.program = all);
    }

    /** Adds a variable. */
    public JobDescription withVariable(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        Arguments.check(all);
        return with(copy -> copy.environment = Collections.unmodifiableMap(all));
    }

    /** The ways in which a launcher's helpers (proxies, daemons) are started on the nodes of a job. */
    public enum LaunchPath {
        /**
         * Over the sessions that the library already holds: no handshakes, no private key on any node, and every helper is a command of
         * the library's own. Only with launchers that hand their helpers' commands out:
         * MPICH's Hydra, and Open MPI in the system's folders.
         */
        SESSIONS,
        /** The launcher starts them by ssh from the launch node, which must be able to log in to the others. */
        SSH
    }
}
