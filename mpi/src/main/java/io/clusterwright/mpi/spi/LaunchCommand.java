package io.clusterwright.mpi.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command that starts a job on its launch node.
 *
 * @param arguments the launcher and its arguments; never joined into one string
 * @param environment variables for the launcher itself
 * @param files files that must be in the job's folder before
 * @param release the command that gives back what a job that was ended holds besides its processes, such as an allocation; empty for
 *     nothing
 */
public record LaunchCommand(
        List<String> arguments, Map<String, String> environment, List<StagedFile> files, List<String> release) {

    /** Copies the collections. */
    public LaunchCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        files = List.copyOf(files);
        release = List.copyOf(release);
    }

    /** A command whose job holds nothing but its processes. */
    public LaunchCommand(List<String> arguments, Map<String, String> environment, List<StagedFile> files) {
        this(arguments, environment, files, List.of());
    }

    /** The same with a command that gives back what the job holds besides its processes. */
    public LaunchCommand withRelease(List<String> command) {
        return new LaunchCommand(arguments, environment, files, command);
    }

    /** The arguments behind {@code env} and the variables: one of them is the job's token, which only the launcher itself may have. */
    public List<String> withVariables() {
        if (environment.isEmpty()) {
            return arguments;
        }
        List<String> words = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(arguments);
        return words;
    }

    /**
     * A file in the job's folder.
     *
     * @param name its name in the folder
     * @param content its text
     * @param mode its permissions, such as {@code 0600}
     */
    public record StagedFile(String name, String content, int mode) {}
}
