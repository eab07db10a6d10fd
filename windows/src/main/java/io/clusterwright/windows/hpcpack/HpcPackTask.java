package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A task to be added to a job. Immutable; each method that names a part gives another task. */
public final class HpcPackTask {
    /** The longest command line since HPC Pack 2016 Update 3, in characters; before, it was 480. */
    public static final int LONGEST_COMMAND_LINE = 1024;

    private final Map<String, String> properties;
    private final Map<String, String> environment;

    private HpcPackTask(Map<String, String> properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * A task of a command line as the nodes' shell is to read it; it is not started again when it fails.
     *
     * @param commandLine at most 1024 characters, 480 before HPC Pack 2016 Update 3
     * @throws InvalidValueException when it is empty, too long or holds control characters
     */
    public static HpcPackTask of(String commandLine) {
        if (commandLine.isBlank()
                || commandLine.length() > LONGEST_COMMAND_LINE
                || commandLine.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidValueException(
                    "command line of a task",
                    commandLine,
                    "1 to " + LONGEST_COMMAND_LINE
                            + " characters (480 before HPC Pack 2016 Update 3) without line breaks",
                    "mpiexec -c 1 app.exe");
        }
        return new HpcPackTask(Map.of("CommandLine", commandLine), Map.of()).property("IsRerunnable", "false");
    }

    /** A task with the attributes it has in a job file, unchecked. */
    static HpcPackTask read(Map<String, String> attributes) {
        return new HpcPackTask(Collections.unmodifiableMap(new LinkedHashMap<>(attributes)), Map.of());
    }

    /** The same task of this name. */
    public HpcPackTask name(String name) {
        return property("Name", name);
    }

    /**
     * The same task on a number of nodes.
     *
     * @throws InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackTask nodes(int least, int most) {
        JobSize.check(least, most);
        return property("MinNodes", Integer.toString(least)).property("MaxNodes", Integer.toString(most));
    }

    /** The same task, started when the tasks of this name have ended. */
    public HpcPackTask after(String task) {
        return property("DependsOn", task);
    }

    /** The same task on exactly these nodes. */
    public HpcPackTask requiredNodes(List<String> names) {
        return property("RequiredNodes", JobSize.list("required nodes", names));
    }

    /** The same task started in this folder of the nodes. */
    public HpcPackTask workDirectory(String folder) {
        return property("WorkDirectory", folder);
    }

    /** The same task with its output in a file of the nodes, or of a share; the head node then has none of it. */
    public HpcPackTask stdoutFile(String path) {
        return property("StdOutFilePath", path);
    }

    /** The same task ended after this time. */
    public HpcPackTask runtime(Duration limit) {
        return property("RuntimeSeconds", JobSize.seconds(limit));
    }

    /** The same task with one more environment variable. */
    public HpcPackTask environment(String name, String value) {
        return new HpcPackTask(properties, JobSize.with(environment, JobSize.variable(name), value));
    }

    /** The same task with any property of HPC Pack's ISchedulerTask. */
    public HpcPackTask property(String name, String value) {
        return new HpcPackTask(JobSize.with(properties, JobSize.propertyName(name), value), environment);
    }

    /** Its properties. */
    public Map<String, String> properties() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** Its own environment variables. */
    public Map<String, String> environment() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** Its name only, since a command may hold a secret. */
    @Override
    public String toString() {
        return "task " + properties.getOrDefault("Name", "without a name");
    }
}
