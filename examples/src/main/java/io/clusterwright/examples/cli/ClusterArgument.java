package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.RefusedException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The NAME of a command, and the provider that has this cluster. */
final class ClusterArgument {
    @Parameters(paramLabel = "NAME", description = "The cluster's name.")
    private String name = "";

    @Mixin
    private AzureOptions azure = new AzureOptions();

    /** The name, validated. */
    ClusterName name() {
        return ClusterName.parse(name);
    }

    /**
     * The manager that has the cluster; the caller closes it.
     *
     * @throws RefusedException when no provider has it; the message lists the clusters that exist
     */
    ClusterManager manager(CommonOptions common) {
        List<String> known = new ArrayList<>();
        for (CommonOptions.Provider on : CommonOptions.Provider.values()) {
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

    /** The record of the cluster in the state store. */
    ClusterSummary summary(ClusterManager manager) {
        return manager.list().stream()
                .filter(cluster -> cluster.name().equals(name()))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("cluster " + name + " is no longer in the state store"));
    }
}
