package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.examples.emulator.SharedAzure;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Creates a cluster, or makes an existing one agree with its spec.")
final class CreateCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Parameters(paramLabel = "SPEC", description = SpecInput.HELP)
    private Path spec = Path.of("");

    @Option(names = "--on", required = true, paramLabel = "WHERE", description = "Where: ${COMPLETION-CANDIDATES}.")
    private Common.On on = Common.On.LOCAL;

    @Option(names = "--keep-on-failure", description = "Keep what was made when it fails, for a look.")
    private boolean keepOnFailure;

    @Option(names = "--fresh-image", description = "Make the image again although its recipe is unchanged.")
    private boolean freshImage;

    @Override
    public Integer call() {
        ClusterSpec description = SpecInput.read(spec);
        try (ClusterManager manager = common.manager(on, azure, SharedAzure.Want.MAKE)) {
            Plan plan = manager.plan(description);
            Verdicts verdicts = new Verdicts(common.progress());
            try (Cluster cluster = manager.create(plan, options().listener(verdicts))) {
                ClusterSummary summary = manager.list().stream()
                        .filter(one -> one.name().equals(cluster.name()))
                        .findFirst()
                        .orElseThrow();
                ShowCommand.print(common, summary, manager.states(summary.name()));
            }
            return verdicts.exitStatus();
        }
    }

    private CreateOptions options() {
        CreateOptions options = CreateOptions.standard();
        options = keepOnFailure ? options.keepOnFailure() : options;
        return freshImage ? options.freshImage() : options;
    }
}
