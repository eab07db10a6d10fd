package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.NodeSession;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * The standard input of rank 0. It is a file in the job's folder that the launcher is started with: the end of a
 * pipe would come at any moment, which Hydra does not always survive.
 */
@FunctionalInterface
public interface JobInput {
    String FILE = "stdin";

    /** Writes it to a file of the node. */
    void write(NodeSession session, String path);

    /** Returns the command with this file as its input. */
    static LaunchCommand redirected(LaunchCommand command, JobFolder folder) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" < \"$0\"", folder.path(FILE)));
        argv.addAll(command.arguments());
        return command.withArguments(argv);
    }
}
