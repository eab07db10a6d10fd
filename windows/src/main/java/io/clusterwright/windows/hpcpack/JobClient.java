package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.windows.internal.jobs.HpcPackOutput;
import io.clusterwright.windows.internal.jobs.JobSubmitWords;
import io.clusterwright.windows.internal.jobs.JobXml;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import io.clusterwright.windows.internal.quoting.WindowsArguments;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes jobs for HPC Pack's own commands, runs these commands on this machine, a head node or a client of one, and
 * reads the output of their English edition. Use it where the REST interface of the head node cannot be reached.
 * Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * HpcPackTask task = HpcPackTask.of("mpiexec -c 1 -affinity solver.exe case.xml");
 * HpcPackJob job = HpcPackJob.of(task).nodeGroups(List.of("ComputeNodes")).nodes(2, 4);
 * String command = JobClient.submitCommand(job); // job submit /nodegroup:ComputeNodes /numnodes:2-4 …
 * String file = JobClient.jobFile(job); // XML for: job submit /jobfile:
 * }</pre>
 *
 * <p>The input of a command is closed, so that it cannot wait for an answer, and it is ended with its child processes at the deadline.
 * A command that cannot be started, fails, or does not end in time is an {@link HpcPackException.CommandFailed}, an
 * interrupt of this thread an
 * {@link OperationInterruptedException}; the command has been ended then. Source: learn.microsoft.com, HPC Pack command reference.
 */
public final class JobClient {
    private static final int SHOWN = 600;

    private final List<String> before;
    private final Duration deadline;

    private JobClient(List<String> before, Duration deadline) {
        this.before = List.copyOf(before);
        this.deadline = deadline;
    }

    /** A client whose commands have 30 s each. */
    public static JobClient create() {
        return new JobClient(List.of(), Duration.ofSeconds(30));
    }

    /** Sets the deadline of each command, at least 1 ms. */
    public JobClient deadline(Duration each) {
        if (each.toMillis() < 1) {
            throw new InvalidValueException("command deadline", each, "1 ms or more", "PT30S");
        }
        return new JobClient(before, each);
    }

    /** Sets words before each command, such as {@code ssh HOST}. */
    public JobClient through(List<String> words) {
        return new JobClient(words, deadline);
    }

    /**
     * The {@code job submit} of a job of one task, as Windows starts it.
     *
     * @throws InvalidValueException when it has not one task, or a part of it cannot be written so; a job file or the
     * REST interface takes it
     */
    public static String submitCommand(HpcPackJob job) {
        return WindowsArguments.commandLine("job", JobSubmitWords.of(job));
    }

    /**
     * The command line of a task that starts a program, quoted for the program and for the shell of the nodes.
     *
     * @param command the name or path of the program and its arguments
     * @throws InvalidValueException when an argument cannot pass a shell, or the line is longer than
     *     {@link HpcPackTask#LONGEST_COMMAND_LINE}
     */
    public static String taskCommand(List<String> command) {
        return HpcPackCommandLine.stored(command);
    }

    /**
     * The text of the file of a job for {@code job submit /jobfile:}, to be saved in UTF-8.
     *
     * @throws InvalidValueException when a value holds a character that XML cannot
     */
    public static String jobFile(HpcPackJob job) {
        return JobXml.write(job);
    }

    /**
     * Submits a job of one task, once: where the answer is lost, the job may run.
     *
     * @return its number
     */
    public int submit(HpcPackJob job) {
        List<String> words = JobSubmitWords.of(job);
        String output = run("job", words);
        return HpcPackOutput.submitted(output)
                .orElseThrow(() -> new HpcPackException.CommandFailed(
                        submitCommand(job)
                                + " succeeded and printed no job id; run job list before you submit it again: "
                                + shown(output),
                        0,
                        null));
    }

    /**
     * Runs a command that shows one thing, such as {@code job view 42}.
     *
     * @return the properties by their names in the output
     */
    public Map<String, String> view(String program, String... arguments) {
        return HpcPackOutput.view(run(program, List.of(arguments)));
    }

    /**
     * Runs a command that lists, such as {@code node list /group:AzureNodes /format:list}.
     *
     * @param arguments with {@code /format:list}
     * @return the properties of each entry by their names in the output
     */
    public List<Map<String, String>> list(String program, String... arguments) {
        return HpcPackOutput.list(run(program, List.of(arguments)));
    }

    /**
     * Runs any command of HPC Pack to its end.
     *
     * @param program its name, such as {@code job}
     * @return its output and errors
     */
    public String run(String program, List<String> arguments) {
        List<String> words = new ArrayList<>(before);
        words.add(program);
        words.addAll(arguments);
        Path output = null;
        try {
            output = Files.createTempFile("clusterwright-", ".out");
            return run(WindowsArguments.commandLine(program, arguments), words, output);
        } catch (IOException e) {
            throw new HpcPackException.CommandFailed(
                    program + " could not be started (" + e.getMessage()
                            + "); install HPC Pack's client utilities, or use the REST client",
                    null,
                    e);
        } finally {
            delete(output);
        }
    }

    private String run(String command, List<String> words, Path output) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            if (!WaitTime.await(deadline, nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS))) {
                end(process);
                throw new HpcPackException.CommandFailed(
                        command + " did not end within " + deadline.toMillis()
                                + " ms and was stopped; job submit may wait for a password: "
                                + "run hpccred setcreds once as this user, or submit over REST; its output: "
                                + shown(text(output)),
                        null,
                        null);
            }
        } catch (InterruptedException e) {
            end(process);
            throw new OperationInterruptedException("interrupted while " + command + " ran; it was stopped", e);
        }
        String printed = text(output);
        if (process.exitValue() != 0) {
            boolean password = printed.toLowerCase(Locale.ROOT).contains("password");
            throw new HpcPackException.CommandFailed(
                    command + " ended with " + process.exitValue()
                            + (password ? "; run hpccred setcreds once as this user, or submit over REST" : "") + ": "
                            + shown(printed),
                    process.exitValue(),
                    null);
        }
        return printed;
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), Charset.defaultCharset());
    }

    private static String shown(String text) {
        String whole = text.strip();
        return whole.length() <= SHOWN ? whole : "..." + whole.substring(whole.length() - SHOWN);
    }

    private static void delete(@Nullable Path file) {
        if (file != null && !file.toFile().delete()) {
            // A process that was just ended may hold it for a moment on Windows.
            file.toFile().deleteOnExit();
        }
    }
}
