package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.mpi.check.MemlockCheck;
import java.util.List;
import java.util.function.Consumer;

/** Proves the limits of locked memory, in sessions and inside mpirun. */
public final class MemlockClusterCheck implements ClusterCheck {
    /** For {@link java.util.ServiceLoader}. */
    public MemlockClusterCheck() {}

    @Override
    public String name() {
        return "memlock";
    }

    @Override
    public int order() {
        return 200;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.LINUX
                && !spec.image().customize().memlock().isEmpty();
    }

    @Override
    public boolean partOfCreate() {
        return true;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        return Checks.guarded(this, () -> {
            MemlockCheck.Report report = MemlockCheck.on(cluster).run(Checks.LIMIT);
            String summary = report.lowered()
                    ? report.highest() + " in force everywhere: the most this kernel allows (no CAP_SYS_RESOURCE)"
                    : "in force in every session and inside mpirun, as " + cluster.mpiUser() + " and as root";
            if (report.passed()) {
                return new CheckReport(name(), CheckReport.Status.PASSED, summary, List.of(), List.of());
            }
            List<String> broken = report.rows().stream()
                    .filter(row -> !row.holds())
                    .map(row -> row.node() + ": " + row.user() + " in "
                            + (row.place() == MemlockCheck.Place.MPIRUN ? "mpirun" : "an SSH session") + " has "
                            + (row.inForce().isEmpty() ? "no answer" : row.inForce()) + " instead of "
                            + (row.expected().isEmpty() ? "an answer" : row.expected()))
                    .toList();
            Finding finding = new Finding(
                    "CW-MEMLOCK-001",
                    Severity.ERROR,
                    "image.customize.memlock",
                    "the limit of locked memory is not in force everywhere",
                    "look at the files of /etc/security/limits.d on these nodes, and whether sshd has UsePAM yes");
            return new CheckReport(
                    name(), CheckReport.Status.FAILED, broken.size() + " limits do not hold", broken, List.of(finding));
        });
    }
}
