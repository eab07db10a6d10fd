package io.clusterwright.examples.cli;

import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.event.ClusterEvent;
import io.clusterwright.core.event.ClusterListener;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.manager.ClusterSummary;
import io.clusterwright.core.manager.CreateOptions;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.CheckReport;
import io.clusterwright.examples.console.Explanation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
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
        try (ClusterManager manager = common.manager(on, azure)) {
            Plan plan = manager.plan(description);
            AtomicBoolean bad = new AtomicBoolean();
            ClusterListener progress = common.progress();
            CreateOptions options = new CreateOptions(keepOnFailure, freshImage, true);
            try (Cluster cluster = manager.create(plan, options, event -> {
                progress.onEvent(event);
                if (event instanceof ClusterEvent.Checked checked
                        && checked.report().status() == CheckReport.Status.FAILED) {
                    bad.set(true);
                }
            })) {
                ClusterSummary summary = manager.list().stream()
                        .filter(one -> one.name().equals(cluster.name()))
                        .findFirst()
                        .orElseThrow();
                if (common.json) {
                    common.print(Descriptions.cluster(summary));
                } else {
                    ShowCommand.print(common, summary, manager.states(summary.name()));
                }
            }
            return bad.get() ? Explanation.BAD_VERDICT : Explanation.OK;
        }
    }
}
