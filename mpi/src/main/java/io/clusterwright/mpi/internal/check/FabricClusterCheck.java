package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.mpi.bench.PingPongTable;
import io.clusterwright.mpi.check.FabricCheck;
import io.clusterwright.mpi.check.FabricReport;
import io.clusterwright.mpi.check.FabricTable;
import java.util.List;
import java.util.function.Consumer;

/** Measures the pairs of nodes that the description names: one, a ring or all. */
public final class FabricClusterCheck implements ClusterCheck {
    /** For {@link java.util.ServiceLoader}. */
    public FabricClusterCheck() {}

    @Override
    public String name() {
        return "fabric";
    }

    @Override
    public int order() {
        return 300;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.LINUX
                && spec.verify().fabric() != Verification.Fabric.NONE
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
            if (cluster.nodes().size() < 2) {
                return new CheckReport(
                        name(), CheckReport.Status.NOT_CHECKED, "there is only one node", List.of(), List.of());
            }
            progress.accept(PingPongTable.header());
            FabricReport report = FabricCheck.of(cluster.spec().verify().fabric())
                    .withoutHostnames()
                    .onFirstTable(row -> progress.accept(PingPongTable.format(row)))
                    .onPair(pair -> progress.accept(FabricTable.format(pair)))
                    .on(cluster)
                    .run(Checks.LIMIT);
            CheckReport.Status status = switch (report.verdict().status()) {
                case PASSED -> CheckReport.Status.PASSED;
                case FAILED -> CheckReport.Status.FAILED;
                case NOT_JUDGED -> report.acceptable() ? CheckReport.Status.NOT_JUDGED : CheckReport.Status.NOT_CHECKED;
            };
            return new CheckReport(
                    name(),
                    status,
                    report.kind() + " of " + report.nodes().size() + " nodes over " + report.transport() + ": "
                            + String.join("; ", report.verdict().reasons()),
                    FabricTable.of(report).lines().toList(),
                    report.findings());
        });
    }
}
