package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An option of {@code job submit}, {@code job new} and {@code job add}. There is none for a password, which everybody on the machine
 * could read.
 *
 * <p>Source: learn.microsoft.com cc972834, cc972748 and cc972904.
 *
 * @param name its name without the slash, such as {@code nodegroup}
 * @param value its value; empty for none
 */
public record JobOption(String name, String value) {
    private static final Pattern NAME = Pattern.compile("[a-z]+");
    private static final Pattern EXIT_CODES = Pattern.compile("-?\\d+(\\.\\.-?\\d+)?(,-?\\d+(\\.\\.-?\\d+)?)*");

    /**
     * Checks the values.
     *
     * @throws InvalidValueException when the name is none, is that of a password, or the value holds a quote or a line break
     */
    public JobOption {
        if (!NAME.matcher(name).matches() || name.equals("password")) {
            throw new InvalidValueException(
                    "option of job",
                    name,
                    "lower-case letters, and not password, which others could read",
                    "nodegroup");
        }
        if (!value.isEmpty()) {
            Checks.text("value of /" + name, value);
        }
    }

    /** Nodes of these groups: of all of them, where there are several and nothing else is said. */
    public static JobOption nodeGroup(String... groups) {
        return list("nodegroup", groups);
    }

    /** How several node groups go together. */
    public static JobOption nodeGroupOp(GroupOperator operator) {
        return new JobOption("nodegroupop", operator.word);
    }

    /** How many nodes, 1 or more. */
    public static JobOption numNodes(int nodes) {
        return range("numnodes", nodes, nodes);
    }

    /** How many of a unit of resources, from the least to the most that the job can use. */
    public static JobOption amount(Unit unit, int least, int most) {
        return range(unit.word, least, most);
    }

    /** Only nodes that have so many cores. */
    public static JobOption coresPerNode(int least, int most) {
        return range("corespernode", least, most);
    }

    /** Only nodes that have so much memory, in MB. */
    public static JobOption memoryPerNode(int leastMegabytes, int mostMegabytes) {
        return range("memorypernode", leastMegabytes, mostMegabytes);
    }

    /** Nodes that every task needs. */
    public static JobOption requiredNodes(String... nodes) {
        return list("requirednodes", nodes);
    }

    /** Nodes that the job may have, and no others. */
    public static JobOption requestedNodes(String... nodes) {
        return list("requestednodes", nodes);
    }

    /** The name of the job. */
    public static JobOption jobName(String name) {
        return named("jobname", name);
    }

    /** The name of the task. */
    public static JobOption taskName(String name) {
        return named("name", name);
    }

    /** The template, whose limits the job then has. */
    public static JobOption jobTemplate(String name) {
        return named("jobtemplate", name);
    }

    /** The project that the job counts for. */
    public static JobOption projectName(String name) {
        return named("projectname", name);
    }

    /** A variable of the task; give one option for each. An empty value takes it away. */
    public static JobOption env(String name, String value) {
        return variable("env", name, value);
    }

    /** A variable of the job; give one option for each. An empty value takes it away. */
    public static JobOption jobEnv(String name, String value) {
        return variable("jobenv", name, value);
    }

    /** The file for the output; {@code %CCP_JOBID%} in it is replaced on the node. */
    public static JobOption stdout(String file) {
        return new JobOption("stdout", Checks.text("file for output", file));
    }

    /** The file for the errors. */
    public static JobOption stderr(String file) {
        return new JobOption("stderr", Checks.text("file for errors", file));
    }

    /** The file to read. */
    public static JobOption stdin(String file) {
        return new JobOption("stdin", Checks.text("file for input", file));
    }

    /** The folder of the task on its node; not together with a job file. */
    public static JobOption workDir(String folder) {
        return new JobOption("workdir", Checks.text("working folder", folder));
    }

