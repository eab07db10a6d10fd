package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The MPI job {@code hostname} on every node of a cluster with Slurm: by srun, the library and the program. Every answer is counted. */
final class SlurmGroup implements Group {
    private static final int WARM = 5;

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("slurm", settings, "scheduler: slurm\n")) {
            NodeTarget target = NodeTarget.of(JobTarget.of(local.cluster()));
            Optional<MpiInstallation> mpi = LaunchGroup.installed(target, MpiFlavour.OPEN_MPI);
            if (mpi.isEmpty()) {
                return;
            }
            int size = target.nodes().size();
            NodeSession first = target.session(target.nodes().get(0).name());
            List<String> srun = List.of("srun", "--mpi=pmix", "-N", "" + size, "-n", "" + size, "hostname");
            MpiJob job = MpiJob.of("hostname").ranksPerNode(1).installation(mpi.get());
            for (int i = 0; i < WARM; i++) {
                byLibrary(job, target, size);
            }
            Peers peers = local.peers();
            Rounds rounds = settings.rounds(60);
            Series session = rounds.add("srun, session", () -> {
                long lines = first.run(Command.of(srun).timeout(LaunchGroup.LIMIT)).orThrow().stdout().lines().count();
                if (lines != size) {
                    throw new IllegalStateException("srun printed " + lines + " lines");
                }
            });
            Series library = rounds.add("library", () -> byLibrary(job, target, size));
            String ssh = "exec ssh -F " + settings.folder().resolve("ssh_config") + " " + local.user() + "@"
                    + target.nodes().get(0).name() + " " + String.join(" ", srun);
            Series bySsh = rounds.add("srun, ssh", () -> peers.run(LaunchGroup.LIMIT, size, List.of("sh", "-c", ssh)));
            Series program = rounds.add(
                    "program",
                    () -> peers.run(
                            LaunchGroup.LIMIT,
                            size,
                            List.of(
                                    Settings.examples().resolve("clusterwright").toString(),
                                    "mpi",
                                    local.name(),
                                    "--ppn",
                                    "1",
                                    "--",
                                    "hostname")));
            rounds.measure();
            report.add("slurm", "hostname through Slurm, library", library, session, Goal.ofPeer(1.3));
            report.add("slurm", "hostname through Slurm, program mpi", program, bySsh, Goal.ofPeer(1.3));
        }
    }

    private static void byLibrary(MpiJob job, JobTarget target, int size) {
        JobResult result = job.on(target).run(LaunchGroup.LIMIT).orThrow();
        if (result.outputTail().size() != size || !result.isClean()) {
            throw new IllegalStateException("not every node answered, or something was left: " + result);
        }
    }
}
