package io.clusterwright.examples.cli;

import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "resize", description = "Makes a cluster have COUNT nodes; the others are left alone.")
final class ResizeCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Parameters(index = "1", paramLabel = "COUNT", description = "How many nodes it shall have.")
    private int count;

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            Verdicts verdicts = new Verdicts(common.progress());
            try (Cluster resized = manager.resize(cluster.name(), count, CreateOptions.standard().listener(verdicts))) {
                ShowCommand.print(common, cluster.summary(manager), manager.states(resized.name()));
            }
            return verdicts.exitStatus();
        }
    }
}
