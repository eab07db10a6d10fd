package io.clusterwright.mpi;

import java.util.List;
import java.util.Map;

/**
 * How a job is started on its launch node.
 *
 * @param arguments the launcher and its arguments; never joined into one string
 * @param environment variables for the launcher itself
 * @param files what must lie in the job's folder before
 */
public record LaunchCommand(List<String> arguments, Map<String, String> environment, List<StagedFile> files) {

    /** Copies the collections. */
    public LaunchCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        files = List.copyOf(files);
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
