package io.clusterwright.core;

import io.clusterwright.core.internal.state.FileStateStore;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Records of the clusters that exist. Use it to keep the records of an application, or of a test, apart from the
 * records of the user. Safe for use by several threads and processes: one process writes a cluster's record at a
 * time.
 *
 * <pre>{@code
 * try (ClusterManager clusters = ClusterManager.builder(LocalMachines.create())
 *         .stateStore(StateStore.inFolder(folder.resolve("state")))
 *         .build()) {
 *     System.out.println(clusters.list()); // only clusters of this folder
 * }
 * }</pre>
 */
public interface StateStore {

    /** The store in the {@linkplain #standardFolder() standard folder}. */
    static StateStore standard() {
        return inFolder(standardFolder());
    }

    /** A store in this folder, which is created by the first write; secrets are files with mode 0600. */
    static StateStore inFolder(Path folder) {
        return new FileStateStore(folder);
    }

    /**
     * The folder that the environment variable {@code CLUSTERWRIGHT_STATE} names, or else {@code /var/lib/clusterwright} for root and
     * {@code ~/.local/state/clusterwright} for all others.
     */
    static Path standardFolder() {
        return FileStateStore.standardFolder();
    }

    /** The clusters that have a record, by name. */
    List<ClusterName> clusters();

    /**
     * The journal of a cluster; empty when there is no such cluster.
     *
     * @return its entries, one JSON document each, oldest first
     */
    List<String> read(ClusterName cluster);

    /** The place of a cluster's journal as messages name it, such as its file. Default: {@code the state store}. */
    default String place(ClusterName cluster) {
        return "the state store";
    }

    /**
     * The random id of this store, which stands on the images that it captured; they outlive their clusters. Default: empty, and no image is
     * this store's.
     *
     * @return 16 hexadecimal digits in lower case; empty before the first call of {@link #makeOwner}
     */
    default Optional<String> owner() {
        return Optional.empty();
    }

    /**
     * As {@link #owner}, and chooses the id where the store has no id yet. All processes that use the store get the same. Default: {@link #owner}.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when it cannot be kept
     */
    default Optional<String> makeOwner() {
        return owner();
    }

    /** The secrets of a cluster. */
    SecretStore secrets(ClusterName cluster);

    /**
     * Opens a cluster's record for writing; no one else can until it is closed.
     *
     * @throws ClusterException.InUse when another process holds it; the message names that process
     */
    Writer open(ClusterName cluster);

    /** A record that is open for writing. */
    interface Writer extends AutoCloseable {
        /**
         * Adds an entry to the journal; it is on disk when the call returns.
         *
         * @throws io.clusterwright.core.type.ClusterwrightException when it could not be written; nothing of it is in the journal
         */
        void append(String entry);

        /** Removes the record and its secrets: the cluster is gone. */
        void forget();

        @Override
        void close();
    }

    /** The secrets of one cluster, kept for later processes and out of the journal. */
    interface SecretStore {

        /** The secret of this name, if there is one. */
        Optional<Secret> get(String name);

        /** Keeps a secret, on disk before the call returns and readable by its owner alone. */
        void put(String name, Secret secret);

        /** Deletes the secret of this name, if there is one. */
        void remove(String name);

        /** The file of the secret of this name, for programs that read files; empty where no file has it. Default: empty. */
        default Optional<Path> file(String name) {
            return Optional.empty();
        }
    }
}
