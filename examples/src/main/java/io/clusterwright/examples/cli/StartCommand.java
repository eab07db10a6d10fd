package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "start", description = "Brings the nodes of a stopped cluster back; on Azure, they are billed again.")
final class StartCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            Verdicts verdicts = new Verdicts(common.progress());
            try (Cluster started = manager.start(cluster.name(), verdicts)) {
                ShowCommand.print(common, cluster.summary(manager), manager.states(started.name()));
            }
            return verdicts.exitStatus();
        }
    }
}
