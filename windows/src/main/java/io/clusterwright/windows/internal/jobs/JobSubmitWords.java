package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes a job of one task as the words of a {@code job submit}.
 *
 * <p>Where the head node holds no password of the user, {@code job submit} asks for one and waits without a limit:
 * its input must be closed. There
 * is no option for a password, which every user of the machine could read. Source: learn.microsoft.com cc972834, cc972748 and cc972904.
 */
public final class JobSubmitWords {
    /** The options of properties of a job; a range has the least and the most. */
    private static final Map<String, String> OF_JOB = table(
            "Name jobname",
            "NodeGroups nodegroup",
            "NodeGroupOp nodegroupop",
            "Nodes numnodes",
            "Cores numcores",
            "Sockets numsockets",
            "CoresPerNode corespernode",
            "Memory memorypernode",
            "RequestedNodes requestednodes",
            "JobTemplate jobtemplate",
            "Project projectname",
            "RuntimeSeconds runtime",
            "Priority priority",
            "IsExclusive exclusive",
            "SingleNode singlenode",
            "FailOnTaskFailure failontaskfailure",
            "HoldUntil holduntil");

    private static final Map<String, String> OF_TASK = table(
            "Name name",
            "RequiredNodes requirednodes",
            "WorkDirectory workdir",
            "StdInFilePath stdin",
            "StdOutFilePath stdout",
            "StdErrFilePath stderr",
            "ValidExitCodes validexitcodes",
            "IsRerunnable rerunnable");

    private static final String PRIORITY = "[A-Za-z]+|[0-3]?\\d{1,3}|4000";
    private static final String EXIT_CODES = "-?\\d+(\\.\\.-?\\d+)?(,-?\\d+(\\.\\.-?\\d+)?)*";

    /** The only task has the size of its job, unless the job has one. */
    private static final List<String> SIZE_OF_TASK = List.of("MinNodes", "MaxNodes");

    private JobSubmitWords() {}

    private static Map<String, String> table(String... rows) {
        Map<String, String> table = new LinkedHashMap<>();
        for (String row : rows) {
            table.put(row.substring(0, row.indexOf(' ')), row.substring(row.indexOf(' ') + 1));
        }
        return table;
    }

    /**
     * The words after {@code job}.
     *
     * @throws InvalidValueException when the job has not one task, its command needs quotes, or a value cannot be written as an option
     */
    public static List<String> of(HpcPackJob job) {
        if (job.tasks().size() != 1) {
            throw InvalidValueException.of(
                    "job submit takes a job of one task, and this job has "
                            + job.tasks().size(),
                    "write the job as a job file");
        }
        HpcPackTask task = job.tasks().get(0);
        List<String> words = new ArrayList<>(List.of("submit"));
        Map<String, String> properties = new LinkedHashMap<>(job.properties());
        if (value(properties, "Nodes").isEmpty() && value(properties, "Cores").isEmpty()) {
            SIZE_OF_TASK.forEach(name -> properties.put(name, task.properties().getOrDefault(name, "")));
        }
        requireOptions(
                properties.keySet(), OF_JOB.keySet(), List.of("UnitType", "AutoCalculateMin", "AutoCalculateMax"));
        List<String> size = new ArrayList<>(SIZE_OF_TASK);
        size.add("CommandLine");
        requireOptions(task.properties().keySet(), OF_TASK.keySet(), size);
        OF_JOB.forEach((property, option) -> add(words, option, value(properties, property)));
        OF_TASK.forEach((property, option) -> add(words, option, value(task.properties(), property)));
        job.environment().forEach((name, value) -> add(words, "jobenv", name + "=" + Netmask.checked(name, value)));
        task.environment().forEach((name, value) -> add(words, "env", name + "=" + Netmask.checked(name, value)));
        words.addAll(HpcPackCommandLine.words(task.properties().getOrDefault("CommandLine", "")));
        return List.copyOf(words);
    }

    /** A property without an option would be lost, so that the job would run otherwise than asked. */
    private static void requireOptions(Set<String> given, Set<String> options, List<String> others) {
        for (String name : given) {
            String plain = name.startsWith("Min") || name.startsWith("Max") ? name.substring(3) : name;
            if (!options.contains(name) && !options.contains(plain) && !others.contains(name)) {
                throw InvalidValueException.of(
                        "job submit has no option for the property \"" + name + "\"",
                        "use a job file or the REST interface; never put a password into a job file");
            }
        }
    }

    private static String value(Map<String, String> properties, String name) {
        String least = properties.getOrDefault("Min" + name, "");
        String most = properties.getOrDefault("Max" + name, least);
        String value = properties.getOrDefault(name, least.equals(most) ? least : least + "-" + most);
        return name.equals("RuntimeSeconds") && !value.isEmpty() ? time(Long.parseLong(value) / 60) : value;
    }

    private static String time(long minutes) {
        if (minutes < 1) {
            throw InvalidValueException.of(
                    "the run time is less than a minute", "use a minute or more (example: PT1H)");
        }
        return String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 1440, minutes / 60 % 24, minutes % 60);
    }

    private static void add(List<String> words, String option, String value) {
        if (value.chars().anyMatch(c -> c < ' ' || c == '"')) {
            throw new InvalidValueException(
                    "value of /" + option, value, "text without quotes or control characters", "\\\\hn\\out\\run.txt");
        }
        if (option.equals("priority") && !value.isEmpty() && !value.matches(PRIORITY)) {
            throw new InvalidValueException("priority", value, "0 to 4000, or a word such as Lowest", "2000");
        }
        if (option.equals("validexitcodes") && !value.isEmpty() && !value.matches(EXIT_CODES)) {
            throw new InvalidValueException(
                    "list of exit codes", value, "numbers and ranges n..m, separated by commas", "0,10..20");
        }
        if (!value.isEmpty()) {
            words.add("/" + option + ":" + value);
        }
    }
}
