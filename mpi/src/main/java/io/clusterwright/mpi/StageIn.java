package io.clusterwright.mpi;

import java.nio.file.Path;

/**
 * A file that every node gets before a job starts.
 *
 * @param local a file of this machine; the copies have its permissions
 * @param remotePath the absolute path of the copies
 */
record StageIn(Path local, String remotePath) {}
