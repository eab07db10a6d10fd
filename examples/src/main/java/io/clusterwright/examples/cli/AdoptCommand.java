package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "adopt",
        description =
                "Takes over a cluster that this state folder does not know (or whose record is damaged). The cluster"
                        + " itself is not changed.")
final class AdoptCommand extends ProgramCommand {
    @Mixin
    private Place place = new Place();

    @Parameters(index = "0", paramLabel = "NAME", description = "The cluster's name.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SPEC",
            description =
                    "The spec of the cluster. Default: the spec in the damaged record; without both, the nodes stay unknown.")
    private @Nullable Path spec;

    @Option(names = "--id", paramLabel = "ID", description = "The cluster's id, if several clusters have the name.")
    private @Nullable String id;

    @Override
    public Integer call() {
        ClusterName cluster = ClusterName.of(name);
        try (ClusterManager manager = place.manager(SharedAzure.Want.ASK)) {
            ClusterId found = id == null ? only(manager.adoptable(cluster)) : new ClusterId(cluster, id);
            ProgressPrinter progress = new ProgressPrinter();
            ClusterSummary adopted = spec == null
                    ? manager.adopt(found, progress)
                    : manager.adopt(found, SpecReader.read(spec), progress);
            return show(manager, adopted.name());
        }
    }

    private ClusterId only(List<MarkedCluster> found) {
        if (found.isEmpty()) {
            throw new RefusedException(place.on + " has no untracked cluster " + name
                    + ", and no cluster of that name with a damaged record; run: clusterwright list"
                    + " --untracked");
        }
        if (found.size() > 1) {
            throw new RefusedException(place.on + " has several clusters named " + name + "; add one of "
                    + found.stream()
                            .map(one -> "--id " + one.id().id() + " (" + one.place() + ")")
                            .collect(Collectors.joining(", ")));
        }
        return found.get(0).id();
    }
}
