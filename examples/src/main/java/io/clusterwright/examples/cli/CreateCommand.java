package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "create", description = "Creates a cluster, or converges an existing one to its spec.")
final class CreateCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Mixin
    private SpecArgument spec = new SpecArgument();

    @Option(names = "--on", required = true, paramLabel = "WHERE", description = "Provider: ${COMPLETION-CANDIDATES}.")
    private CommonOptions.Provider on = CommonOptions.Provider.LOCAL;

    @Option(names = "--keep-on-failure", description = "Keep resources on failure, for debugging.")
    private boolean keepOnFailure;

    @Option(names = "--fresh-image", description = "Build the image again even if a cached one fits.")
    private boolean freshImage;

    @Override
    public Integer call() {
        ClusterSpec description = spec.read();
        try (ClusterManager manager = common.manager(on, azure, SharedAzure.Want.MAKE)) {
            Plan plan = manager.plan(description);
            ProgressPrinter progress = common.progress();
            try (Cluster cluster = manager.create(plan, options().listener(progress))) {
                ClusterSummary summary = manager.list().stream()
                        .filter(one -> one.name().equals(cluster.name()))
                        .findFirst()
                        .orElseThrow();
                ShowCommand.print(common, summary, manager.states(summary.name()));
            }
            return ExitCodes.ofVerdict(progress.checksPassed());
        }
    }

    private CreateOptions options() {
        CreateOptions options = CreateOptions.standard();
        options = keepOnFailure ? options.keepOnFailure() : options;
        return freshImage ? options.freshImage() : options;
    }
}
