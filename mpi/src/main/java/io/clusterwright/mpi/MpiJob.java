package io.clusterwright.mpi;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.spi.Launcher;
import java.nio.file.Path;
import java.time.Duration;
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
 * A program to run under MPI: what runs, how often, with which variables and files. Immutable; each method that names a part
 * gives another job.
 *
 * <pre>{@code
 * JobResult result = MpiJob.of("/opt/app/solver", "case.xml")
 *     .ranksPerNode(2)
 *     .on(target)
 *     .onOutput(line -> System.out.println(line.text()))
 *     .run(Duration.ofHours(2));
 * }</pre>
 */
public final class MpiJob {
    private final JobParts parts;

    private MpiJob(JobParts parts) {
        this.parts = parts;
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
        return new MpiJob(new JobParts(copy));
    }

    /**
     * The same job with so many ranks in all; by default as many as the nodes have slots.
     *
     * @throws IllegalArgumentException when the number is not positive
     */
    public MpiJob ranks(int number) {
        positive(number, "ranks");
        return with(copy -> copy.ranks = number);
    }

    /**
     * The same job with so many ranks on each node; by default as many as the node has slots.
     *
     * @throws IllegalArgumentException when the number is not positive
     */
    public MpiJob ranksPerNode(int number) {
        positive(number, "ranks per node");
        return with(copy -> copy.ranksPerNode = number);
    }

    /**
     * The same job with its ranks bound so; by default {@link Binding#DEFAULT}.
     *
     * <p>A launcher that cannot express it refuses at the start; the words of each are in {@code docs/mpi-launch.md}.
     */
    public MpiJob binding(Binding kind) {
        Objects.requireNonNull(kind, "kind");
        return with(copy -> copy.binding = kind);
    }

    /**
     * The same job with one more environment variable for every rank.
     *
     * @throws IllegalArgumentException when the name is not one of an environment variable
     */
    public MpiJob environment(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(parts.environment);
        all.put(name, value);
        Arguments.check(parts.program, all);
        return with(copy -> copy.environment = Collections.unmodifiableMap(all));
    }

    /** The same job whose ranks start in this folder, which must exist on every node. */
    public MpiJob workingDirectory(String folder) {
        return with(copy -> copy.workingDirectory = folder);
    }

    /** The same job whose rank 0 reads these bytes from its standard input; by default it reads the end of input at once. */
    public MpiJob stdin(byte[] content) {
        byte[] own = content.clone();
        return with(copy -> copy.input = new JobInput.Bytes(own));
    }

    /** The same job whose rank 0 reads this local file from its standard input. It is copied when the job starts. */
    public MpiJob stdin(Path file) {
        return with(copy -> copy.input = new JobInput.LocalFile(file));
    }

    /**
     * The same job with one more local file that is copied to every node before it starts, over the sessions that the target holds, at
     * most 8 copies at a time. A copy appears under its name when it is whole, with the permissions of the original. When a node
     * does not get it, the start of the job throws {@link StagingFailedException} and nothing is launched.
     *
     * @param local a regular file of this machine
     * @param remotePath the absolute path of the copy, in a folder that exists on every node
     * @throws IllegalArgumentException when the remote path is not absolute or names no file
     */
    public MpiJob stageIn(Path local, String remotePath) {
        List<StageIn> all = new ArrayList<>(parts.stageIn);
        all.add(new StageIn(local, Arguments.remoteFile(remotePath)));
        return with(copy -> copy.stageIn = List.copyOf(all));
    }

    /**
     * The same job with one more file that is fetched from the first node after it, also when the job failed, and not when it was
     * cancelled or never started. It keeps its name and replaces a file of that name when it is whole. A file that
     * cannot be fetched is a finding of the result, {@code CW-MPI-051}.
     *
     * @param remotePath its absolute path on the node
     * @param localFolder where it goes; made when it does not exist
     * @throws IllegalArgumentException when the remote path is not absolute or names no file
     */
    public MpiJob stageOut(String remotePath, Path localFolder) {
        return withStageOut(new StageOut(Arguments.remoteFile(remotePath), localFolder, false));
    }

