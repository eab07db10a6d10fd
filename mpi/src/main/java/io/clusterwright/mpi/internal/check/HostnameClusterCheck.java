package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.check.HostnameCheck;
import java.util.List;
import java.util.function.Consumer;

/** Runs one rank on every node. */
public final class HostnameClusterCheck implements ClusterCheck {
    /** For {@link java.util.ServiceLoader}. */
    public HostnameClusterCheck() {}

    @Override
    public String name() {
        return "hostname";
    }

    @Override
    public int order() {
        return 100;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.LINUX
                && spec.verify().hostname()
                && spec.image().customize().mpi().isPresent();
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
        return Checks.guarded(this, () -> {
            HostnameCheck.Report report =
                    HostnameCheck.on(JobTarget.of(cluster)).run(Checks.LIMIT);
            String summary = report.passed()
                    ? "one rank on each of " + report.answered().size() + " nodes answered, in one world ("
                            + report.result().mpi() + ")"
                    : report.silent().isEmpty()
                            ? "the run did not go well"
                            : "no answer from " + NodeSet.fold(report.silent());
            return new CheckReport(
                    name(),
                    report.passed() ? CheckReport.Status.PASSED : CheckReport.Status.FAILED,
                    summary,
                    List.of(),
                    report.result().findings());
        });
    }
}
