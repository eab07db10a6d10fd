package io.clusterwright.linux.internal.local;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.CheckReport.Status;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.ClusterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reports that packages of this machine were changed below nodes that run; wanted only where that is so. */
public final class PackagesCheck implements ClusterCheck {
    static final int CODE = 10;
    private static final int ORDER = 50;
    private static final int MOST_NAMES = 8;

    /** Creates the check; it has no state. */
    public PackagesCheck() {}

    @Override
    public String name() {
        return "packages";
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return finding(spec.name()).isPresent();
    }

    @Override
    public boolean partOfCreate() {
        return true;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        return finding(cluster.name())
                .map(finding -> new CheckReport(name(), Status.FAILED, finding.message(), List.of(), List.of(finding)))
                .orElseGet(() -> new CheckReport(
                        name(), Status.PASSED, "packages of this machine are as they were", List.of(), List.of()));
    }

    /** The packages that were changed while nodes of a cluster of this machine were running. */
    static Optional<Finding> finding(ClusterName cluster) {
        return Mounts.table().stream()
                .filter(mount -> LinkNames.owner(mount.label())
                        .filter(owner -> owner.name().equals(cluster))
                        .isPresent())
                .flatMap(mount -> oldestBoots(mount.point().resolveSibling(cluster.value())).entrySet().stream())
                .flatMap(booted -> {
                    List<String> changed =
                            HostPackages.changedSince(booted.getKey().root(), booted.getValue());
                    return changed.isEmpty() ? Stream.empty() : Stream.of(finding(booted.getKey(), changed));
                })
                .findFirst();
    }

    private static Finding finding(BaseSystem system, List<String> changed) {
        String names = String.join(", ", changed.subList(0, Math.min(MOST_NAMES, changed.size())))
                + (changed.size() > MOST_NAMES ? " and " + (changed.size() - MOST_NAMES) + " more" : "");
        return new Finding(
                LocalRules.code(CODE),
                Severity.WARNING,
                "",
                "packages of " + system + " were changed while nodes ran on it: " + names
                        + "; the nodes may see a mixture of old and new files, and jobs may fail",
                "run: clusterwright stop NAME, then: clusterwright start NAME (ClusterManager.stop, ClusterManager.start); if the cluster uses a captured image, destroy it and create it again");
    }

    /** By the system below the nodes. */
    private static Map<BaseSystem, FileTime> oldestBoots(Path cluster) {
        Path nodes = cluster.resolve("nodes");
        if (!Files.isDirectory(nodes)) {
            return Map.of();
        }
        Map<BaseSystem, FileTime> boots = new HashMap<>();
        try (Stream<Path> folders = Files.list(nodes)) {
            for (Path node : folders.toList()) {
                NodeProcess.booted(node)
                        .ifPresent(booted -> NodeRecord.read(node)
                                .ifPresent(record -> boots.merge(
                                        BaseSystem.below(record.layers()),
                                        booted,
                                        (one, other) -> one.compareTo(other) < 0 ? one : other)));
            }
        } catch (IOException e) {
            // The cluster is being deleted.
            return Map.of();
        }
        return boots;
    }
}
