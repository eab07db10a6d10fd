package io.clusterwright.mpi.internal.verify;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.CheckReport.Status;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.MemlockCheck;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.SlurmTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The checks that creating and verifying a cluster run, found through {@link java.util.ServiceLoader}. */
public final class ClusterChecks {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private ClusterChecks() {}

    /** A check that cannot run says why and is not a pass; one that is interrupted is no report at all. */
    private abstract static class NodeCheck implements ClusterCheck {
        private final String name;
        private final int order;

        NodeCheck(String name, int order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public final String name() {
            return name;
        }

        @Override
        public final int order() {
            return order;
        }

        @Override
        public boolean partOfCreate() {
            return true;
        }

        @Override
        public final CheckReport run(Cluster cluster, Consumer<String> progress) {
            try {
                return check(cluster, progress);
            } catch (ClusterwrightException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                return report(Status.NOT_CHECKED, "could not run: " + e.getMessage(), List.of());
            }
        }

        abstract CheckReport check(Cluster cluster, Consumer<String> progress);

        final CheckReport report(Status status, String summary, List<Finding> findings) {
            return new CheckReport(name, status, summary, List.of(), findings);
        }

        static Status passed(boolean passed) {
            return passed ? Status.PASSED : Status.FAILED;
        }

        static boolean onLinux(ClusterSpec spec) {
            return spec.operatingSystem() == OperatingSystem.LINUX;
        }

        /** Whether the nodes get an MPI: an MPI that is installed, or the MPIs of their image. */
        static boolean hasMpi(ClusterSpec spec) {
            return spec.image().customize().mpi().isPresent()
                    || Images.standard()
                            .find(SizeDefaults.baseImage(spec, VmSizes.standard()))
                            .flatMap(ImageFacts::mpi)
                            .orElse(false);
        }
    }

    /** Runs one rank on every node. */
    public static final class OfHostnames extends NodeCheck {
        public OfHostnames() {
            super("hostname", 100);
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return onLinux(spec) && spec.verify().hostname() && hasMpi(spec);
        }

        @Override
        public boolean provesImage() {
            return true;
        }

        @Override
        CheckReport check(Cluster cluster, Consumer<String> progress) {
            HostnameCheck.Report report =
                    HostnameCheck.on(JobTarget.of(cluster)).run(LIMIT);
            String summary = report.succeeded()
                    ? "one rank on each of " + report.answered().size() + " nodes answered, all in one job ("
                            + report.result().mpi() + ")"
                    : silence(report.silent(), "");
            return report(passed(report.succeeded()), summary, report.result().findings());
        }
    }

    private static String silence(List<NodeName> silent, String way) {
        return silent.isEmpty() ? "the run" + way + " failed" : "no answer" + way + " from " + NodeSet.fold(silent);
    }

    /** Proves the limits of locked memory, in sessions and inside mpirun. */
    public static final class OfMemlock extends NodeCheck {
        public OfMemlock() {
            super("memlock", 200);
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return onLinux(spec) && !spec.image().customize().memlock().isEmpty();
        }

        @Override
        CheckReport check(Cluster cluster, Consumer<String> progress) {
            MemlockCheck.Report report = MemlockCheck.on(cluster).run(LIMIT);
            if (report.succeeded()) {
                String summary = report.lowered()
                        ? report.highest()
                                + " in force on every node: the highest limit of this machine (no CAP_SYS_RESOURCE)"
                        : "in force in every session, and inside mpirun as " + cluster.mpiUser();
                return report(Status.PASSED, summary, List.of());
            }
            List<String> broken = report.rows().stream()
                    .filter(row -> !row.holds())
                    .map(row -> row.node() + ": " + row.user() + " in "
                            + (row.insideMpi() ? "mpirun" : "an SSH session") + " has "
                            + (row.inForce().isEmpty() ? "no answer" : row.inForce()) + " instead of "
                            + (row.expected().isEmpty() ? "an answer" : row.expected()))
                    .toList();
            return new CheckReport(
                    name(),
                    Status.FAILED,
                    broken.size() + " limits are not in force",
                    broken,
                    List.of(MpiFinding.MEMLOCK_NOT_IN_FORCE.at("image.customize.memlock")));
        }
    }

