package io.clusterwright.mpi;

import java.nio.file.Path;

/**
 * A file that is fetched after a job.
 *
 * @param remotePath its absolute path on the nodes
 * @param localFolder where it goes
 * @param fromAll whether every node has one; otherwise the first
 */
record StageOut(String remotePath, Path localFolder, boolean fromAll) {
    String name() {
        return remotePath.substring(remotePath.lastIndexOf('/') + 1);
    }
}
