package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.emulator.SharedAzure;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A cluster named on the command line, on whichever provider it is. */
final class ClusterArgument {
    @Parameters(paramLabel = "NAME", description = "The cluster's name.")
    private String name = "";

    @Mixin
    private AzureOptions azure = new AzureOptions();

    /** The name as it was typed, when it can be one. */
    ClusterName name() {
        return ClusterName.parse(name);
    }

    /**
     * The manager that knows the cluster; the caller closes it.
     *
     * @throws RefusedException when no provider knows it, naming the clusters there are
     */
    ClusterManager manager(Common common) {
        List<String> known = new ArrayList<>();
        for (Common.On on : Common.On.values()) {
            ClusterManager manager = common.manager(on, azure, SharedAzure.Want.USE);
            List<ClusterName> names =
                    manager.list().stream().map(ClusterSummary::name).toList();
            if (names.contains(name())) {
                return manager;
            }
            manager.close();
            names.forEach(each -> known.add(each.value()));
        }
        throw new RefusedException("no cluster is named " + name + ": "
                + (known.isEmpty() ? "there is none; create one first" : "there is " + String.join(", ", known)));
    }

    /** What the state store knows of the cluster. */
    ClusterSummary summary(ClusterManager manager) {
        return manager.list().stream()
                .filter(cluster -> cluster.name().equals(name()))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("cluster " + name + " vanished from the state store"));
    }
}
