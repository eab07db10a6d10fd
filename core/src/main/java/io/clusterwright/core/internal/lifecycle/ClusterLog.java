package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.type.ClusterName;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The few lines that the operator of a service wants: what was made, changed and deleted. Their logger is the cluster manager's. */
final class ClusterLog {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterManager.class);

    private ClusterLog() {}

    static void created(ClusterName cluster, String provider, int nodes, Optional<Instant> expires) {
        LOG.info(
                "cluster {} was created on {}: {}; {}",
                cluster,
                provider,
                counted(nodes, "node"),
                expires.map(end -> "its time to live ends at " + end).orElse("it has no time to live"));
    }

    static void changed(ClusterName cluster, int nodes) {
        LOG.info("cluster {} has {} now", cluster, counted(nodes, "node"));
    }

    static void captured(ClusterName cluster, String image) {
        LOG.info("image {} of cluster {} was captured", image, cluster);
    }

    static void stopped(ClusterName cluster) {
        LOG.info("cluster {} was stopped; disks, public addresses and images are still billed on a cloud", cluster);
    }

    static void started(ClusterName cluster) {
        LOG.info("cluster {} was started", cluster);
    }

    /** The message has the cause and the result of the rollback. */
    static void failed(String message) {
        LOG.info("{}", message);
    }

    static void destroyed(ClusterName cluster, DestroyReport report) {
        if (report.deleted().isEmpty() && report.left().isEmpty()) {
            return;
        }
        String deleted = counted(report.deleted().size(), "resource");
        if (report.left().isEmpty()) {
            LOG.info("cluster {} was destroyed: {} deleted", cluster, deleted);
        } else {
            LOG.warn(
                    "cluster {} was not destroyed: {} deleted; these remain, and may be billed: {}",
                    cluster,
                    deleted,
                    report.left());
        }
    }

    private static String counted(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
