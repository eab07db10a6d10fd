package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The MPI job {@code hostname} on every node, the whole call: plain mpirun over one session with its ssh, and the library over its sessions.
 * Every answer is counted, and every node is searched for leftovers.
 */
final class LaunchGroup implements Group {
    static final Duration LIMIT = Duration.ofMinutes(1);

    private static final int WARM = 10;

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("launch", settings)) {
            NodeTarget target = NodeTarget.of(JobTarget.of(local.cluster()));
            for (Map.Entry<MpiFlavour, Goal> goal : Map.of(
                            MpiFlavour.MPICH, Goal.faster(12), MpiFlavour.OPEN_MPI, Goal.faster(4))
                    .entrySet()) {
                Optional<MpiInstallation> mpi = installed(target, goal.getKey());
                if (mpi.isPresent()) {
                    measure(target, mpi.get(), settings, report, goal.getValue());
                }
            }
        }
    }

    /** An MPI of the nodes; where there is none, it is named as missing. */
    static Optional<MpiInstallation> installed(NodeTarget target, MpiFlavour flavour) {
        Peers.installed(flavour == MpiFlavour.MPICH ? "mpirun.mpich" : "mpirun.openmpi");
        return MpiInstallation.on(target.session(target.nodes().get(0).name())).stream()
                .filter(found -> found.flavour() == flavour)
                .findFirst();
    }

    private static void measure(NodeTarget target, MpiInstallation mpi, Settings settings, Report report, Goal goal)
            throws IOException, InterruptedException {
        NodeSession first = target.session(target.nodes().get(0).name());
        String hosts = target.nodes().stream()
                .map(LaunchNode::address)
                .map(address -> address + ":1")
                .collect(Collectors.joining(","));
        int size = target.nodes().size();
        Command mpirun = Command.of(
                        mpi.mpirun(),
                        mpi.isOpenMpi() ? "--host" : "-hosts",
                        hosts,
                        "-n",
                        Integer.toString(size),
                        "hostname")
                .timeout(LIMIT);
        MpiJob job = MpiJob.of("hostname").ranksPerNode(1).installation(mpi).launchOverSessions();
        for (int i = 0; i < WARM; i++) {
            byLibrary(job, target, size);
        }
        Rounds rounds = settings.rounds(60);
        Series plain = rounds.add("mpirun", () -> {
            long lines = first.run(mpirun).orThrow().stdout().lines().count();
            if (lines != size) {
                throw new IllegalStateException("mpirun printed " + lines + " lines");
            }
        });
        Series library = rounds.add("library", () -> byLibrary(job, target, size));
        rounds.measure();
        report.add("launch", mpi.flavour() + " hostname over sessions", library, plain, goal);
    }

    private static void byLibrary(MpiJob job, JobTarget target, int size) {
        JobResult result = job.on(target).run(LIMIT).orThrow();
        if (result.outputTail().size() != size || !result.isClean()) {
            throw new IllegalStateException("not every node answered, or something was left: " + result);
        }
    }
}
