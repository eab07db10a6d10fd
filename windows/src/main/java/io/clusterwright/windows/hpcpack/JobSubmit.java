package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.jobs.HpcPackCommand;
import io.clusterwright.windows.internal.jobs.JobChecks;
import io.clusterwright.windows.internal.jobs.Netmask;
import io.clusterwright.windows.internal.jobs.PlacementDomains;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A {@code job submit}. Immutable; each method that names an option gives another one, with the options in the order of the calls.
 *
 * <p>Where the head node holds no password of the user, {@code job submit} asks for one and waits for ever: {@link JobClient} closes its
 * input and ends it at a deadline, and rendered scripts close its input. There is no option for a password, which every user of the machine
 * could read. Source: learn.microsoft.com cc972834, cc972748 and cc972904.
 */
public final class JobSubmit {
    private static final Set<String> WITH_A_JOB = Set.of("user", "scheduler", "holduntil");
    private static final Set<String> REPEATED = Set.of("env", "jobenv");
    private static final Pattern NAME = Pattern.compile("[a-z]+");
    private static final Pattern EXIT_CODES = Pattern.compile("-?\\d+(\\.\\.-?\\d+)?(,-?\\d+(\\.\\.-?\\d+)?)*");

    private final List<Option> options;
    private final List<String> command;

    private JobSubmit(List<Option> options, List<String> command) {
        this.options = List.copyOf(options);
        this.command = List.copyOf(command);
    }

    /**
     * A job of one task.
     *
     * @param command the program and its arguments
     * @throws InvalidValueException when the command needs quotes, which a {@link JobFile} can hold
     */
    public static JobSubmit of(List<String> command) {
        HpcPackCommandLine.words(command);
        return new JobSubmit(List.of(), command);
    }

    /**
     * The job of a file, with no other options than {@code user}, {@code scheduler} and {@code holduntil}; the others stand in the file.
     *
     * @param file its path, as the machine that submits it sees it
     */
    public static JobSubmit file(String file) {
        return new JobSubmit(List.of(new Option("jobfile", JobChecks.text("job file", file))), List.of());
    }

    /**
     * A job that was created before, with no other options than {@code user}, {@code scheduler} and {@code holduntil}.
     *
     * @param job its number
     */
    public static JobSubmit job(int job) {
        String number = Integer.toString(JobChecks.atLeast("number of a job", job, 1));
        return new JobSubmit(List.of(new Option("id", number)), List.of());
    }

    /** Nodes that are in all of these groups. */
    public JobSubmit nodeGroups(String... groups) {
        return list("nodegroup", groups);
    }

    /** Nodes that are in any of these groups. */
    public JobSubmit anyNodeGroup(String... groups) {
        return nodeGroups(groups).option("nodegroupop", "Union");
    }

    /** Nodes that are all in one of these groups, which HPC Pack chooses. */
    public JobSubmit oneNodeGroup(String... groups) {
        return nodeGroups(groups).option("nodegroupop", "Uniform");
    }

    /** This number of nodes, 1 or more. */
    public JobSubmit nodes(int nodes) {
        return nodes(nodes, nodes);
    }

    /** A number of nodes from the least to the most that the job can use. */
    public JobSubmit nodes(int least, int most) {
        return range("numnodes", least, most);
    }

    /** A number of cores from the least to the most that the job can use. */
    public JobSubmit cores(int least, int most) {
        return range("numcores", least, most);
    }

    /** A number of sockets from the least to the most that the job can use. */
    public JobSubmit sockets(int least, int most) {
        return range("numsockets", least, most);
    }

    /** Only nodes with this number of cores. */
    public JobSubmit coresPerNode(int least, int most) {
        return range("corespernode", least, most);
    }

    /** Only nodes with this amount of memory, in MB. */
    public JobSubmit memoryPerNode(int leastMegabytes, int mostMegabytes) {
        return range("memorypernode", leastMegabytes, mostMegabytes);
    }

    /** Nodes that every task needs. */
    public JobSubmit requiredNodes(String... nodes) {
        return list("requirednodes", nodes);
    }

