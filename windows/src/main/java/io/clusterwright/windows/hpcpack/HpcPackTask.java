package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Map;

/**
 * A task of a job. Use it for one command line of a job. Immutable; each method that names a part gives another task.
 *
 * @see HpcPackJobs
 */
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
     * A task of a command line as the nodes' shell is to read it; it is not started again when it fails: HPC Pack does so by default, which
     * suits few MPI programs.
     *
     * @param commandLine at most 1024 characters, 480 before HPC Pack 2016 Update 3
     * @throws InvalidValueException when it is empty, too long or holds control characters but the tab
     */
    public static HpcPackTask of(String commandLine) {
        if (commandLine.isBlank()
                || commandLine.length() > LONGEST_COMMAND_LINE
                || commandLine.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
            throw new InvalidValueException(
                    "task command line",
                    commandLine,
                    "1 to " + LONGEST_COMMAND_LINE
                            + " characters (480 before HPC Pack 2016 Update 3) without line breaks",
                    "mpiexec -c 1 app.exe");
        }
        return new HpcPackTask(Map.of("CommandLine", commandLine), Map.of()).property("IsRerunnable", "false");
    }

    /** Sets the name. */
    public HpcPackTask name(String name) {
        return property("Name", name);
    }

    /**
     * Sets the number of nodes.
     *
     * @throws InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackTask nodes(int least, int most) {
        JobProperties.checkSize(least, most);
        return property("MinNodes", Integer.toString(least)).property("MaxNodes", Integer.toString(most));
    }

    /** Starts the task after the tasks of this name. */
    public HpcPackTask after(String task) {
        return property("DependsOn", task);
    }

    /** Adds an environment variable. */
    public HpcPackTask environment(String name, String value) {
        return new HpcPackTask(properties, JobProperties.variable(environment, name, value));
    }

    /** Sets a property of HPC Pack's ISchedulerTask, such as {@code StdOutFilePath}; an empty value removes it. */
    public HpcPackTask property(String name, String value) {
        return new HpcPackTask(JobProperties.property(properties, name, value), environment);
    }

    /** Its properties, in the order in which they were given. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Its own environment variables. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Its name only, since a command may hold a secret. */
    @Override
    public String toString() {
        return "task " + properties.getOrDefault("Name", "without a name");
    }
}
