package io.clusterwright.core;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;

/**
 * A cluster is not in the state that a call needs. Use its subtypes to tell an absent cluster, a busy cluster and a
 * stopped cluster apart. Nothing was changed.
 *
 * @see io.clusterwright.core.type.ClusterwrightException
 */
public abstract sealed class ClusterException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient ClusterName cluster;

    private ClusterException(ClusterName cluster, String message) {
        super(message);
        this.cluster = cluster;
    }

    /** The cluster's name. */
    public ClusterName cluster() {
        return cluster;
    }

    /** No cluster of this name has a record: create it, or name another. */
    public static final class NotFound extends ClusterException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public NotFound(ClusterName cluster, String message) {
            super(cluster, message);
        }
    }

    /** Another process, or another thread of this one, changes the cluster: wait for its end. */
    public static final class InUse extends ClusterException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public InUse(ClusterName cluster, String message) {
            super(cluster, message);
        }
    }

    /** The machines of the cluster are stopped: start it first. */
    public static final class Stopped extends ClusterException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public Stopped(ClusterName cluster, String message) {
            super(cluster, message);
        }
    }
}
