package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.options.RunningJobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that show a cluster, stop and start its nodes, or change their number. */
final class ClusterCommands {
    private ClusterCommands() {}

    @Command(name = "show", description = "Shows the nodes of a cluster, with addresses and states.")
    static final class Show extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            show(manager, name());
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "stop",
            description = "Stops the nodes of a cluster and keeps their disks. On Azure they are deallocated; disks and"
                    + " addresses stay billed.")
    static final class Stop extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            ProgressPrinter progress = new ProgressPrinter();
            RunningJobs.warn(manager, name(), "stop ends it", progress);
            manager.stop(name(), progress);
            show(manager, name());
            return ExitCodes.OK;
        }
    }

    @Command(name = "start", description = "Starts the nodes of a stopped cluster. On Azure they are billed again.")
    static final class Start extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            return change(manager, progress -> manager.start(name(), progress));
        }
    }

    @Command(name = "resize", description = "Grows or shrinks a cluster to COUNT nodes; the other nodes keep running.")
    static final class Resize extends ClusterCommand {
        @Parameters(index = "1", paramLabel = "COUNT", description = "Target node count.")
        private int count;

        @Option(
                names = "--replace-unreachable",
                description =
                        "Replace nodes that run and do not answer, with their disks; without it they are reported.")
        private boolean replaceUnreachable;

        @Override
        int run(ClusterManager manager) {
            CreateOptions standard = CreateOptions.standard();
            CreateOptions options = replaceUnreachable ? standard.replaceUnreachable() : standard;
            RunningJobs.warn(manager, name(), "nodes that resize removes are taken from it", new ProgressPrinter());
            return change(manager, progress -> manager.resize(name(), count, options.listener(progress)));
        }
    }
}
