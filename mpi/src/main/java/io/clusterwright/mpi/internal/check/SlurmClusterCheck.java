package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.SlurmTarget;
import io.clusterwright.mpi.check.HostnameCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs one rank on every node through Slurm, and compares its limit of locked memory with that of a session. */
public final class SlurmClusterCheck implements ClusterCheck {
    /** For {@link java.util.ServiceLoader}. */
    public SlurmClusterCheck() {}

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public int order() {
        return 250;
    }

    @Override
    public boolean wanted(ClusterSpec spec) {
        return spec.scheduler() == Scheduler.SLURM
                && spec.verify().hostname()
                && spec.image().customize().mpi().isPresent();
    }

    @Override
    public boolean partOfCreate() {
        return true;
    }

    @Override
    public CheckReport run(Cluster cluster, Consumer<String> progress) {
        return Checks.guarded(this, () -> {
            SlurmTarget target = SlurmTarget.of(cluster);
            HostnameCheck.Report report = HostnameCheck.on(target).run(Checks.LIMIT);
            List<Finding> findings = new ArrayList<>(report.result().findings());
            if (!report.passed()) {
                String summary = report.silent().isEmpty()
                        ? "the run through Slurm did not go well"
                        : "no answer through Slurm from " + NodeSet.fold(report.silent());
                return new CheckReport(name(), CheckReport.Status.FAILED, summary, List.of(), findings);
            }
            List<Finding> limits = SlurmLimits.check(target, Checks.LIMIT);
            findings.addAll(limits);
            return new CheckReport(
                    name(),
                    limits.isEmpty() ? CheckReport.Status.PASSED : CheckReport.Status.FAILED,
                    limits.isEmpty()
                            ? "srun started one rank on each of "
                                    + report.answered().size()
                                    + " nodes, in one world, which may lock as much memory as a session"
                            : "ranks of " + limits.size() + " nodes may lock less memory than a session",
                    List.of(),
                    findings);
        });
    }
}