    /** Nodes that the job may have, and no others. */
    public JobSubmit requestedNodes(String... nodes) {
        return list("requestednodes", nodes);
    }

    /** The name of the job. */
    public JobSubmit jobName(String name) {
        return named("jobname", name);
    }

    /** The name of the task. */
    public JobSubmit taskName(String name) {
        return named("name", name);
    }

    /** The template, whose limits the job then has. */
    public JobSubmit jobTemplate(String name) {
        return named("jobtemplate", name);
    }

    /** The project that the job counts for. */
    public JobSubmit projectName(String name) {
        return named("projectname", name);
    }

    /** A variable of the task; an empty value takes it away. */
    public JobSubmit env(String name, String value) {
        return variable("env", name, value);
    }

    /** A variable of the job; an empty value takes it away. */
    public JobSubmit jobEnv(String name, String value) {
        return variable("jobenv", name, value);
    }

    /** The file for the output; {@code %CCP_JOBID%} in it is replaced on the node. */
    public JobSubmit stdout(String file) {
        return option("stdout", JobChecks.text("file for output", file));
    }

    /** The file for the errors. */
    public JobSubmit stderr(String file) {
        return option("stderr", JobChecks.text("file for errors", file));
    }

    /** The file to read. */
    public JobSubmit stdin(String file) {
        return option("stdin", JobChecks.text("file for input", file));
    }

    /** The folder of the task on its node; not together with a job file. */
    public JobSubmit workDir(String folder) {
        return option("workdir", JobChecks.text("working folder", folder));
    }

