package io.clusterwright.mpi;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.preset.MpiPreset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program to run under MPI: what runs, how often, with which variables. Immutable; each method that names a part gives
 * another job.
 *
 * <pre>{@code
 * MpiResult result = MpiJob.of("/opt/app/solver", "case.xml")
 *     .ranksPerNode(2)
 *     .on(target)
 *     .onOutput(line -> System.out.println(line.text()))
 *     .run(Duration.ofHours(2));
 * }</pre>
 */
public final class MpiJob {
    private final List<String> program;
    private final int ranks;
    private final int ranksPerNode;
    private final Map<String, String> environment;
    private final String workingDirectory;
    private final @Nullable MpiFlavour flavour;
    private final @Nullable MpiInstallation installation;
    private final boolean labelled;
    private final @Nullable MpiPreset preset;

    private final @Nullable LaunchPath path;

    private MpiJob(Draft draft) {
        this.program = draft.program;
        this.ranks = draft.ranks;
        this.ranksPerNode = draft.ranksPerNode;
        this.environment = draft.environment;
        this.workingDirectory = draft.workingDirectory;
        this.flavour = draft.flavour;
        this.installation = draft.installation;
        this.labelled = draft.labelled;
        this.preset = draft.preset;
        this.path = draft.path;
    }

    /**
     * A job of a program and its arguments, which reach every rank unchanged.
     *
     * @throws IllegalArgumentException when an argument is a lone {@code :} or holds a NUL character, or the program's
     *     name is empty or starts with {@code -}
     */
    public static MpiJob of(String program, String... arguments) {
        List<String> all = new ArrayList<>();
        all.add(program);
        all.addAll(List.of(arguments));
        return of(all);
    }

    /**
     * A job of a complete argument list.
     *
     * @throws IllegalArgumentException as {@link #of(String, String...)} does
     */
    public static MpiJob of(List<String> program) {
        List<String> copy = List.copyOf(program);
        Arguments.check(copy, Map.of());
        return new MpiJob(new Draft(copy));
    }

    /**
     * The same job with so many ranks in all; by default as many as the nodes have slots.
     *
     * @throws IllegalArgumentException when the number is not positive
     */
    public MpiJob ranks(int number) {
        int all = positive(number, "ranks");
        return with(draft -> draft.ranks = all);
    }

    /**
     * The same job with so many ranks on each node; by default as many as the node has slots.
     *
     * @throws IllegalArgumentException when the number is not positive
     */
    public MpiJob ranksPerNode(int number) {
        int each = positive(number, "ranks per node");
        return with(draft -> draft.ranksPerNode = each);
    }

    /**
     * The same job with one more environment variable for every rank.
     *
     * @throws IllegalArgumentException when the name is not one of an environment variable
     */
    public MpiJob environment(String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(environment);
        copy.put(name, value);
        Arguments.check(program, copy);
        return with(draft -> draft.environment = Collections.unmodifiableMap(copy));
    }

    /** The same job whose ranks start in this folder, which must exist on every node. */
    public MpiJob workingDirectory(String folder) {
        Objects.requireNonNull(folder, "folder");
        return with(draft -> draft.workingDirectory = folder);
    }

    /** The same job started by this MPI; by default by the only one, or the first found, on the launch node. */
    public MpiJob flavour(MpiFlavour name) {
        return with(draft -> {
            draft.flavour = name;
            draft.installation = null;
        });
    }

    /** The same job started by this installation; nothing is looked for then. */
    public MpiJob installation(MpiInstallation mpi) {
        return with(draft -> {
            draft.flavour = mpi.flavour();
            draft.installation = mpi;
        });
    }

    /**
     * The same job with the variables and launcher options of a preset; by default those of the target's preset. Variables of the
     * target and of the job win over it. The job is started by an MPI that the preset is for.
     */
    public MpiJob preset(MpiPreset name) {
        Objects.requireNonNull(name, "name");
        return with(draft -> draft.preset = name);
    }

    /** The same job whose output is passed on as it is, without telling which rank wrote a line. */
    public MpiJob withoutRankLabels() {
        return with(draft -> draft.labelled = false);
    }

    /**
     * The same job whose launcher's helpers come to the nodes on this way; by default over the library's own sessions where the
     * launcher can ({@link Launcher#launchesOverSessions}), by ssh otherwise. {@link PlacedMpiJob#start} refuses
     * {@link LaunchPath#SESSIONS} for a launcher that cannot.
     */
    public MpiJob launchOver(LaunchPath way) {
        Objects.requireNonNull(way, "way");
        return with(draft -> draft.path = way);
    }

    /** This job on these nodes, ready to start. */
    public PlacedMpiJob on(LaunchTarget target) {
        return new PlacedMpiJob(this, target, line -> {});
    }

    /** The program and its arguments. */
    public List<String> program() {
        return program;
    }

    /** The ranks in all, when they were set. */
    public OptionalInt ranks() {
        return ranks == 0 ? OptionalInt.empty() : OptionalInt.of(ranks);
    }

    /** The ranks on each node, when they were set. */
    public OptionalInt ranksPerNode() {
        return ranksPerNode == 0 ? OptionalInt.empty() : OptionalInt.of(ranksPerNode);
    }

    /** The variables of every rank. */
    public Map<String, String> environment() {
        return environment;
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

    private MpiJob with(Consumer<Draft> change) {
        Draft draft = new Draft(program);
        draft.ranks = ranks;
        draft.ranksPerNode = ranksPerNode;
        draft.environment = environment;
        draft.workingDirectory = workingDirectory;
        draft.flavour = flavour;
        draft.installation = installation;
        draft.labelled = labelled;
        draft.preset = preset;
        draft.path = path;
        change.accept(draft);
        return new MpiJob(draft);
    }

    private static int positive(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException("a job needs at least 1 of " + what + ", not " + number);
        }
        return number;
    }

    /** A job in the making. */
    private static final class Draft {
        private final List<String> program;
        private int ranks;
        private int ranksPerNode;
        private Map<String, String> environment = Map.of();
        private String workingDirectory = "";
        private @Nullable MpiFlavour flavour;
        private @Nullable MpiInstallation installation;
        private boolean labelled = true;
        private @Nullable MpiPreset preset;
        private @Nullable LaunchPath path;

        private Draft(List<String> program) {
            this.program = program;
        }
    }
}
