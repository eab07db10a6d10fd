package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.windows.internal.jobs.HpcPackCommand;
import io.clusterwright.windows.internal.jobs.HpcPackOutput;
import io.clusterwright.windows.internal.jobs.JobChecks;
import io.clusterwright.windows.internal.jobs.Netmask;
import io.clusterwright.windows.internal.probe.ProcessTree;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs HPC Pack's commands on this machine, a head node or a client of one, and reads the output of their English edition. Safe for use by
 * several threads.
 *
 * <p>The input of a command is closed, so that it cannot wait for an answer, and it is ended with all its child processes at the deadline.
 * Each method throws {@link HpcPackException.CommandFailed} when its command cannot be started, fails, or does not end in time, and
 * {@link OperationInterruptedException} when this thread is interrupted; the command has been ended then. Source: learn.microsoft.com, HPC
 * Pack command reference.
 */
public final class JobClient {
    private static final Logger LOG = LoggerFactory.getLogger(JobClient.class);
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

    /** The same with another deadline for each command, at least 1 ms. */
    public JobClient deadline(Duration each) {
        JobChecks.atLeast("deadline in milliseconds", Math.toIntExact(each.toMillis()), 1);
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
     * @throws HpcPackException.CommandFailed when the head node refuses it, wants a password, or does not answer in time
     */
    public int submit(JobSubmit job) {
        HpcPackCommand command = new HpcPackCommand("job", job.arguments());
        String output = run(command);
        return HpcPackOutput.submitted(output)
                .orElseThrow(() -> failed(
                        " ended well and named no job; look for it with job list before another try: " + shown(output),
                        command,
                        0,
                        output,
                        null));
    }

    /** The properties of a job by their names in the output. */
    public Map<String, String> jobView(int job) {
        return HpcPackOutput.view(run(HpcPackCommand.jobView(job)));
    }

    /** The properties of a task by their names in the output. */
    public Map<String, String> taskView(int job, int task) {
        return HpcPackOutput.view(run(HpcPackCommand.taskView(job, task)));
    }

    /** The properties of a part of a parametric task by their names in the output. */
    public Map<String, String> taskView(int job, int task, int subtask) {
        return HpcPackOutput.view(run(HpcPackCommand.taskView(job, task, subtask)));
    }

    /** The jobs of this user. */
    public List<Map<String, String>> jobs() {
        return HpcPackOutput.list(run(HpcPackCommand.jobList()));
    }

    /** The jobs of all users. */
    public List<Map<String, String>> allJobs() {
        return HpcPackOutput.list(run(HpcPackCommand.allJobs()));
    }

    /** The tasks of a job. */
    public List<Map<String, String>> tasks(int job) {
        return HpcPackOutput.list(run(HpcPackCommand.jobListTasks(job)));
    }

    /** Ends a job. */
    public void cancel(int job) {
        run(HpcPackCommand.jobCancel(job));
    }

    /** Runs a job again. */
    public void requeue(int job) {
        run(HpcPackCommand.jobRequeue(job));
    }

    /** The nodes of a group. */
    public List<Map<String, String>> nodes(String group) {
        return HpcPackOutput.table(run(HpcPackCommand.nodeList(group).asTable()));
    }

    /** The properties of a node by their names in the output. */
    public Map<String, String> nodeView(String node) {
        return HpcPackOutput.view(run(HpcPackCommand.nodeView(node)));
    }

    /** Lets jobs start on a node; nothing happens where it is online already. */
    public void bringOnline(String node) {
        if (!HpcPackOutput.state(nodeView(node)).filter("Online"::equals).isPresent()) {
            run(HpcPackCommand.nodeOnline(node));
        }
    }

    /** Lets no more jobs start on a node. */
    public void takeOffline(String node) {
        run(HpcPackCommand.nodeOffline(node));
    }

    /**
     * Sets the network that MS-MPI uses on all nodes of the domain; burst nodes ignore it.
     *
     * @param netmask such as {@code 172.16.0.0/255.255.0.0}
     */
    public void clusterNetmask(String netmask) {
        run(HpcPackCommand.clusterNetmask(Netmask.parse(netmask)));
    }

    /**
     * Opens the firewall of this node for a program of MPI at every port.
     *
     * @param name the name of the rule
     * @param path the program on the node
     */
    public void openFirewall(String name, String path) {
        run(HpcPackCommand.firewallRegister(name, path));
    }

    /**
     * Opens the firewall of all nodes of a group for a program of MPI at every port.
     *
     * @param name the name of the rule, without blanks
     * @param path the program on the nodes, without blanks
     */
    public void openFirewallOfGroup(String group, String name, String path) {
        run(HpcPackCommand.onGroup(group, HpcPackCommand.firewallRegister(name, path)));
    }

    /** Removes a rule of {@link #openFirewall} on this node. */
    public void closeFirewall(String name) {
        run(HpcPackCommand.firewallUnregister(name));
    }

    /**
     * Runs any command of HPC Pack to its end.
     *
     * @param program its name, such as {@code job}
     * @return its output and errors
     */
    public String run(String program, List<String> arguments) {
        return run(new HpcPackCommand(program, arguments));
    }

    private String run(HpcPackCommand command) {
        List<String> words = new ArrayList<>(before);
        words.add(command.program());
        words.addAll(command.arguments());
        Path output = null;
        try {
            output = Files.createTempFile("clusterwright-", ".out");
            return run(command, words, output);
        } catch (IOException e) {
            throw new HpcPackException.CommandFailed(
                    command.program() + " could not be started (" + e.getMessage()
                            + "); install HPC Pack's client utilities, or use the REST client, which needs none",
                    command.commandLine(),
                    null,
                    "",
                    e);
        } finally {
            delete(output);
        }
    }

    private static HpcPackException.CommandFailed failed(
            String why,
            HpcPackCommand command,
            @Nullable Integer exitStatus,
            String output,
            @Nullable Throwable cause) {
        return new HpcPackException.CommandFailed(
                command.commandLine() + why, command.commandLine(), exitStatus, output, cause);
    }

    private String run(HpcPackCommand command, List<String> words, Path output) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        ProcessTree tree = tree(process);
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                end(process);
                throw failed(
                        " did not end within " + deadline.toMillis()
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
            throw new OperationInterruptedException(
                    "interrupted while " + command.commandLine() + " ran; it was ended", e);
        } finally {
            if (tree != null) {
                tree.close();
            }
        }
        String printed = text(output);
        if (process.exitValue() != 0) {
            throw failed(
                    " ended with " + process.exitValue() + hint(printed) + ": " + shown(printed),
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

    /** A job object ends the children of a command even when this program dies; a command that has ended already cannot join one. */
    private static @Nullable ProcessTree tree(Process process) {
        if (!ProcessTree.isSupported()) {
            return null;
        }
        ProcessTree tree = ProcessTree.create();
        try {
            tree.add(process.pid());
            return tree;
        } catch (ClusterwrightException e) {
            LOG.debug("process {} is in no job object", process.pid(), e);
            tree.close();
            return null;
        }
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
