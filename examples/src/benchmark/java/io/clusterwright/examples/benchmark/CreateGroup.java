package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * From nothing to the first command on every node: local nodes from a captured image, podman containers with sshd over an overlay of this
 * system, and a shell script that does by hand what both need. The capture itself is not measured.
 */
final class CreateGroup implements Group {

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        ClusterSpec spec = ImagesGroup.spec(settings.nodes());
        try (ClusterManager manager = ClusterManager.on(LocalMachines.builder()
                .storeFolder(settings.folder().resolve("store"))
                .build())) {
            StoredImage image = manager.buildImage(spec);
            try {
                Rounds rounds = settings.rounds(125);
                Series library = rounds.add("library", () -> create(manager, spec, CreateOptions.standard()));
                Series bare = rounds.add("library without checks", () -> create(
                        manager, spec, CreateOptions.standard().skipChecks()));
                Series script = rounds.add("script", () -> machines(settings, "bare"));
                Series podman = Peers.installed("podman") && Peers.installed("crun")
                        ? rounds.add("podman", 2, () -> machines(settings, "podman"))
                        : Row.NO_PEER;
                rounds.measure();
                String nodes = settings.nodes() + " nodes";
                report.add("create", nodes + ", proven, against podman", library, podman, Goal.ofPeer(0.5));
                report.add("create", nodes + ", proven, against the script", library, script, Goal.ofPeer(2));
                report.add("create", nodes + ", unproven, against the script", bare, script, Goal.ofPeer(2));
            } finally {
                manager.deleteImage(image.name());
            }
        }
    }

    private static OptionalDouble create(ClusterManager manager, ClusterSpec spec, CreateOptions options) {
        long start = System.nanoTime();
        try (Cluster cluster = manager.create(spec, options)) {
            LocalNodes.hostname(cluster);
            return OptionalDouble.of((System.nanoTime() - start) / 1e6);
        } finally {
            LocalNodes.destroy(manager, spec);
        }
    }

    private static OptionalDouble machines(Settings settings, String kind) throws IOException, InterruptedException {
        Peers script = new Peers(settings.folder(), Map.of());
        Path folder = settings.folder().resolve(kind);
        try {
            act(script, kind, "prepare", folder, settings);
            long start = System.nanoTime();
            act(script, kind, "up", folder, settings);
            return OptionalDouble.of((System.nanoTime() - start) / 1e6);
        } finally {
            boolean interrupted = Thread.interrupted();
            act(script, kind, "down", folder, settings);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void act(Peers script, String kind, String action, Path folder, Settings settings)
            throws IOException, InterruptedException {
        String nodes = Integer.toString(settings.nodes());
        int lines = action.equals("up") ? settings.nodes() : 0;
        String path = Settings.examples().resolve("src/benchmark/scripts/machines.sh").toString();
        script.run(LaunchGroup.LIMIT.multipliedBy(3), lines, List.of(path, kind, action, folder.toString(), nodes));
    }
}
