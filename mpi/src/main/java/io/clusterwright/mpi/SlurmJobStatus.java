package io.clusterwright.mpi;

import io.clusterwright.core.type.NodeName;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What Slurm says about a job.
 *
 * @param id its number
 * @param state in Slurm's words, such as {@code PENDING}, {@code RUNNING}, {@code COMPLETED}, {@code FAILED}, {@code CANCELLED},
 *     {@code TIMEOUT}, {@code NODE_FAIL}, {@code OUT_OF_MEMORY}; {@link #FORGOTTEN} when Slurm does not know it any more
 * @param reason why it is in that state, in Slurm's words; {@code None} or empty when there is none
 * @param exitStatusOrNone what the script ended with, or {@link JobResult#NONE} when it has not ended or a signal ended it
 * @param signalOrNone the number of the signal that ended it, or {@link JobResult#NONE}
 * @param batchHostOrEmpty the node on which the script runs and its output lies
 * @param outputFileOrEmpty the path of its output there
 * @param name the job's name: a {@linkplain RunningJob#token() token} for jobs submitted by {@link SlurmBatch}
 */
public record SlurmJobStatus(
        long id,
        String state,
        String reason,
        int exitStatusOrNone,
        int signalOrNone,
        String batchHostOrEmpty,
        String outputFileOrEmpty,
        String name) {
    /** The state of a job that neither the controller nor its accounting knows. */
    public static final String FORGOTTEN = "FORGOTTEN";

    private static final Set<String> UNDER_WAY = Set.of(
            "PENDING",
            "CONFIGURING",
            "RUNNING",
            "COMPLETING",
            "SUSPENDED",
            "STOPPED",
            "REQUEUED",
            "REQUEUE_HOLD",
            "REQUEUE_FED",
            "RESIZING",
            "SIGNALING",
            "STAGE_OUT",
            "SPECIAL_EXIT",
            "RESV_DEL_HOLD");
    private static final Pattern JOB = Pattern.compile("^JobId=(\\d+)(?: .*?)?JobName=(.*)");
    private static final Pattern STATE = Pattern.compile("(?m)^ +JobState=(\\S+) Reason=(\\S+) Dependency=");
    private static final Pattern EXIT = Pattern.compile("(?m)^ +Requeue=.* ExitCode=(\\d+):(\\d+)$");
    private static final Pattern HOST = Pattern.compile("(?m)^ +BatchHost=(\\S+)");
    private static final Pattern OUTPUT = Pattern.compile("(?m)^ +StdOut=(.*)$");
    private static final Pattern ACCOUNTED = Pattern.compile("(\\S+?)(?: by \\d+)?\\|(\\d+):(\\d+)\\|(.*)");

    /** Whether the job has ended, or is not known any more. */
    public boolean ended() {
        return !UNDER_WAY.contains(state);
    }

    /** Whether the job ended by itself with status 0. */
    public boolean succeeded() {
        return state.equals("COMPLETED");
    }

    /** What the script ended with; absent when it has not ended or a signal ended it. */
    public OptionalInt exitStatus() {
        return exitStatusOrNone == JobResult.NONE ? OptionalInt.empty() : OptionalInt.of(exitStatusOrNone);
    }

    /** The node on which the script runs; absent before it starts. */
    public Optional<NodeName> batchHost() {
        return batchHostOrEmpty.isEmpty() ? Optional.empty() : Optional.of(NodeName.parse(batchHostOrEmpty));
    }

    /** Reads what {@code scontrol show job} prints. */
    static Optional<SlurmJobStatus> ofControl(String text) {
        Matcher job = JOB.matcher(text);
        Matcher state = STATE.matcher(text);
        if (!job.lookingAt() || !state.find()) {
            return Optional.empty();
        }
        Matcher exit = EXIT.matcher(text);
        boolean found = exit.find();
        int status = found ? Integer.parseInt(exit.group(1)) : 0;
        int signal = found ? Integer.parseInt(exit.group(2)) : 0;
        return Optional.of(of(
                Long.parseLong(job.group(1)),
                state.group(1),
                state.group(2),
                status,
                signal,
                first(HOST, text),
                first(OUTPUT, text),
                job.group(2).strip()));
    }

    /** Reads what {@code sacct} prints for {@code State,ExitCode,JobName}, separated by bars. */
    static Optional<SlurmJobStatus> ofAccounting(long id, String text) {
        Matcher line = ACCOUNTED.matcher(text.strip());
        return line.matches()
                ? Optional.of(of(
                        id,
                        line.group(1),
                        "",
                        Integer.parseInt(line.group(2)),
                        Integer.parseInt(line.group(3)),
                        "",
                        "",
                        line.group(4)))
                : Optional.empty();
    }

    static SlurmJobStatus forgotten(long id) {
        return new SlurmJobStatus(id, FORGOTTEN, "", JobResult.NONE, JobResult.NONE, "", "", "");
    }

    private static SlurmJobStatus of(
            long id, String state, String reason, int status, int signal, String host, String output, String name) {
        boolean ended = !UNDER_WAY.contains(state);
        return new SlurmJobStatus(
                id,
                state,
                reason,
                ended && signal == 0 ? status : JobResult.NONE,
                ended && signal != 0 ? signal : JobResult.NONE,
                host,
                output,
                name);
    }

    private static String first(Pattern pattern, String text) {
        Matcher match = pattern.matcher(text);
        @Nullable String value = match.find() ? match.group(1) : null;
        return value == null || value.equals("(null)") ? "" : value;
    }
}
