package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "destroy",
        description = "Deletes a cluster in any state, and reports anything that could not be deleted.")
final class DestroyCommand extends ProgramCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The cluster's name.")
    private @Nullable String name;

    @Option(names = "--expired", description = "Delete every cluster past its timeToLive.")
    private boolean expired;

    @Option(
            names = "--with-foreign",
            description =
                    "Also delete resources of others in the cluster's resource group. Default: keep the group, and list"
                            + " its resources.")
    private boolean withForeign;

    @Override
    public Integer call() {
        if ((name == null) != expired) {
            throw new RefusedException((name == null
                            ? "destroy needs the name of a cluster or --expired"
                            : "destroy has both the cluster " + name + " and --expired")
                    + ": write clusterwright destroy " + (name == null ? "NAME" : name)
                    + ", or clusterwright destroy --expired");
        }
        ClusterName named = name == null ? null : ClusterName.of(name);
        if (named != null && !StateStore.standard().clusters().contains(named)) {
            throw new RefusedException(unknown(named));
        }
        if (named == null) {
            ProgressPrinter progress = new ProgressPrinter();
            ClusterManager.list(StateStore.standard())
                    .forEach(cluster -> cluster.newer().ifPresent(progress::line));
        }
        Deletions done = new Deletions();
        for (Provider on : named == null ? List.of(Provider.values()) : List.of(providerOf(named))) {
            try (ClusterManager manager = manager(on, azure, SharedAzure.Want.DELETE)) {
                if (named != null) {
                    NodeChoice.warnOfJobs(manager, named, "destroy ends it", new ProgressPrinter());
                    done.add(destroy(manager, named, done.images(on)));
                } else {
                    expiredClusters(manager)
                            .forEach(each -> done.addOneOfMany(
                                    "cluster " + each, () -> destroy(manager, each, done.images(on))));
                }
            }
        }
        print(() -> done.addTo(new JsonFields()).and("images", List.copyOf(done.images.values())), () -> {
            done.print(out, "");
            if (done.left.isEmpty()) {
                out.println(done.deleted.isEmpty() ? "nothing to delete" : "nothing is left");
            }
        });
        return ExitCodes.ofDeletion(done.left.isEmpty());
    }

    private DestroyReport destroy(ClusterManager manager, ClusterName cluster, Consumer<StoredImage> images) {
        DestroyReport report = withForeign
                ? manager.destroyWithContents(cluster, new ProgressPrinter())
                : manager.destroy(cluster, new ProgressPrinter());
        report.images().forEach(images);
        return report;
    }

    /** The provider in the record. One that does not tell it has no id either, and is refused by any. */
    private static Provider providerOf(ClusterName cluster) {
        for (ClusterSummary record : ClusterManager.list(StateStore.standard())) {
            for (Provider on : Provider.values()) {
                if (record.name().equals(cluster) && record.provider().equals(on.toString())) {
                    return on;
                }
            }
        }
        return Provider.LOCAL;
    }

    /** The reason why nothing is deleted for a name without a record. */
    private String unknown(ClusterName cluster) {
        for (Provider on : reachable(azure)) {
            try (ClusterManager manager = manager(on, azure, SharedAzure.Want.DELETE)) {
                for (MarkedCluster found : manager.adoptable(cluster)) {
                    return "cluster " + cluster + " exists on " + on + " (" + found.place() + ") with id "
                            + found.id().id() + ", and the state folder " + StateStore.standardFolder()
                            + " has no record of it. It may belong to another user, so nothing was deleted. If it is yours,"
                            + " set CLUSTERWRIGHT_STATE to the state folder that created it, or run: clusterwright adopt "
                            + cluster + " --id " + found.id().id() + " --on " + on;
                }
            }
        }
        return "there is no cluster " + cluster + ", and no resource with its tag";
    }

    private static List<ClusterName> expiredClusters(ClusterManager manager) {
        Instant now = Instant.now();
        return manager.list().stream()
                .filter(cluster -> cluster.expires().map(now::isAfter).orElse(false))
                .map(ClusterSummary::name)
                .toList();
    }

    /** The resources that were deleted, and those that are left with the reason. */
    static final class Deletions {
        private final List<String> deleted = new ArrayList<>();
        final List<String> left = new ArrayList<>();
        private final Map<String, JsonFields> images = new LinkedHashMap<>();

        void add(DestroyReport report) {
            report.deleted().forEach(resource -> deleted.add(resource.toString()));
            report.left().forEach((resource, reason) -> left.add(resource + ": " + reason));
        }

        /** Takes the images that stay on a provider. */
        Consumer<StoredImage> images(Provider on) {
            return image -> {
                String command = "clusterwright image delete " + image.name() + " --on " + on;
                images.put(
                        image.name() + ", " + ImagesCommand.cost(image) + "; delete it: " + command,
                        JsonFields.of(image).and("delete", command));
            };
        }

        /** Adds what one of several deletions reports; one that fails leaves its subject, and the next ones go on. */
        void addOneOfMany(String subject, Supplier<DestroyReport> deletion) {
            try {
                add(deletion.get());
            } catch (OperationInterruptedException e) {
                throw e;
            } catch (ClusterwrightException e) {
                left.add(subject + ": " + e.getMessage());
            }
        }

        JsonFields addTo(JsonFields json) {
            return json.and("deleted", deleted).and("left", left);
        }

        void print(PrintStream out, String indent) {
            deleted.forEach(resource -> out.println(indent + "deleted " + resource));
            left.forEach(resource -> out.println(indent + "left    " + resource));
            images.keySet().forEach(image -> out.println(indent + "kept    image " + image));
        }
    }
}
