package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Messages between neighbours, of 4 ranks that share cores: plain mpirun gets the settings that suit such ranks, the library none. The program measures
 * itself. Needs the compiler of Open MPI (Debian: libopenmpi-dev). Ranks of MPICH never yield, and its plain mpirun does not end in some runs.
 */
final class ExchangeGroup implements Group {
    private static final int RANKS = 4;
    private static final int EXCHANGES = 10_000;
    private static final String PROGRAM = """
            #include <mpi.h>
            #include <stdio.h>
            int main(int argc, char **argv) {
                static char out[1024], in[1024];
                int rank, size;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_size(MPI_COMM_WORLD, &size);
                MPI_Barrier(MPI_COMM_WORLD);
                double start = MPI_Wtime();
                for (int i = 0; i < %d; i++)
                    MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) %% size, 0,
                                 in, sizeof in, MPI_CHAR, (rank + size - 1) %% size, 0,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Barrier(MPI_COMM_WORLD);
                if (rank == 0) printf("seconds %%.6f\\n", MPI_Wtime() - start);
                MPI_Finalize();
                return 0;
            }
            """.formatted(EXCHANGES);

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("exchange", settings.nodes(RANKS))) {
            NodeTarget target = NodeTarget.of(JobTarget.of(local.cluster()));
            Optional<MpiInstallation> mpi = LaunchGroup.installed(target, MpiFlavour.OPEN_MPI);
            if (mpi.isPresent() && Peers.installed("mpicc.openmpi")) {
                measure(target, mpi.get(), settings, report);
            }
        }
    }

    private static void measure(NodeTarget target, MpiInstallation mpi, Settings settings, Report report)
            throws IOException, InterruptedException {
        NodeSession first = target.session(target.nodes().get(0).name());
        String program = "/tmp/exchange-" + mpi.flavour();
        compile(target, mpi, program);
        Command mpirun = plain(target, mpi, program).timeout(LaunchGroup.LIMIT);
        MpiJob job = MpiJob.of(program).ranksPerNode(1).installation(mpi);
        Rounds rounds = settings.rounds(30);
        Series plain = rounds.add(
                "mpirun", () -> milliseconds(first.run(mpirun).orThrow().stdout()));
        Series library = rounds.add(
                "library",
                () -> milliseconds(job.on(target)
                        .run(LaunchGroup.LIMIT)
                        .orThrow()
                        .outputTail()
                        .get(0)
                        .text()));
        rounds.measure();
        report.add("exchange", RANKS + " ranks, neighbours, " + mpi.flavour(), library, plain, Goal.ofPeer(1.05));
    }

    /** Compiles on every node, at the same place. */
    private static void compile(NodeTarget target, MpiInstallation mpi, String program) {
        String compiler = mpi.mpirun().replace("mpirun", "mpicc");
        for (LaunchNode node : target.nodes()) {
            NodeSession session = target.session(node.name());
            session.write(PROGRAM.getBytes(StandardCharsets.UTF_8), program + ".c", 0600);
            session.run(Command.of(compiler, "-O2", "-o", program, program + ".c"))
                    .orThrow();
        }
    }

    private static Command plain(NodeTarget target, MpiInstallation mpi, String program) {
        String hosts =
                target.nodes().stream().map(node -> node.address() + ":1").collect(Collectors.joining(","));
        String network = target.nodes().get(0).address() + "/22";
        String ranks = Integer.toString(RANKS);
        return Command.of(
                mpi.mpirun(),
                "--host",
                hosts,
                "-n",
                ranks,
                "--bind-to",
                "none",
                "--mca",
                "mpi_yield_when_idle",
                "1",
                "--mca",
                "btl_tcp_if_include",
                network,
                "--mca",
                "oob_tcp_if_include",
                network,
                program);
    }

    private static OptionalDouble milliseconds(String text) {
        return OptionalDouble.of(1e3 * Double.parseDouble(text.strip().split(" ")[1]));
    }
}
