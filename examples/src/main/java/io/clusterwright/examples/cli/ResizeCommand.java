package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "resize", description = "Grows or shrinks a cluster to COUNT nodes; the other nodes keep running.")
final class ResizeCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Parameters(index = "1", paramLabel = "COUNT", description = "Target node count.")
    private int count;

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            ProgressPrinter progress = common.progress();
            try (Cluster resized = manager.resize(
                    cluster.name(), count, CreateOptions.standard().listener(progress))) {
                ShowCommand.print(common, cluster.summary(manager), manager.states(resized.name()));
            }
            return ExitCodes.ofVerdict(progress.checksPassed());
        }
    }
}
