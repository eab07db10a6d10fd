package io.clusterwright.examples.crash;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ClusterCheck;
import java.util.List;
import java.util.function.Consumer;

/** The check of clusters in memory: each node answers. */
public final class AnswerCheck implements ClusterCheck {
    /** A check without settings. */
    public AnswerCheck() {}

    @Override
    public String name() {
        return "answers";
    }

    @Override
    public int order() {
        return 1;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return true;
    }

    @Override
    public boolean partOfCreate() {
        return true;
    }

    @Override
    public boolean provesImage() {
        return true;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        boolean all = cluster.run(Command.of("true")).failures().isEmpty();
        return new CheckReport(
                name(),
                all ? CheckReport.Status.PASSED : CheckReport.Status.FAILED,
                all ? "all nodes answer" : "a node does not answer",
                List.of(),
                List.of());
    }
}
