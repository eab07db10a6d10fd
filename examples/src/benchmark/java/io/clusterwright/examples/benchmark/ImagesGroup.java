package io.clusterwright.examples.benchmark;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The disk that a captured image takes, against the sizes of the files that differ from the system below. */
final class ImagesGroup implements Group {
    private static final double KILOBYTE = 1024;

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        Path store = settings.folder().resolve("store");
        ClusterSpec spec = spec(1);
        try (ClusterManager manager = ClusterManager.on(
                LocalMachines.builder().storeFolder(store).build())) {
            StoredImage image = manager.buildImage(spec);
            try {
                Series stored = Series.of("stored", "KiB");
                Series changes = Series.of("the changed files", "KiB");
                sizes(settings.folder(), store, stored, changes);
                report.add("images", "captured image on disk", stored, changes, Goal.ofPeer(1));
            } finally {
                manager.deleteImage(image.name());
            }
        }
    }

    /** A spec whose image is captured with a user, limits, keys and a program of 20 MB. */
    static ClusterSpec spec(int nodes) {
        Path library = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
        return LocalNodes.spec("image", nodes, """
                image:
                  capture: true
                  customize:
                    user: {name: benchuser}
                    memlock: [{who: root, limit: 4096 KiB}]
                    ssh: {trust: cluster-key, hostKeys: pinned}
                    files: [{from: %s, to: /opt/bench/library.so}]
                """.formatted(library));
    }

    private static void sizes(Path folder, Path store, Series stored, Series changes)
            throws IOException, InterruptedException {
        Peers tar = new Peers(folder, Map.of());
        double disk = 0;
        double files = 0;
        try (Stream<Path> found = Files.list(store.resolve("images"))) {
            for (Path archive : found.filter(path -> path.toString().contains(".tar")).toList()) {
                disk += Files.size(archive);
                String listing = tar.run(1, "tar", "--list", "--verbose", "--numeric-owner", "--file", archive.toString());
                for (String line : listing.lines().filter(each -> each.startsWith("-")).toList()) {
                    files += Double.parseDouble(List.of(line.split(" +")).get(2));
                }
            }
        }
        stored.add(disk / KILOBYTE);
        changes.add(files / KILOBYTE);
    }
}
