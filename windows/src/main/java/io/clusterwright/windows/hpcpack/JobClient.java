package io.clusterwright.windows.hpcpack;

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
 * Runs HPC Pack's commands on this machine, a head node or a client of one. Safe for use by several threads.
 *
 * <p>No command can wait for somebody to type: its input is closed, and it is ended with all it started after the deadline.
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

    /** The same with another deadline for each command. */
    public JobClient deadline(Duration each) {
        Checks.atLeast("deadline in milliseconds", Math.toIntExact(each.toMillis()), 1);
        return new JobClient(before, each);
    }

    /** The same with words before each command, such as those that reach another machine. */
    public JobClient through(List<String> words) {
        return new JobClient(words, deadline);
    }

    /**
     * Submits a job, once: where the answer is lost, the job may run.
     *
     * @return its number
     * @throws HpcPackCommandException when the head node refuses it, wants a password, or does not answer in time
     */
    public int submit(JobSubmit job) {
        HpcPackCommand command = job.command();
        String output = run(command);
        return HpcPackOutput.submitted(output)
                .orElseThrow(() -> new HpcPackCommandException(
                        command.commandLine()
                                + " ended well and named no job; look for it with job list before another try: "
                                + shown(output),
                        command,
                        0,
                        output,
                        null));
    }

    /**
     * What {@code task view} says of a task.
     *
     * @throws HpcPackCommandException when it fails or does not answer in time
     */
    public Map<String, String> taskView(int job, int task) {
        return HpcPackOutput.view(run(HpcPackCommand.taskView(job, task)));
    }

    /**
     * Runs a command to its end.
     *
     * @return what it printed, errors too
     * @throws HpcPackCommandException when it cannot be started, fails, or does not end in time
     */
    public String run(HpcPackCommand command) {
        List<String> words = new ArrayList<>(before);
        words.add(command.program());
        words.addAll(command.arguments());
        Path output = null;
        try {
            output = Files.createTempFile("clusterwright-", ".out");
            return run(command, words, output);
        } catch (IOException e) {
            throw new HpcPackCommandException(
                    command.program() + " could not be started (" + e.getMessage()
                            + "); install HPC Pack's client utilities, or use the REST client, which needs none",
                    command,
                    null,
                    "",
                    e);
        } finally {
            delete(output);
        }
    }

    private String run(HpcPackCommand command, List<String> words, Path output) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                end(process);
                throw new HpcPackCommandException(
                        command.commandLine() + " did not end within " + deadline.toMillis()
                                + " ms and was ended; job submit waits like this for a password that the head node does not hold: "
                                + "run hpccred setcreds once as this user, or submit over REST; it printed: "
                                + shown(text(output)),
                        command,
                        null,
                        text(output),
                        null);
            }
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
            throw new HpcPackCommandException(
                    "interrupted while " + command.commandLine() + " ran; it was ended",
                    command,
                    null,
                    text(output),
                    e);
        }
        String printed = text(output);
        if (process.exitValue() != 0) {
            throw new HpcPackCommandException(
                    command.commandLine() + " ended with " + process.exitValue() + hint(printed) + ": "
                            + shown(printed),
                    command,
                    process.exitValue(),
                    printed,
                    null);
        }
        return printed;
    }

    private static String hint(String printed) {
        boolean password = printed.toLowerCase(Locale.ROOT).contains("password");
        return password ? "; run hpccred setcreds once as this user, or submit over REST" : "";
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
