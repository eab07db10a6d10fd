package io.clusterwright.windows.hpcpack;

import io.clusterwright.windows.internal.jobs.JobChecks;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A task in a job file.
 *
 * @param attributes its attributes by their names in the file, in their order
 */
public record TaskElement(Map<String, String> attributes) {
    /** Copies the map. */
    public TaskElement {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /**
     * A task that runs a command, and never again by itself: HPC Pack takes the opposite for granted, which suits few MPI programs.
     *
     * @param name its name
     * @param command the program and its arguments
     * @throws io.clusterwright.core.type.InvalidValueException when the command cannot be kept
     */
    public static TaskElement of(String name, List<String> command) {
        return new TaskElement(Map.of())
                .with("Name", JobChecks.name("name of a task", name))
                .with("CommandLine", HpcPackCommandLine.stored(command))
                .with("IsRerunnable", "false");
    }

    /** The same with one more attribute, or another value of it. */
    public TaskElement with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(attributes);
        more.put(name, value);
        return new TaskElement(more);
    }

    /** The same for so many nodes, no more and no less. */
    public TaskElement nodes(int count) {
        String number = Integer.toString(JobChecks.atLeast("number of nodes", count, 1));
        return with("UnitType", "Node").with("MinNodes", number).with("MaxNodes", number);
    }

    /** The same, started when the tasks of this name have ended. */
    public TaskElement after(String task) {
        return with("DependsOn", JobChecks.name("name of a task", task));
    }

    /** Its name, where it has one. */
    public Optional<String> name() {
        return Optional.ofNullable(attributes.get("Name"));
    }

    /** The text that a shell of the node runs. */
    public Optional<String> commandLine() {
        return Optional.ofNullable(attributes.get("CommandLine"));
    }

    /** Its name only, for a command may hold what is secret. */
    @Override
    public String toString() {
        return "task " + name().orElse("without a name");
    }
}
