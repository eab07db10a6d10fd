package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.examples.options.AzureOptions;
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
        try (ClusterManager manager = managerOf(name(), azure)) {
            return run(manager);
        }
    }

    /** The name, validated. */
    final ClusterName name() {
        return ClusterName.of(name);
    }
}
