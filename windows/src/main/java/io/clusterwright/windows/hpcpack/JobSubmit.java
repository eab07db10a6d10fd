package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A {@code job submit}. Immutable.
 *
 * <p>Where the head node holds no password of the user, {@code job submit} asks for one and waits for ever: {@link JobClient} gives it
 * nothing to read and a deadline, and rendered scripts give it nothing to read.
 */
public final class JobSubmit {
    private static final Set<String> WITH_A_JOB = Set.of("user", "scheduler", "holduntil");
    private static final Set<String> REPEATED = Set.of("env", "jobenv");

    private final List<JobOption> options;
    private final List<String> command;

    private JobSubmit(List<JobOption> options, List<String> command) {
        this.options = List.copyOf(options);
        this.command = List.copyOf(command);
        Set<String> seen = new HashSet<>();
        for (JobOption option : this.options) {
            if (!seen.add(option.name()) && !REPEATED.contains(option.name())) {
                throw new InvalidValueException(
                        "second " + option.name() + " of a job",
                        option.toString(),
                        "each option once, but for env and jobenv",
                        "/numnodes:4");
            }
        }
    }

    /**
     * A job of one task.
     *
     * @param options in the order in which they are to stand
     * @param command the program and its arguments
     * @throws InvalidValueException when an option is given twice, or the command needs quotes, which a {@link JobFile} can hold
     */
    public static JobSubmit of(List<JobOption> options, List<String> command) {
        HpcPackCommandLine.words(command);
        return new JobSubmit(options, command);
    }

    /**
     * The job of a file.
     *
     * @param file its path, as the machine that submits it sees it
     * @param options of {@code user}, {@code scheduler} and {@code holduntil} alone; the rest stands in the file
     * @throws InvalidValueException when there is another option
     */
    public static JobSubmit file(String file, List<JobOption> options) {
        return with(new JobOption("jobfile", Checks.text("job file", file)), options);
    }

    /**
     * A job that was made before.
     *
     * @param job its number
     * @param options of {@code user}, {@code scheduler} and {@code holduntil} alone
     * @throws InvalidValueException when there is another option
     */
    public static JobSubmit job(int job, List<JobOption> options) {
        return with(new JobOption("id", Integer.toString(Checks.atLeast("number of a job", job, 1))), options);
    }

    private static JobSubmit with(JobOption first, List<JobOption> options) {
        for (JobOption option : options) {
            if (!WITH_A_JOB.contains(option.name())) {
                throw new InvalidValueException(
                        "option beside /" + first.name(),
                        option.toString(),
                        "user, scheduler and holduntil; write others into the job",
                        "/scheduler:hn");
            }
        }
        List<JobOption> all = new ArrayList<>(List.of(first));
        all.addAll(options);
        return new JobSubmit(all, List.of());
    }

    /** The options, in their order. */
    public List<JobOption> options() {
        return options;
    }

    /** The program and its arguments; empty where a file or an earlier job has them. */
    public List<String> task() {
        return command;
    }

    /** The value of an option that was given once. */
    public Optional<String> option(String name) {
        return options.stream()
                .filter(option -> option.name().equals(name))
                .map(JobOption::value)
                .findFirst();
    }

    /** The command to run. */
    public HpcPackCommand command() {
        List<String> words = new ArrayList<>(List.of("submit"));
        options.forEach(option -> words.add(option.toString()));
        if (!command.isEmpty()) {
            words.addAll(HpcPackCommandLine.words(command));
        }
        return new HpcPackCommand("job", words);
    }

    /** The command as it is started. */
    @Override
    public String toString() {
        return command().commandLine();
    }
}
