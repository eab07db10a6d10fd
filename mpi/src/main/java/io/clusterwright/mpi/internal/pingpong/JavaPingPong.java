package io.clusterwright.mpi.internal.pingpong;

import io.clusterwright.mpi.internal.pingpong.MpiLibrary.MpiUnavailableException;
import java.util.List;

/**
 * An MPI program in Java that measures a ping-pong over the system's own MPI library: MPICH and what follows its ABI
 * (Intel MPI, MVAPICH2), or Open MPI. It runs where Java is and no benchmark is installed:
 * {@code mpirun -n 2 java -cp JARS io.clusterwright.mpi.internal.pingpong.JavaPingPong --max 1048576}.
 *
 * <p>Its rows have the layout of NetPIPE's, after a line that says who wrote them: half of a round trip, the best mean
 * of three trials. It ends with status 0 after a complete table, 2 for a wrong option, and 3 when MPI cannot be used, the
 * job does not have two ranks, or a message arrived with other content than was sent.
 */
public final class JavaPingPong {
    private static final int USAGE = 2;
    private static final int FAILED = 3;

    private JavaPingPong() {}

    /** Runs as one of the two ranks. */
    public static void main(String[] arguments) {
        PingPongOptions options;
        try {
            options = PingPongOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("JavaPingPong: " + e.getMessage() + "\n" + PingPongOptions.USAGE);
            System.exit(USAGE);
            return;
        }
        System.exit(run(options));
    }

    private static int run(PingPongOptions options) {
        MpiLibrary mpi;
        try {
            mpi = MpiLibrary.load(
                    options.library().map(List::of).orElseGet(() -> MpiLibrary.candidates(System.getenv())));
            mpi.begin();
        } catch (MpiUnavailableException | LinkageError e) {
            System.err.println("JavaPingPong: " + e.getMessage());
            return FAILED;
        }
        try {
            measure(mpi, options);
        } catch (RuntimeException e) {
            System.err.println("JavaPingPong: " + (e instanceof MpiUnavailableException ? e.getMessage() : e));
            System.err.flush();
            mpi.abort(FAILED);
            return FAILED;
        }
        mpi.end();
        return 0;
    }

    private static void measure(MpiLibrary mpi, PingPongOptions options) {
        int size = mpi.size();
        if (size != 2) {
            throw new MpiUnavailableException("a ping-pong has 2 ranks and this job has " + size + " (" + mpi.version()
                    + "): start it with -n 2, and with the launcher of the same MPI");
        }
        int rank = mpi.rank();
        if (rank == 0) {
            System.out.println(
                    "# Clusterwright Java ping-pong over " + mpi.version() + "; rows as NetPIPE prints them");
        }
        new PingPong(mpi, options, rank).run(row -> {
            System.out.println(row);
            System.out.flush();
        });
    }
}
