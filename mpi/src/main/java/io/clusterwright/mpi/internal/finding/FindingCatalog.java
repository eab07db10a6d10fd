package io.clusterwright.mpi.internal.finding;

import static io.clusterwright.core.plan.Severity.ERROR;
import static io.clusterwright.core.plan.Severity.INFO;
import static io.clusterwright.core.plan.Severity.WARNING;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import java.util.List;

/** The table of findings that jobs, benchmarks and checks report while they run. */
public final class FindingCatalog {
    private static final List<FindingKind> JOBS = List.of(
            mpi("001", ERROR, "a process could not be started on a node", "install the same MPI on every node"),
            mpi("002", INFO, "several MPIs are installed", "name the one the program was built with"),
            mpi(
                    "003",
                    WARNING,
                    "processes of a job outlived its launcher",
                    "look for what the job starts in the background"),
            mpi("004", ERROR, "processes of a job could not be ended", "restart the node"),
            mpi(
                    "005",
                    WARNING,
                    "whether processes of a job still run is not known",
                    "look at the node when it can be reached"),
            mpi("006", ERROR, "the ranks run as separate jobs", "use the mpirun of the MPI the program was built with"),
            mpi("007", ERROR, "no rank answered from a node", "log in to it from the launch node by hand"),
            mpi("008", ERROR, "a benchmark was built for another MPI", "install the benchmark of the MPI that is used"),
            mpi("009", ERROR, "ranks answered from strange hosts", "check that each node's host name is its own"),
            mpi("010", WARNING, "the preset is for other versions of the MPI", "use preset auto"),
            mpi("011", INFO, "the preset is replaced by another", "nothing to do where that is meant"),
            mpi("020", ERROR, "the launch node was lost", "see whether the node is up, and start the job again"),
            mpi(
                    "021",
                    WARNING,
                    "a program printed its table and did not end",
                    "use MPICH 4.2 or later; the table is good"),
            mpi("022", INFO, "a program may have done its work and not ended", "use MPICH 4.2 or later, or Open MPI"),
            mpi("024", WARNING, "a launcher ended and said nothing", "start it on the launch node by hand"),
            mpi("060", ERROR, "a scheduler says that a job did not end well", "see the job's output"),
            mpi(
                    "061",
                    WARNING,
                    "whether a job of a scheduler has ended is not known",
                    "look at the job at the scheduler"),
            mpi("062", ERROR, "a scheduler does not answer any more", "look at the job when it answers again"));

    private static final List<FindingKind> BENCHMARKS = List.of(
            bench("001", WARNING, "a rate is in another unit than its title says", "trust bytesPerSecond"),
            bench("002", WARNING, "a row is incomplete and was left out", "look for a run that was cut short"),
            bench("003", WARNING, "a row contradicts itself and was left out", "look for other output in the table"),
            bench("004", WARNING, "a row is out of order and was left out", "look for other output in the table"),
            bench("005", ERROR, "a benchmark had too few processes", "use the mpirun of the MPI it was built with"),
            bench("006", WARNING, "a benchmark gave up at a size", "give it more time"),
            bench("007", ERROR, "a benchmark found wrong data", "do not trust this fabric"),
            bench("008", WARNING, "the columns of a table are not known", "look for other output in the titles"),
            bench(
                    "009",
                    INFO,
                    "the format of mpipingpong is not published",
                    "compare with the text before relying on it"));

    private static final FindingKind MEMLOCK = new FindingKind(
            "CW-MEMLOCK-001",
            ERROR,
            "the limit of locked memory is not in force everywhere",
            "look at /etc/security/limits.d on these nodes, and whether sshd has UsePAM yes");

    private FindingCatalog() {}

    public static List<FindingKind> jobs() {
        return JOBS;
    }

    public static List<FindingKind> benchmarks() {
        return BENCHMARKS;
    }

    public static FindingKind memlock() {
        return MEMLOCK;
    }

    private static FindingKind mpi(String number, Severity severity, String subject, String remedy) {
        return new FindingKind("CW-MPI-" + number, severity, subject, remedy);
    }

    private static FindingKind bench(String number, Severity severity, String subject, String remedy) {
        return new FindingKind("CW-BENCH-" + number, severity, subject, remedy);
    }
}
