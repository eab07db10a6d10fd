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
                "Stops the nodes of a cluster and keeps their disks. On Azure they are deallocated; disks and addresses stay billed.")
final class StopCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

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