    /**
     * As {@link #stageOut(String, Path)}, from every node: each node's file goes into a folder of the node's name below the
     * local one.
     *
     * @throws IllegalArgumentException when the remote path is not absolute or names no file
     */
    public MpiJob stageOutFromAll(String remotePath, Path localFolder) {
        return withStageOut(new StageOut(Arguments.remoteFile(remotePath), localFolder, true));
    }

    /**
     * The same job whose files have this long to be copied before it, and as long after it; 1 h by default.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public MpiJob stagingLimit(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("the time to copy files must be positive, not " + limit);
        }
        return with(copy -> copy.stagingLimit = limit);
    }

    /** The same job started by this MPI; by default by the only one, or the first found, on the launch node. */
    public MpiJob flavour(MpiFlavour name) {
        return with(copy -> {
            copy.flavour = name;
            copy.installation = null;
        });
    }

    /** The same job started by this installation; nothing is looked for then. */
    public MpiJob installation(MpiInstallation mpi) {
        return with(copy -> {
            copy.flavour = mpi.flavour();
            copy.installation = mpi;
        });
    }

    /**
     * The same job with the variables and launcher options of a preset; by default those of the target's preset. Variables of the
     * target and of the job win over it. The job is started by an MPI that the preset is for.
     */
    public MpiJob preset(MpiPreset name) {
        Objects.requireNonNull(name, "name");
        return with(copy -> copy.preset = name);
    }

    /** The same job whose output is passed on as it is, without telling which rank wrote a line. */
    public MpiJob withoutRankLabels() {
        return with(copy -> copy.labelled = false);
    }

    /**
     * The same job whose launcher's helpers come to the nodes on this way; by default over the library's own sessions where the
     * launcher can ({@link Launcher#launchesOverSessions}), by ssh otherwise. {@link PlacedMpiJob#start} refuses
     * {@link LaunchPath#SESSIONS} for a launcher that cannot.
     */
    public MpiJob launchOver(LaunchPath way) {
        Objects.requireNonNull(way, "way");
        return with(copy -> copy.path = way);
    }

    /** This job on these nodes, ready to start. */
    public PlacedMpiJob on(JobTarget target) {
        return new PlacedMpiJob(this, target, line -> {});
    }

    /** The program and its arguments. */
    public List<String> program() {
        return parts.program;
    }

    /** The ranks in all, when they were set. */
    public OptionalInt ranks() {
        return parts.ranks == 0 ? OptionalInt.empty() : OptionalInt.of(parts.ranks);
    }

    /** The ranks on each node, when they were set. */
    public OptionalInt ranksPerNode() {
        return parts.ranksPerNode == 0 ? OptionalInt.empty() : OptionalInt.of(parts.ranksPerNode);
    }

    /** The variables of every rank. */
    public Map<String, String> environment() {
        return parts.environment;
    }

    /** What the ranks are bound to. */
    public Binding binding() {
        return parts.binding;
    }

    MpiJob withArguments(List<String> more) {
        List<String> all = new ArrayList<>(parts.program);
        all.addAll(more);
        Arguments.check(all, parts.environment);
        return with(copy -> copy.program = List.copyOf(all));
    }

    String workingDirectory() {
        return parts.workingDirectory;
    }

    @Nullable
    MpiFlavour wantedFlavour() {
        return parts.flavour;
    }

    @Nullable
    MpiInstallation givenInstallation() {
        return parts.installation;
    }

    @Nullable
    MpiPreset wantedPreset() {
        return parts.preset;
    }

    @Nullable
    LaunchPath wantedPath() {
        return parts.path;
    }

    boolean labelled() {
        return parts.labelled;
    }

    @Nullable
    JobInput input() {
        return parts.input;
    }

    List<StageIn> filesIn() {
        return parts.stageIn;
    }

    List<StageOut> filesOut() {
        return parts.stageOut;
    }

    Duration stagingLimit() {
        return parts.stagingLimit;
    }

    private MpiJob withStageOut(StageOut file) {
        List<StageOut> all = new ArrayList<>(parts.stageOut);
        all.add(file);
        return with(copy -> copy.stageOut = List.copyOf(all));
    }

    private MpiJob with(Consumer<JobParts> change) {
        JobParts copy = parts.copy();
        change.accept(copy);
        return new MpiJob(copy);
    }

    private static void positive(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException("a job needs at least 1 of " + what + ", not " + number);
        }
    }
}
