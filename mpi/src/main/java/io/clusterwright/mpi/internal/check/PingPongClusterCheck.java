package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.CheckReport;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.mpi.LaunchTarget;
import io.clusterwright.mpi.PingPongCheck;
import io.clusterwright.mpi.PingPongReport;
import io.clusterwright.mpi.bench.PingPongTable;
import java.util.List;
import java.util.function.Consumer;

/** Measures the way between the first two nodes. */
public final class PingPongClusterCheck implements ClusterCheck {
    /** For {@link java.util.ServiceLoader}. */
    public PingPongClusterCheck() {}

    @Override
    public String name() {
        return "ping-pong";
    }

    @Override
    public int order() {
        return 300;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return spec.verify().fabric() != Verification.Fabric.NONE
                && spec.nodes().count() > 1
                && spec.image().customize().mpi().isPresent();
    }

    @Override
    public boolean partOfCreate() {
        return false;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        return Checks.guarded(this, () -> {
            progress.accept(PingPongTable.header());
            PingPongReport report = PingPongCheck.on(LaunchTarget.of(cluster))
                    .onRow(row -> progress.accept(PingPongTable.format(row)))
                    .run(Checks.LIMIT);
            CheckReport.Status status = !report.measured()
                    ? CheckReport.Status.FAILED
                    : switch (report.verdict().status()) {
                        case PASSED -> CheckReport.Status.PASSED;
                        case FAILED -> CheckReport.Status.FAILED;
                        case NOT_JUDGED -> CheckReport.Status.NOT_JUDGED;
                    };
            String pair = report.nodes().get(0) + " and " + report.nodes().get(1) + ": ";
            return new CheckReport(
                    name(),
                    status,
                    pair + String.join("; ", report.verdict().reasons()),
                    List.of(),
                    report.result().findings());
        });
    }
}
