package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.RefusedException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command about a cluster that exists, on the provider that has it. */
abstract class ClusterCommand extends ProgramCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The cluster's name.")
    private String name = "";

    @Mixin
    private AzureOptions azure = new AzureOptions();

    /** Does the work; returns the exit status. */
    abstract int run(ClusterManager manager);

    @Override
    public Integer call() {
        try (ClusterManager manager = manager()) {
            return run(manager);
        }
    }

    /** The name, validated. */
    final ClusterName name() {
        return ClusterName.parse(name);
    }

    /** The manager that has the cluster; refuses where no provider has it, listing the clusters that exist. */
    private ClusterManager manager() {
        List<String> known = new ArrayList<>();
        for (Provider on : Provider.values()) {
            ClusterManager manager = manager(on, azure, SharedAzure.Want.USE);
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
}
