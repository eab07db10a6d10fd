package io.clusterwright.examples.crash;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterName;
import java.util.Locale;

/** An operation on a cluster of two nodes, or three. */
enum CrashedOperation {
    CREATE(Kind.PLAIN, 2),
    CREATE_WITH_CAPTURE(Kind.CAPTURE, 2),
    CREATE_SCALE_SET(Kind.SCALE_SET, 2),
    CREATE_WITH_SLURM(Kind.SLURM, 2),
    CREATE_WITH_EXTENSION(Kind.EXTENSION, 2),
    BUILD_IMAGE(Kind.CAPTURE, 0),
    RESIZE_UP(Kind.PLAIN, 3),
    RESIZE_UP_WITH_CAPTURE(Kind.CAPTURE, 3),
    RESIZE_UP_WITH_SLURM(Kind.SLURM, 3),
    RESIZE_UP_WITH_EXTENSION(Kind.EXTENSION, 3),
    RESIZE_DOWN(Kind.PLAIN, 1),
    RESIZE_DOWN_WITH_CAPTURE(Kind.CAPTURE, 1),
    RESIZE_DOWN_WITH_SLURM(Kind.SLURM, 1),
    RESIZE_SCALE_SET_UP(Kind.SCALE_SET, 3),
    RESIZE_SCALE_SET_DOWN(Kind.SCALE_SET, 1),
    STOP(Kind.PLAIN, 2),
    STOP_WITH_CAPTURE(Kind.CAPTURE, 2),
    STOP_WITH_SLURM(Kind.SLURM, 2),
    STOP_SCALE_SET(Kind.SCALE_SET, 2),
    START(Kind.PLAIN, 2),
    START_WITH_CAPTURE(Kind.CAPTURE, 2),
    START_WITH_SLURM(Kind.SLURM, 2),
    START_SCALE_SET(Kind.SCALE_SET, 2),
    VERIFY(Kind.PLAIN, 2),
    DESTROY(Kind.PLAIN, 0),
    DESTROY_SCALE_SET(Kind.SCALE_SET, 0);

    static final ClusterName NAME = ClusterName.of("crash");
    private static final int BEFORE = 2;

    private final Kind kind;
    private final int nodes;

    CrashedOperation(Kind kind, int nodes) {
        this.kind = kind;
        this.nodes = nodes;
    }

    /** How the cluster is made. */
    enum Kind {
        PLAIN("capture: false", "placement: {kind: availability-set}\ntimeToLive: 8h"),
        CAPTURE("capture: true", "timeToLive: 8h"),
        SCALE_SET("capture: false", "placement: {kind: scale-set}\ntimeToLive: 8h"),
        SLURM("capture: false", "scheduler: slurm"),
        EXTENSION("capture: false", "placement: {kind: availability-set}\nextensions: [{name: InfiniBandDriverLinux}]");

        private final ClusterSpec spec;

        Kind(String image, String more) {
            spec = SpecReader.read("""
                name: crash
                region: westeurope
                resourceGroup: crash-rg
                nodes: {count: 2, size: Standard_HB120rs_v3, prefix: crash, firstIndex: 11}
                network:
                  name: crash-net
                  addressSpace: 10.46.0.0/16
                  subnet: {name: nodes, range: 10.46.0.0/24}
                  ssh: {external: none}
                image:
                  base: microsoft-dsvm:ubuntu-hpc:2204:latest
                  %s
                  customize:
                    user: {name: crashuser}
                    updates: {install: none}
                %s
                """.formatted(image, more), "crash");
        }
    }

    /** The number of nodes that the cluster has afterwards. */
    int nodes() {
        return nodes;
    }

    boolean isScheduled() {
        return kind == Kind.SLURM;
    }

    /** Whether the operation makes the cluster or its image. */
    boolean creates() {
        return name().startsWith("CREATE") || this == BUILD_IMAGE;
    }

    boolean destroys() {
        return name().startsWith("DESTROY");
    }

    boolean stops() {
        return name().startsWith("STOP");
    }

    /** Makes what the operation works on. */
    void prepare(ClusterManager manager) {
        if (creates()) {
            return;
        }
        manager.create(kind.spec).close();
        if (name().startsWith("START")) {
            manager.stop(NAME);
        }
    }

    /** The number of nodes that the cluster had before and has afterwards. */
    int kept() {
        return creates() ? 0 : Math.min(BEFORE, nodes);
    }

    /** Carries it out. */
    void run(ClusterManager manager) {
        switch (name().split("_")[0]) {
            case "CREATE" -> manager.create(kind.spec).close();
            case "BUILD" -> manager.buildImage(kind.spec, CreateOptions.standard());
            case "RESIZE" -> manager.resize(NAME, nodes).close();
            case "STOP" -> manager.stop(NAME);
            case "START" -> manager.start(NAME).close();
            case "VERIFY" -> {
                try (Cluster cluster = manager.open(NAME)) {
                    manager.verify(cluster);
                }
            }
            default -> {
                DestroyReport report = manager.destroy(NAME);
                if (!report.left().isEmpty()) {
                    throw new LeftException(report);
                }
            }
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** A destruction that reports what it could not delete. */
    static final class LeftException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LeftException(DestroyReport report) {
            super("left: " + report.left());
        }
    }
}
