package io.clusterwright.mpi.internal.job;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.internal.launch.Arguments;
import io.clusterwright.mpi.internal.staging.JobInput;
import io.clusterwright.mpi.internal.staging.StagedFiles;
import io.clusterwright.mpi.preset.MpiPreset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a job. Immutable; {@link #with} makes a changed copy. */
public final class JobDescription {
    private List<String> program;
    private @Nullable Integer ranks;
    private @Nullable Integer ranksPerNode;
    private Map<String, String> environment = Map.of();
    private String workingDirectory = "";
    private @Nullable MpiFlavour flavour;
    private @Nullable MpiInstallation installation;
    private boolean labelled = true;
    private @Nullable LaunchPath path;
    private @Nullable MpiPreset preset;
    private Binding binding = Binding.DEFAULT;
    private @Nullable JobInput input;
    private StagedFiles files = StagedFiles.NONE;

    private JobDescription(List<String> program) {
        this.program = program;
    }

    /** A job of a program and its arguments. */
    public static JobDescription of(List<String> program) {
        List<String> copy = List.copyOf(program);
        Arguments.check(copy);
        return new JobDescription(copy);
    }

    private JobDescription with(Consumer<JobDescription> change) {
        JobDescription copy = new JobDescription(program);
        copy.ranks = ranks;
        copy.ranksPerNode = ranksPerNode;
        copy.environment = environment;
        copy.workingDirectory = workingDirectory;
        copy.flavour = flavour;
        copy.installation = installation;
        copy.labelled = labelled;
        copy.path = path;
        copy.preset = preset;
        copy.binding = binding;
        copy.input = input;
        copy.files = files;
        change.accept(copy);
        return copy;
    }

    /** The same with more arguments after the program's. */
    public JobDescription withArguments(List<String> more) {
        List<String> all = new ArrayList<>(program);
        all.addAll(more);
        Arguments.check(all);
        return with(copy -> copy.program = List.copyOf(all));
    }

    /** The same with this number of ranks. */
    public JobDescription withRanks(int number) {
        positive(number, "number of ranks");
        return with(copy -> copy.ranks = number);
    }

    /** The same with this number of ranks on each node. */
    public JobDescription withRanksPerNode(int number) {
        positive(number, "number of ranks per node");
        return with(copy -> copy.ranksPerNode = number);
    }

    /** The same with one more variable. */
    public JobDescription withVariable(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        Arguments.check(all);
        return with(copy -> copy.environment = Collections.unmodifiableMap(all));
    }

    /** The same in this folder. */
    public JobDescription withWorkingDirectory(String folder) {
        return with(copy -> copy.workingDirectory = folder);
    }

    /** The same under this kind of MPI. */
    public JobDescription withFlavour(MpiFlavour name) {
        return with(copy -> {
            copy.flavour = name;
            copy.installation = null;
        });
    }

    /** The same under this installation. */
    public JobDescription withInstallation(MpiInstallation mpi) {
        return with(copy -> {
            copy.flavour = mpi.flavour();
            copy.installation = mpi;
        });
    }

    /** The same without labels of ranks. */
    public JobDescription withoutLabels() {
        return with(copy -> copy.labelled = false);
    }

    /** The same with its helpers started in this way. */
    public JobDescription withPath(LaunchPath way) {
        return with(copy -> copy.path = way);
    }

    /** The same with this preset. */
    public JobDescription withPreset(MpiPreset other) {
        return with(copy -> copy.preset = other);
    }

    /** The same with ranks bound to this resource. */
    public JobDescription withBinding(Binding kind) {
        return with(copy -> copy.binding = kind);
    }

    /** The same with this standard input. */
    public JobDescription withInput(JobInput content) {
        return with(copy -> copy.input = content);
    }

    /** The same with these files. */
    public JobDescription withFiles(StagedFiles all) {
        return with(copy -> copy.files = all);
    }

    /** The program and its arguments. */
    public List<String> program() {
        return program;
    }

    /** The ranks in all, when they were set. */
    public OptionalInt ranks() {
        return ranks == null ? OptionalInt.empty() : OptionalInt.of(ranks);
    }

    /** The ranks on each node, when they were set. */
    public OptionalInt ranksPerNode() {
        return ranksPerNode == null ? OptionalInt.empty() : OptionalInt.of(ranksPerNode);
    }

    /** The variables of every rank. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The resource that ranks are bound to. */
    public Binding binding() {
        return binding;
    }

    String workingDirectory() {
        return workingDirectory;
    }

    @Nullable
    MpiFlavour wantedFlavour() {
        return flavour;
    }

    @Nullable
    MpiInstallation givenInstallation() {
        return installation;
    }

    @Nullable
    MpiPreset wantedPreset() {
        return preset;
    }

    @Nullable
    LaunchPath wantedPath() {
        return path;
    }

    boolean labelled() {
        return labelled;
    }

    @Nullable
    JobInput input() {
        return input;
    }

    /** The files that are copied before and after the job. */
    public StagedFiles files() {
        return files;
    }

    private static void positive(int number, String what) {
        if (number < 1) {
            throw new InvalidValueException(what, Integer.toString(number), "1 or more", "4");
        }
    }

    /** The ways in which a launcher's helpers (proxies, daemons) are started on the nodes of a job. */
    public enum LaunchPath {
        /**
         * Over the sessions that the library already holds: no handshakes, no private key on any node, and every helper is a command of
         * the library's own. Only with launchers that hand their helpers' commands out: MPICH's Hydra.
         */
        SESSIONS,
        /** The launcher starts them by ssh from the launch node, which must be able to log in to the others. */
        SSH
    }
}
