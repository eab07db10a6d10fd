package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.job.QueuedJobStatus.State;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slurm's answer about a job, or about a task of a job array.
 *
 * @param task the id of the task, such as {@code 5_1}, or {@code 5_3-4} for tasks that wait; empty for a job that is no array
 * @param status its state
 * @param batchHost the node on which the script runs and its output lies; empty before it starts
 * @param outputFile the path of its output there; empty when Slurm does not say
 * @param name the job's name: a token for jobs that this library submitted
 * @param ranks the number of its tasks; empty when Slurm does not say
 * @param runTime the time it has run, in whole seconds; zero when Slurm does not say
 */
record SlurmJobRecord(
        String task,
        QueuedJobStatus status,
        String batchHost,
        String outputFile,
        String name,
        OptionalInt ranks,
        Duration runTime) {
    /** A job that neither the controller nor its accounting knows. */
    static final SlurmJobRecord FORGOTTEN = of(QueuedJobStatus.of(State.UNKNOWN, "FORGOTTEN", ""), "");

    private static final Set<String> WAITING =
            Set.of("PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD");
    private static final Set<String> RUNNING = Set.of(
            "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT");
    private static final Pattern JOB = Pattern.compile("^JobId=(\\d+)(?: .*?)?JobName=(.*)");
    private static final Pattern ARRAY = Pattern.compile("^JobId=\\d+ ArrayJobId=(\\d+) ArrayTaskId=([\\d,-]+)");
    private static final Pattern FIRST_TASK = Pattern.compile("_(\\d{1,18})");
    private static final Pattern STATE = Pattern.compile("(?m)^ +JobState=(\\S+) Reason=(\\S+) Dependency=");
    private static final Pattern EXIT = Pattern.compile("(?m)^ +Requeue=.* ExitCode=(\\d{1,9}):(\\d{1,9})$");
    private static final Pattern HOST = Pattern.compile("(?m)^ +BatchHost=(\\S+)");
    private static final Pattern OUTPUT = Pattern.compile("(?m)^ +StdOut=(.*)$");
    private static final Pattern TASKS = Pattern.compile("(?m)^ +NumNodes=.* NumTasks=(\\d{1,9}) ");
    private static final Pattern RUN_TIME =
            Pattern.compile("(?m)^ +RunTime=(?:(\\d{1,9})-)?(\\d{1,9}):(\\d{1,9}):(\\d{1,9}) ");
    private static final Pattern ACCOUNTED = Pattern.compile("(\\S+?)(?: by \\d+)?\\|(\\d{1,9}):(\\d{1,9})\\|(.*)");

    /** Whether its output lies in a file by now. */
    boolean hasOutput() {
        return !batchHost.isEmpty() && !outputFile.isEmpty();
    }

    /** Reads the answer of {@code scontrol show job}: a job, or the tasks of an array in their order; empty for any other text. */
    static List<SlurmJobRecord> ofControl(String text) {
        return Pattern.compile("\n\n+")
                .splitAsStream(text.strip())
                .flatMap(block -> ofBlock(block).stream())
                .sorted(Comparator.comparingLong(SlurmJobRecord::firstTask))
                .toList();
    }

    long firstTask() {
        Matcher number = FIRST_TASK.matcher(task);
        return number.find() ? Long.parseLong(number.group(1)) : 0;
    }

    private static Optional<SlurmJobRecord> ofBlock(String text) {
        Matcher job = JOB.matcher(text);
        Matcher state = STATE.matcher(text);
        if (!job.lookingAt() || !state.find()) {
            return Optional.empty();
        }
        Matcher array = ARRAY.matcher(text);
        Matcher exit = EXIT.matcher(text);
        boolean found = exit.find();
        return Optional.of(new SlurmJobRecord(
                array.lookingAt() ? array.group(1) + "_" + array.group(2) : "",
                found
                        ? ended(state.group(1), state.group(2), exit.group(1), exit.group(2))
                        : status(state.group(1), state.group(2)),
                first(HOST, text),
                first(OUTPUT, text),
                job.group(2).strip(),
                tasks(text),
                runTime(text)));
    }

    /** One record for all tasks of an array: it runs while one does, or while one waits and another has output, waits while one does, and fails like the first that failed. */
    static SlurmJobRecord joined(List<SlurmJobRecord> tasks) {
        SlurmJobRecord first = tasks.get(0);
        if (tasks.size() == 1) {
            return first;
        }
        QueuedJobStatus status = of(tasks, each -> each.state() == State.RUNNING)
                .or(() -> tasks.stream().anyMatch(SlurmJobRecord::hasOutput)
                        ? of(tasks, each -> !each.ended())
                                .map(waits -> QueuedJobStatus.of(State.RUNNING, waits.word(), waits.reason()))
                        : Optional.empty())
                .or(() -> of(tasks, each -> !each.ended()))
                .or(() -> of(tasks, each -> !each.succeeded()))
                .orElse(first.status);
        return new SlurmJobRecord(
                "",
                status,
                "",
                "",
                first.name,
                OptionalInt.empty(),
                tasks.stream()
                        .map(SlurmJobRecord::runTime)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO));
    }

    private static Optional<QueuedJobStatus> of(List<SlurmJobRecord> tasks, Predicate<QueuedJobStatus> wanted) {
        return tasks.stream().map(SlurmJobRecord::status).filter(wanted).findFirst();
    }

    private static OptionalInt tasks(String text) {
        Matcher tasks = TASKS.matcher(text);
        return tasks.find() ? OptionalInt.of(Integer.parseInt(tasks.group(1))) : OptionalInt.empty();
    }

    private static Duration runTime(String text) {
        Matcher time = RUN_TIME.matcher(text);
        if (!time.find()) {
            return Duration.ZERO;
        }
        String days = time.group(1);
        return Duration.ofDays(days == null ? 0 : Long.parseLong(days))
                .plusHours(Long.parseLong(time.group(2)))
                .plusMinutes(Long.parseLong(time.group(3)))
                .plusSeconds(Long.parseLong(time.group(4)));
    }

    private static SlurmJobRecord of(QueuedJobStatus status, String name) {
        return new SlurmJobRecord("", status, "", "", name, OptionalInt.empty(), Duration.ZERO);
    }

    /** Reads the answer of {@code sacct} for {@code State,ExitCode,JobName}, separated by bars. */
    static Optional<SlurmJobRecord> ofAccounting(String text) {
        List<SlurmJobRecord> all = text.strip()
                .lines()
                .map(ACCOUNTED::matcher)
                .filter(Matcher::matches)
                .map(line -> of(ended(line.group(1), "", line.group(2), line.group(3)), line.group(4)))
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(joined(all));
    }

    /** The status of a job of which only the state is known. */
    static QueuedJobStatus status(String word, String reason) {
        return QueuedJobStatus.of(state(word), word, reason.equals("None") ? "" : reason);
    }

    /** Slurm writes 0:0 also for a job whose program has no status, such as after {@code TIMEOUT} and {@code NODE_FAIL}. */
    private static QueuedJobStatus ended(String word, String reason, String exitStatus, String signal) {
        QueuedJobStatus status = status(word, reason);
        int exit = Integer.parseInt(exitStatus);
        int by = Integer.parseInt(signal);
        if (!status.ended() || exit == 0 && by == 0 && !status.succeeded()) {
            return status;
        }
        return by == 0 ? status.withExitStatus(exit) : status.withSignal(by);
    }

    private static State state(String word) {
        if (WAITING.contains(word)) {
            return State.WAITING;
        }
        if (RUNNING.contains(word)) {
            return State.RUNNING;
        }
        return switch (word) {
            case "COMPLETED" -> State.SUCCEEDED;
            case "CANCELLED" -> State.CANCELLED;
            case "TIMEOUT", "DEADLINE" -> State.TIMED_OUT;
            default -> State.FAILED;
        };
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        String value = matcher.find() ? matcher.group(1) : "";
        return value.equals("(null)") ? "" : value;
    }
}
