package io.clusterwright.mpi.internal.staging;

import io.clusterwright.core.NodeSession;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The standard input of rank 0. It is a file in the job's folder that the launcher is started with: the end of a
 * pipe would come at any moment, which Hydra does not always survive.
 */
public sealed interface JobInput {
    String FILE = "stdin";

    void stage(NodeSession session, JobFolder folder);

    /** The same command, reading that file. */
    static LaunchCommand redirected(LaunchCommand command, JobFolder folder) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" < \"$0\"", folder.path(FILE)));
        argv.addAll(command.arguments());
        return command.withArguments(argv);
    }

    /** Bytes held in memory; never changed. */
    record Bytes(byte[] content) implements JobInput {
        @Override
        public void stage(NodeSession session, JobFolder folder) {
            session.write(content, folder.path(FILE), 0600);
        }
    }

    /** A file of this machine. */
    record LocalFile(Path path) implements JobInput {
        @Override
        public void stage(NodeSession session, JobFolder folder) {
            session.upload(path, folder.path(FILE), 0600);
        }
    }
}