    /** Looks at the interfaces of nodes whose RDMA network is eth1: the driver owns it, and there is no IP over InfiniBand. */
    public static final class OfInterfaces extends NodeCheck {
        public OfInterfaces() {
            super("interfaces", 150);
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return onLinux(spec)
                    && VmSizes.standard()
                            .ofNodes(spec)
                            .filter(size -> size.interconnect() == Interconnect.NETWORK_DIRECT)
                            .isPresent();
        }

        /** Local nodes have no RDMA network, whatever their size is called. */
        @Override
        public boolean wantedOn(Cluster cluster) {
            return wanted(cluster.spec()) && cluster.interconnect() == Interconnect.NETWORK_DIRECT;
        }

        @Override
        CheckReport check(Cluster cluster, Consumer<String> progress) {
            RdmaInterfaces.Report found = RdmaInterfaces.of(cluster);
            if (!found.problems().isEmpty()) {
                return new CheckReport(
                        name(),
                        Status.FAILED,
                        "the configuration of network interfaces does not fit RDMA",
                        found.problems(),
                        List.of());
            }
            return report(Status.PASSED, found.summary(), List.of());
        }
    }

    /** Runs one rank on every node through Slurm, and compares its limit of locked memory with the limit of a session. */
    public static final class OfSlurm extends NodeCheck {
        public OfSlurm() {
            super("slurm", 250);
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return spec.scheduler() == Scheduler.SLURM && spec.verify().hostname() && hasMpi(spec);
        }

        @Override
        CheckReport check(Cluster cluster, Consumer<String> progress) {
            SlurmTarget target = SlurmTarget.of(cluster);
            HostnameCheck.Report report = HostnameCheck.on(target).run(LIMIT);
            List<Finding> findings = new ArrayList<>(report.result().findings());
            if (!report.succeeded()) {
                return report(Status.FAILED, silence(report.silent(), " through Slurm"), findings);
            }
            List<Finding> limits = MemlockCheck.lessUnderSlurm(target, LIMIT);
            findings.addAll(limits);
            return report(
                    passed(limits.isEmpty()),
                    limits.isEmpty()
                            ? "srun started one rank on each of "
                                    + report.answered().size()
                                    + " nodes, all in one job, which may lock as much memory as a session"
                            : "ranks of " + limits.size() + " nodes may lock less memory than a session",
                    findings);
        }
    }

    /** Measures the pairs of nodes that the spec names: one, a ring or all. */
    public static final class OfFabric extends NodeCheck {
        public OfFabric() {
            super("fabric", 300);
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return onLinux(spec)
                    && spec.verify().fabric() != Verification.Fabric.NONE
                    && spec.nodes().count() > 1
                    && hasMpi(spec);
        }

        @Override
        public boolean partOfCreate() {
            return false;
        }

        @Override
        CheckReport check(Cluster cluster, Consumer<String> progress) {
            if (cluster.computeNodes().size() < 2) {
                return report(Status.NOT_CHECKED, "there is only one node", List.of());
            }
            progress.accept(FabricCheck.firstTableHeader());
            FabricReport report = FabricCheck.on(cluster)
                    .pairs(cluster.spec().verify().fabric())
                    .withoutHostnames()
                    .onFirstTable(row -> progress.accept(row.toPingPongLine()))
                    .onPair(pair -> progress.accept(pair.toRow()))
                    .run(LIMIT);
            Status status = switch (report.verdict().status()) {
                case PASSED -> Status.PASSED;
                case FAILED -> Status.FAILED;
                case NOT_JUDGED -> report.succeeded() ? Status.NOT_JUDGED : Status.NOT_CHECKED;
            };
            return new CheckReport(
                    name(),
                    status,
                    report.kind() + " of " + report.nodes().size() + " nodes over " + report.transport() + ": "
                            + String.join("; ", report.verdict().reasons()),
                    report.toTable().lines().toList(),
                    report.findings());
        }
    }
}
