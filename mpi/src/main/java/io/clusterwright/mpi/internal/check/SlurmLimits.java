package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.Command;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobFailedException;
import io.clusterwright.mpi.MpiNotFoundException;
import io.clusterwright.mpi.SlurmTarget;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares how much memory a rank under Slurm may lock with what the same user has in an SSH session. Ranks inherit the limits of
 * slurmd, which no {@code limits.conf} touches, so that RDMA can fail under Slurm only.
 */
public final class SlurmLimits {
    private SlurmLimits() {}

    /**
     * Runs a job of one rank on each node, at most this long, and looks at its limits.
     *
     * @return one finding {@code CW-MPI-041} for each node whose ranks may lock less than a session; empty when all is well
     * @throws JobFailedException when the job did not succeed
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    public static List<Finding> check(SlurmTarget slurm, Duration limit) {
        MemlockInsideMpi.Report report = MemlockInsideMpi.on(slurm).run(limit);
        NodeTarget target = NodeTarget.of(slurm);
        report.result().orThrow();
        List<Finding> findings = new ArrayList<>();
        for (LaunchNode node : target.nodes()) {
            Optional<MemlockLimit> rank =
                    Optional.ofNullable(report.limits().get(node.name())).flatMap(MemlockInsideMpi.Limits::user);
            Optional<MemlockLimit> session = inSession(target, node.name());
            if (rank.isPresent() && session.isPresent() && !rank.get().covers(session.get())) {
                findings.add(MpiFinding.lessUnderSlurm(node.name(), rank.get(), session.get()));
            }
        }
        return List.copyOf(findings);
    }

    private static Optional<MemlockLimit> inSession(NodeTarget target, NodeName node) {
        return MemlockInsideMpi.limit(target.session(node)
                .run(Command.of("/bin/sh", "-c", "ulimit -l"))
                .orThrow()
                .stdout());
    }
}
