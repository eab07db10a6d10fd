package io.clusterwright.examples;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A tool that creates clusters: it shows a plan first, follows the creation, grows the cluster, and leaves nothing behind, also when it
 * fails or is interrupted. {@code AzureMachines.connect(…)} instead of {@link LocalMachines} makes the same on Azure.
 */
public final class EmbeddedTool {
    private EmbeddedTool() {}

    /** Runs it on the spec named by the first argument. */
    public static void main(String[] arguments) {
        ClusterSpec spec = SpecReader.read(Path.of(arguments[0]));
        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create())) {
            run(clusters, spec);
        }
    }

    /** Creates the cluster, adds a node, and destroys it; returns the nodes that answered in between. */
    static NodeResults run(ClusterManager clusters, ClusterSpec spec) {
        Plan plan = clusters.plan(spec); // touches nothing
        System.out.println(plan.toText());
        if (!plan.isFeasible()) {
            throw new IllegalArgumentException("the plan has errors: correct the spec");
        }
        CreateOptions options =
                CreateOptions.standard().listener(EmbeddedTool::show).limit(Duration.ofHours(1));
        try (TemporaryCluster temporary = clusters.createTemporary(plan, options);
                Cluster larger =
                        clusters.resize(temporary.cluster().name(), spec.nodes().count() + 1, options)) {
            return larger.run(Command.of("uptime"));
        } // the cluster is destroyed here, also when resize or run threw
    }

    private static void show(ClusterEvent event) {
        if (event instanceof ClusterEvent.StepFinished step) {
            System.out.println(step.step() + " took " + step.took().toSeconds() + " s");
        } else if (event instanceof ClusterEvent.NodeChanged node) {
            System.out.println(List.of(node.node(), node.phase()));
        }
    }
}
