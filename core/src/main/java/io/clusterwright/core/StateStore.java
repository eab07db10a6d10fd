package io.clusterwright.core;

import io.clusterwright.core.type.ClusterName;
import java.util.List;

/** Remembers which clusters exist. */
public interface StateStore {

    /** The clusters that have a record, by name. */
    List<ClusterName> clusters();

    /**
     * The journal of a cluster, to look at; empty when there is none.
     *
     * @return its entries, one JSON document each, oldest first
     */
    List<String> read(ClusterName cluster);

    /** The secrets of a cluster. */
    SecretStore secrets(ClusterName cluster);

    /**
     * Opens a cluster's record for writing; nobody else can until it is closed.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when another process holds it, naming that process
     */
    Writer open(ClusterName cluster);

    /** A record that is open for writing. */
    interface Writer extends AutoCloseable {
        /** Adds an entry to the journal; it is on disk when the call returns. */
        void append(String entry);

        /** Removes the record and its secrets: the cluster is gone. */
        void forget();

        @Override
        void close();
    }
}
