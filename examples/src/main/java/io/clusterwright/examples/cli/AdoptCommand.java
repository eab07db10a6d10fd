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
                "Writes the record of a cluster that has none in this state folder, or a damaged one, from what the"
                        + " provider reports. Changes nothing there.")
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
                    "The spec that it was made from; without it that of a damaged record, or the nodes stay unknown.")
    private @Nullable Path spec;

    @Option(names = "--id", paramLabel = "ID", description = "The cluster's id, where several have the name.")
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
            throw new RefusedException("no cluster on " + place.on + " is named " + name
                    + " and has no record, or a damaged one, in this state folder; see: clusterwright list"
                    + " --untracked");
        }
        if (found.size() > 1) {
            throw new RefusedException("several clusters on " + place.on + " are named " + name + "; add one of "
                    + found.stream()
                            .map(one -> "--id " + one.id().id() + " (" + one.place() + ")")
                            .collect(Collectors.joining(", ")));
        }
        return found.get(0).id();
    }
}