    /** How long the job may run, in whole minutes from 1. */
    public static JobOption runtime(Duration limit) {
        long minutes = limit.toMinutes();
        if (minutes < 1) {
            throw new InvalidValueException("run time", limit.toString(), "a minute or more", "PT1H");
        }
        String time = String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 1440, minutes / 60 % 24, minutes % 60);
        return new JobOption("runtime", time);
    }

    /** The priority, 0 to 4000; 2000 is normal. */
    public static JobOption priority(int priority) {
        if (priority < 0 || priority > 4000) {
            throw new InvalidValueException("priority", Integer.toString(priority), "0 to 4000", "2000");
        }
        return new JobOption("priority", Integer.toString(priority));
    }

    /** Exit codes that mean success, such as {@code 0,10..20}. */
    public static JobOption validExitCodes(String codes) {
        if (!EXIT_CODES.matcher(codes).matches()) {
            throw new InvalidValueException(
                    "list of exit codes", codes, "numbers and ranges n..m with commas between", "0,10..20");
        }
        return new JobOption("validexitcodes", codes);
    }

    /** Whether the job has its nodes to itself. */
    public static JobOption exclusive(boolean yes) {
        return truth("exclusive", yes);
    }

    /** Whether a task may run again on other nodes; HPC Pack takes yes for granted, which suits few MPI programs. */
    public static JobOption rerunnable(boolean yes) {
        return truth("rerunnable", yes);
    }

    /** Whether the failure of a task fails the job. */
    public static JobOption failOnTaskFailure(boolean yes) {
        return truth("failontaskfailure", yes);
    }

    /** The head node to ask: a name, or {@code https://} and the full name that its certificate has. */
    public static JobOption scheduler(String headNode) {
        return new JobOption("scheduler", Checks.text("head node", headNode));
    }

    /** The user the job runs as, whose password the head node knows. */
    public static JobOption user(String user) {
        return new JobOption("user", Checks.text("user", user));
    }

    /** Any other option that the commands have. */
    public static JobOption of(String name, String value) {
        return new JobOption(name.toLowerCase(Locale.ROOT), value);
    }

    private static JobOption named(String option, String name) {
        return new JobOption(option, Checks.name(option, name));
    }

    private static JobOption truth(String option, boolean yes) {
        return new JobOption(option, Boolean.toString(yes));
    }

    private static JobOption variable(String option, String name, String value) {
        String checked = name.endsWith("_NETMASK") && !value.isEmpty()
                ? Netmask.parse(value).toString()
                : value;
        return new JobOption(option, Checks.variable(name) + "=" + checked);
    }

    private static JobOption list(String option, String... names) {
        List<String> checked = List.of(names);
        checked.forEach(name -> Checks.name(option, name));
        if (checked.isEmpty()) {
            throw new InvalidValueException(option, "", "one name or more", "AzureNodes");
        }
        return new JobOption(option, String.join(",", checked));
    }

    private static JobOption range(String option, int least, int most) {
        Checks.atLeast(option, least, 1);
        Checks.atLeast("most of " + option, most, least);
        return new JobOption(option, least == most ? Integer.toString(least) : least + "-" + most);
    }

    /** As it is typed, such as {@code /numnodes:4}. */
    @Override
    public String toString() {
        return value.isEmpty() ? "/" + name : "/" + name + ":" + value;
    }

    /** How several node groups go together. */
    public enum GroupOperator {
        /** Nodes that are in all of them. */
        INTERSECT("Intersect"),
        /** Nodes of one of them, whichever it is. */
        UNIFORM("Uniform"),
        /** Nodes of any of them. */
        UNION("Union");

        private final String word;

        GroupOperator(String word) {
            this.word = word;
        }
    }

    /** What a job asks for a number of. */
    public enum Unit {
        /** Cores. */
        CORES("numcores"),
        /** Nodes. */
        NODES("numnodes"),
        /** Sockets. */
        SOCKETS("numsockets"),
        /** Cores, by their older name. */
        PROCESSORS("numprocessors");

        private final String word;

        Unit(String word) {
            this.word = word;
        }
    }
}