    /** The limit on the job's run time, in whole minutes from 1. */
    public JobSubmit runtime(Duration limit) {
        long minutes = limit.toMinutes();
        if (minutes < 1) {
            throw new InvalidValueException("run time", limit.toString(), "a minute or more", "PT1H");
        }
        String time = String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 1440, minutes / 60 % 24, minutes % 60);
        return option("runtime", time);
    }

    /** The priority, 0 to 4000; 2000 is normal. */
    public JobSubmit priority(int priority) {
        if (priority < 0 || priority > 4000) {
            throw new InvalidValueException("priority", Integer.toString(priority), "0 to 4000", "2000");
        }
        return option("priority", Integer.toString(priority));
    }

    /** Exit codes that mean success, such as {@code 0,10..20}. */
    public JobSubmit validExitCodes(String codes) {
        if (!EXIT_CODES.matcher(codes).matches()) {
            throw new InvalidValueException(
                    "list of exit codes", codes, "numbers and ranges n..m with commas between", "0,10..20");
        }
        return option("validexitcodes", codes);
    }

    /** Shares the nodes with no other job. */
    public JobSubmit exclusive() {
        return option("exclusive", "true");
    }

    /** Never runs the task again on other nodes. HPC Pack does so by default, which suits few MPI programs. */
    public JobSubmit notRerunnable() {
        return option("rerunnable", "false");
    }

    /** Fails the job when a task fails. */
    public JobSubmit failOnTaskFailure() {
        return option("failontaskfailure", "true");
    }

    /** The head node to ask: a name, or {@code https://} and the full name in its certificate. */
    public JobSubmit scheduler(String headNode) {
        return option("scheduler", JobChecks.text("head node", headNode));
    }

    /** The user the job runs as, whose password the head node knows. */
    public JobSubmit user(String user) {
        return option("user", JobChecks.text("user", user));
    }

    /**
     * Any other option.
     *
     * @param name its name without the slash, such as {@code singleNode}
     * @param value its value; empty for none
     * @throws InvalidValueException when the name is none, is that of a password, was given before or does not suit the job, or the value
     *     holds a quote or a line break
     */
    public JobSubmit option(String name, String value) {
        Option added = new Option(name.toLowerCase(Locale.ROOT), value);
        if (command.isEmpty() && !WITH_A_JOB.contains(added.name)) {
            throw new InvalidValueException(
                    "option beside /" + options.get(0).name,
                    added.toString(),
                    "user, scheduler and holduntil; write others into the job",
                    "/scheduler:hn");
        }
        if (option(added.name).isPresent() && !REPEATED.contains(added.name)) {
            throw new InvalidValueException(
                    "second " + added.name + " of a job",
                    added.toString(),
                    "each option once, but for env and jobenv",
                    "/numnodes:4");
        }
        List<Option> more = new ArrayList<>(options);
        more.add(added);
        return new JobSubmit(more, command);
    }

    private JobSubmit named(String option, String name) {
        return option(option, JobChecks.name(option, name));
    }

    private JobSubmit variable(String option, String name, String value) {
        return option(option, JobChecks.variable(name) + "=" + Netmask.checked(name, value));
    }

    private JobSubmit list(String option, String... names) {
        List<String> checked = List.of(names);
        checked.forEach(name -> JobChecks.name(option, name));
        if (checked.isEmpty()) {
            throw new InvalidValueException(option, "", "one name or more", "AzureNodes");
        }
        return option(option, String.join(",", checked));
    }

    private JobSubmit range(String option, int least, int most) {
        JobChecks.atLeast(option, least, 1);
        JobChecks.atLeast("most of " + option, most, least);
        return option(option, least == most ? Integer.toString(least) : least + "-" + most);
    }

    /**
     * Refuses an MPI job that could get nodes of two cloud services of a spec, between which there is no RDMA.
     *
     * @return this job
     * @throws InvalidValueException when it could span two of them
     */
    public JobSubmit requireOneDomain(ClusterSpec spec) {
        return require(PlacementDomains.of(spec));
    }

    /**
     * Refuses an MPI job that could get nodes of two placement domains: cloud services, availability sets or placement groups.
     *
     * @param domains the domain of each node and of each node group that lies in one; case does not matter in the names
     * @return this job
     * @throws InvalidValueException when it could span two of them
     */
    public JobSubmit requireOneDomain(Map<String, String> domains) {
        return require(PlacementDomains.of(domains));
    }

    private JobSubmit require(PlacementDomains domains) {
        List<String> names = new ArrayList<>();
        for (String option : List.of("nodegroup", "requestednodes", "requirednodes", "askednodes")) {
            option(option).ifPresent(value -> names.addAll(List.of(value.split(","))));
        }
        domains.check(names, option("nodegroupop").filter("Uniform"::equals).isPresent());
        return this;
    }

    /** The options that were given once by name, in their order. */
    public Map<String, String> options() {
        Map<String, String> values = new LinkedHashMap<>();
        options.stream()
                .filter(option -> !REPEATED.contains(option.name))
                .forEach(option -> values.put(option.name, option.value));
        return values;
    }

    /** The program and its arguments; empty where a file or an earlier job has them. */
    public List<String> task() {
        return command;
    }

    /** The words after {@code job}. */
    public List<String> arguments() {
        List<String> words = new ArrayList<>(List.of("submit"));
        options.forEach(option -> words.add(option.toString()));
        if (!command.isEmpty()) {
            words.addAll(HpcPackCommandLine.words(command));
        }
        return List.copyOf(words);
    }

    /** The command as a line of a batch file. */
    public String batchLine() {
        return new HpcPackCommand("job", arguments()).batchLine();
    }

    /** The command as it is typed at the prompt of cmd. */
    public String promptLine() {
        return new HpcPackCommand("job", arguments()).promptLine();
    }

    /** The command as it is started. */
    @Override
    public String toString() {
        return new HpcPackCommand("job", arguments()).commandLine();
    }

    private Optional<String> option(String name) {
        return options.stream()
                .filter(option -> option.name.equals(name))
                .map(Option::value)
                .findFirst();
    }

    private record Option(String name, String value) {
        Option {
            if (!NAME.matcher(name).matches() || name.equals("password")) {
                throw new InvalidValueException(
                        "option of job",
                        name,
                        "lower-case letters, and not password, which others could read",
                        "nodegroup");
            }
            if (!value.isEmpty()) {
                JobChecks.text("value of /" + name, value);
            }
        }

        /** As it is typed, such as {@code /numnodes:4}. */
        @Override
        public String toString() {
            return value.isEmpty() ? "/" + name : "/" + name + ":" + value;
        }
    }
}
