package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.quoting.CmdShell;
import io.clusterwright.windows.internal.quoting.WindowsArguments;
import java.util.ArrayList;
import java.util.List;

/**
 * A command of HPC Pack, to run on a head node or a client of one.
 *
 * <p>Source: learn.microsoft.com, HPC Pack command reference.
 *
 * @param program its name, such as {@code job}
 * @param arguments its arguments
 */
public record HpcPackCommand(String program, List<String> arguments) {
    /** Prints a list as blocks of lines, each with a name and a value. */
    private static final String LIST = "/format:list";

    private static final String TABLE = "/format:table";

    /** Copies the list. */
    public HpcPackCommand {
        arguments = List.copyOf(arguments);
    }

    /** Shows a task of a job. */
    public static HpcPackCommand taskView(int job, int task) {
        return of("task", "view", id("job", job) + "." + id("task", task));
    }

    /** Shows a part of a parametric task. */
    public static HpcPackCommand taskView(int job, int task, int subtask) {
        return of("task", "view", id("job", job) + "." + id("task", task) + "." + id("subtask", subtask));
    }

    /** Shows a job. */
    public static HpcPackCommand jobView(int job) {
        return of("job", "view", id("job", job));
    }

    /** Lists the jobs of this user. */
    public static HpcPackCommand jobList() {
        return of("job", "list", LIST);
    }

    /** Lists the jobs of all users. */
    public static HpcPackCommand allJobs() {
        return of("job", "list", "/all", LIST);
    }

    /** Lists the tasks of a job. */
    public static HpcPackCommand jobListTasks(int job) {
        return of("job", "listtasks", id("job", job), LIST);
    }

    /** Ends a job. */
    public static HpcPackCommand jobCancel(int job) {
        return of("job", "cancel", id("job", job));
    }

    /** Runs a job again. */
    public static HpcPackCommand jobRequeue(int job) {
        return of("job", "requeue", id("job", job));
    }

    /** Lists the nodes of a group. */
    public static HpcPackCommand nodeList(String group) {
        return of("node", "list", "/group:" + JobChecks.name("node group", group), LIST);
    }

    /** Shows a node. */
    public static HpcPackCommand nodeView(String node) {
        return of("node", "view", JobChecks.name("node", node));
    }

    /** Lets jobs start on a node. It fails where the node is online already: ask for its state first. */
    public static HpcPackCommand nodeOnline(String node) {
        return of("node", "online", JobChecks.name("node", node));
    }

    /** Lets no more jobs start on a node. */
    public static HpcPackCommand nodeOffline(String node) {
        return of("node", "offline", JobChecks.name("node", node));
    }

    /**
     * Sets the network that MS-MPI uses on all nodes that are in the domain; nodes of a burst ignore it.
     *
     * @param netmask the network
     */
    public static HpcPackCommand clusterNetmask(Netmask netmask) {
        return of("cluscfg", "setenvs", "CCP_MPI_NETMASK=" + netmask);
    }

    /**
     * Opens the firewall of this node for a program of MPI, whatever port it is given. Exit status 0 means done.
     *
     * @param name the name of the rule
     * @param path where the program is on the node
     */
    public static HpcPackCommand firewallRegister(String name, String path) {
        return of(
                "hpcfwutil",
                "register",
                JobChecks.name("name of a firewall rule", name),
                JobChecks.text("program", path));
    }

    /** Closes it again. */
    public static HpcPackCommand firewallUnregister(String name) {
        return of("hpcfwutil", "unregister", JobChecks.name("name of a firewall rule", name));
    }

    /**
     * Runs a command on every node of a group.
     *
     * @throws InvalidValueException when a word of it would need quotes, which {@code clusrun} may lose: put it into a script then
     */
    public static HpcPackCommand onGroup(String group, HpcPackCommand command) {
        List<String> words =
                new ArrayList<>(List.of("/nodegroup:" + JobChecks.name("node group", group), command.program));
        words.addAll(command.arguments);
        for (String word : command.arguments) {
            if (!WindowsArguments.quote(word).equals(word)) {
                throw new InvalidValueException(
                        "word for clusrun",
                        word,
                        "a word without blanks and quotes; put others into a script on a share",
                        "\\\\hn\\share\\firewall.cmd");
            }
        }
        return new HpcPackCommand("clusrun", words);
    }

    /** The same command with its list as a table: a line for each entry, below two lines of headings. */
    public HpcPackCommand asTable() {
        return new HpcPackCommand(
                program,
                arguments.stream().map(word -> word.equals(LIST) ? TABLE : word).toList());
    }

    /** As Windows starts it, with quotes where they are needed. */
    public String commandLine() {
        return WindowsArguments.commandLine(program, arguments);
    }

    /** As a line of a batch file. */
    public String batchLine() {
        return CmdShell.batchLine(program, arguments);
    }

    /** As it is typed at the prompt of cmd. */
    public String promptLine() {
        return CmdShell.promptLine(program, arguments);
    }

    private static HpcPackCommand of(String program, String... arguments) {
        return new HpcPackCommand(program, List.of(arguments));
    }

    private static String id(String what, int id) {
        return Integer.toString(JobChecks.atLeast("number of a " + what, id, 1));
    }
}
