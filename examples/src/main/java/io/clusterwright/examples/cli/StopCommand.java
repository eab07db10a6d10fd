package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.examples.console.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "stop",
        description =
                "Stops a cluster's nodes and keeps their disks; on Azure they are deallocated, and only disks and addresses billed.")
final class StopCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            ClusterSummary summary = manager.stop(cluster.name(), common.progress());
            ShowCommand.print(common, summary, manager.states(summary.name()));
            return ExitCodes.OK;
        }
    }
}
