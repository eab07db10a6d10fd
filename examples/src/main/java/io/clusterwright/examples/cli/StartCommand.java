package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "start", description = "Starts the nodes of a stopped cluster. On Azure they are billed again.")
final class StartCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            ProgressPrinter progress = common.progress();
            try (Cluster started = manager.start(cluster.name(), progress)) {
                ShowCommand.print(common, cluster.summary(manager), manager.states(started.name()));
            }
            return ExitCodes.ofVerdict(progress.checksPassed());
        }
    }
}
