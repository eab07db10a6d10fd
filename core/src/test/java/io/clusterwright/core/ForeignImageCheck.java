package io.clusterwright.core;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ClusterCheck;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A check of somebody else's that is about images, and answers as a test wants. */
public final class ForeignImageCheck implements ClusterCheck {
    static volatile CheckReport.@Nullable Status answer;

    @Override
    public String name() {
        return "foreign-image";
    }

    @Override
    public int order() {
        return 1;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return answer != null;
    }

    @Override
    public boolean partOfCreate() {
        return false;
    }

    @Override
    public boolean provesImage() {
        return true;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        CheckReport.Status status = answer == null ? CheckReport.Status.NOT_CHECKED : answer;
        String where = "on " + cluster.nodes().get(0).name();
        return new CheckReport(name(), status, where, List.of(), List.of());
    }
}
