package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.options.AzureOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "create", description = "Creates a cluster, or converges an existing one to its spec.")
final class CreateCommand extends SpecCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(names = "--on", required = true, paramLabel = "WHERE", description = "Provider: ${COMPLETION-CANDIDATES}.")
    private Provider on = Provider.LOCAL;

    @Option(names = "--keep-on-failure", description = "Keep resources on failure, for debugging.")
    private boolean keepOnFailure;

    @Option(names = "--fresh-image", description = "Build the image again even if a cached one fits.")
    private boolean freshImage;

    @Option(
            names = "--replace-unreachable",
            description = "Replace nodes that run and do not answer, with their disks; without it they are reported.")
    private boolean replaceUnreachable;

    @Override
    public Integer call() {
        ClusterSpec description = spec();
        try (ClusterManager manager = manager(on, azure, SharedAzure.Want.MAKE)) {
            Plan plan = manager.plan(description);
            return change(manager, progress -> manager.create(plan, options().listener(progress)));
        }
    }

    private CreateOptions options() {
        CreateOptions options = CreateOptions.standard();
        options = keepOnFailure ? options.keepOnFailure() : options;
        options = replaceUnreachable ? options.replaceUnreachable() : options;
        return freshImage ? options.freshImage() : options;
    }
}
