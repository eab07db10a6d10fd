package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folders of local machines.
 *
 * @param run clusters while they exist; the clusters of root are gone after a reboot
 * @param store images and packages; kept
 */
public record Folders(Path run, Path store) {
    /** The end of the name of a cluster's record. */
    public static final String RECORD = ".json";

    /** The folders of root; other users have both in their home. */
    public static final Folders STANDARD = UserNamespace.isNeeded()
            ? ofUser(System.getenv())
            : new Folders(Path.of("/run/clusterwright"), Path.of("/var/lib/clusterwright"));

    public Folders {
        check(run);
        check(store);
    }

    /** The folders of an ordinary user, as the XDG specification has them. */
    static Folders ofUser(Map<String, String> environment) {
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        Path store = (data.startsWith("/") ? Path.of(data) : Path.of(System.getProperty("user.home"), ".local/share"))
                .resolve("clusterwright");
        return new Folders(store.resolve("run"), store);
    }

    public Path cluster(ClusterName cluster) {
        return run.resolve(cluster.value());
    }

    /** The mount point whose label has the id of a cluster. */
    public Path mark(ClusterName cluster) {
        return UserNamespace.isNeeded() ? run.resolve("." + cluster.value()) : cluster(cluster);
    }

    /** The record of a cluster, made before anything else of it and deleted last. */
    public Path record(ClusterName cluster) {
        return run.resolve(cluster.value() + RECORD);
    }

    public Path nodes(ClusterName cluster) {
        return cluster(cluster).resolve("nodes");
    }

    public Path node(ClusterName cluster, NodeName node) {
        return nodes(cluster).resolve(node.value());
    }

    public Path layers(ClusterName cluster) {
        return cluster(cluster).resolve("layers");
    }

    public Path images() {
        return store.resolve("images");
    }

    public Path packages() {
        return store.resolve("packages");
    }

    /** An overlay's options and a mount table cannot express some characters. */
    private static void check(Path folder) {
        if (!folder.isAbsolute() || !folder.toString().matches("[A-Za-z0-9._/+-]+")) {
            throw new InvalidValueException(
                    "folder for local nodes",
                    folder,
                    "an absolute path of letters, digits or . _ - + /",
                    "/run/clusterwright");
        }
    }
}
