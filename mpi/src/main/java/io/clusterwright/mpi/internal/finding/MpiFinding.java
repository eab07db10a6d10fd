package io.clusterwright.mpi.internal.finding;

import static io.clusterwright.core.plan.Severity.ERROR;
import static io.clusterwright.core.plan.Severity.INFO;
import static io.clusterwright.core.plan.Severity.WARNING;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The findings that jobs, benchmarks and checks report while they run. In a message {@code %s} stands for what differs. */
public enum MpiFinding {
    LAUNCH_FAILED("CW-MPI-001", ERROR, "%s", "install the same MPI at the same path on every node"),
    SEVERAL_INSTALLED(
            "CW-MPI-002", INFO, "%s; using %s", "name the one the program was built with: image.customize.mpi.flavour"),
    LEFT_BEHIND(
            "CW-MPI-003",
            WARNING,
            "%s processes of the job still ran on %s after its launcher had ended",
            "look for programs that the job starts in the background"),
    COULD_NOT_END(
            "CW-MPI-004",
            ERROR,
            "%s processes of the job on %s could not be ended",
            "look for processes that wait for a device or a file server; restart the node"),
    NOT_SWEPT(
            "CW-MPI-005",
            WARNING,
            "whether processes of the job still run on %s is not known: %s",
            "look at the node when it can be reached again, or restart it"),
    WRONG_WORLD(
            "CW-MPI-006",
            ERROR,
            "%s ranks were asked for, but the ranks say that their world has the size %s: they run as separate jobs",
            "start the program with the mpirun of the MPI it was built with"),
    SILENT_NODES(
            "CW-MPI-007",
            ERROR,
            "no rank answered from %s; %s",
            "try to log in to the node from the launch node, and to start the launcher there by hand"),
    WRONG_BENCHMARK(
            "CW-MPI-008",
            ERROR,
            "%s started by %s found itself alone: it was built for another MPI",
            "install the benchmark that belongs to this MPI, or use the MPI it was built with"),
    STRANGERS(
            "CW-MPI-009",
            ERROR,
            "ranks answered from hosts that are not part of the job: %s",
            "check that each node's host name is its own"),
    OTHER_VERSION(
            "CW-MPI-010",
            WARNING,
            "preset %s is for versions %s, and the job runs under %s",
            "use preset auto, or one of the presets for this version"),
    PRESET_REPLACED(
            "CW-MPI-011",
            INFO,
            "preset %s is replaced by %s: the job runs under %s, and the fast network of these nodes is %s",
            "correct mpi.preset, unless that is meant, as on local nodes"),
    LAUNCH_NODE_LOST(
            "CW-MPI-020",
            ERROR,
            "the connection to the launch node %s broke, and how the job ended is not known: %s",
            "see whether the node is up, and start the job again"),
    ENDED_AFTER_ITS_TABLE(
            "CW-MPI-021",
            WARNING,
            "%s printed its whole table and did not end within %s s, so it was ended%s",
            "use MPICH 4.2 or later; the table is not touched by this"),
    MAY_WAIT_IN_FINALIZE(
            "CW-MPI-022",
            INFO,
            "if the program had done its work and did not end: %s",
            "use MPICH 4.2 or later, or Open MPI"),
    NOT_UNDERSTOOD(
            "CW-MPI-023",
            ERROR,
            "%s was asked for the commands of its helpers, and its answer is not understood: %s",
            "start the job with --launch-over ssh, or launchOverSsh() of the job"),
    LAUNCHER_SAID_NOTHING(
            "CW-MPI-024",
            WARNING,
            "%s, so it was started once more",
            "if that happens often, start it on the launch node by hand"),
    HANGS_ON_SHARED_CORES(
            "CW-MPI-025",
            WARNING,
            "%s is slow on nodes that share the cores of one machine, and its jobs may not end: its ranks spin while they wait, and before"
                    + " 4.2 a rank that comes late to MPI_Finalize gets no answer from the others (pmodels/mpich pull request 6596)",
            "use Open MPI on local nodes, flavour open-mpi; or MPICH 4.2 or later"),
    LAUNCHER_FAILED_LATER(
            "CW-MPI-026",
            WARNING,
            "every rank ended with status 0, and then the launcher failed with status %s",
            "the status of the ranks counts"),
    LAUNCHER_DID_NOT_END(
            "CW-MPI-027",
            WARNING,
            "every rank ended with status 0, and the launcher still ran without output %s s later, so it was ended",
            "look for programs that a rank starts in the background and that keep its output open"),
    HANGS_IN_FINALIZE(
            "CW-MPI-028",
            ERROR,
            "the ranks that had not ended waited for each other in MPI_Finalize of %s, where none of them could go on, so the job was ended;"
                    + " what they had printed and written before is complete",
            "use Open MPI, or MPICH 4.2 or later (pmodels/mpich pull request 6596)"),
    FELL_BACK_TO_TCP(
            "CW-MPI-030",
            ERROR,
            "%s",
            "use preset auto; check on the nodes that ibv_devinfo shows an active port and that locked memory is unlimited"),
    TRANSPORT_UNKNOWN(
            "CW-MPI-031", WARNING, "%s", "run the program with UCX_LOG_LEVEL=info and look for the transport it names"),
    BROKEN_NODE(
            "CW-MPI-032",
            ERROR,
            "node %s could be measured with no other node, while others could: %s",
            "look at the node's network, its MPI and its trust in the other nodes; restart or replace the node"),
    BROKEN_PAIR(
            "CW-MPI-033",
            ERROR,
            "pair %s could not be measured: %s",
            "see the findings of the run; try a ping-pong between these two nodes by hand"),
    SLOW_NODE("CW-MPI-034", WARNING, "%s", "look at the node's adapter, cable, firmware and load; replace the node"),
    SLOW_PAIR("CW-MPI-035", WARNING, "%s", "measure the pair again; look at the switch between these nodes"),
    ONE_MACHINE(
            "CW-MPI-036",
            INFO,
            "these nodes share one machine, so their times say little about a network: %s measured at a time, and only what is"
                    + " several times slower counts as slow",
            "on separate machines the times are judged"),
    BROKEN_RAIL(
            "CW-MPI-037",
            ERROR,
            "%s carries no messages: %s",
            "look at that adapter with ibstat; a node of Azure with a dead adapter is to be replaced"),
    SLOW_RAIL(
            "CW-MPI-038",
            WARNING,
            "%s",
            "look at that adapter's rate with ibstat, its cable and firmware; replace the node"),
    TASK_FAILED(
            "CW-MPI-040",
            ERROR,
            "rank %s on %s was the first to fail: %s",
            "see the output of that rank; the other ranks were ended because of it"),
    LESS_UNDER_SLURM(
            "CW-MPI-041",
            WARNING,
            "a rank that Slurm starts on %s may lock %s, and an SSH session %s: ranks inherit the limits of slurmd",
            "give slurmd LimitMEMLOCK=infinity in a systemd drop-in and restart it; where users' limits are higher, leave"
                    + " MEMLOCK in PropagateResourceLimits of slurm.conf"),
    EACH_ALONE(
            "CW-MPI-042",
            ERROR,
            "the job was not started, since each rank would run alone: %s",
            "leave SlurmTarget.pmi out or name a plugin that the MPI speaks: pmi2 for MPICH, pmix for Open MPI (srun --mpi=list"
                    + " tells what there is); where several MPIs are installed, name the flavour the program was built with"),
    NOT_RELEASED(
            "CW-MPI-043",
            WARNING,
            "whether Slurm has the nodes of the job back is not known: %s",
            "if squeue --name=TOKEN still shows the job after 10 min, run: scancel --name=TOKEN"),
    NOT_FETCHED(
            "CW-MPI-051",
            ERROR,
            "a file of the job was not fetched from %s: %s",
            "see whether the job wrote it; it is still on the node if so"),
    OUTPUT_NOT_WRITTEN(
            "CW-MPI-052",
            ERROR,
            "the output of ranks in %s is not complete: %s",
            "free space or choose another folder; the last lines are in the result"),
    FAILED_AT_SCHEDULER("CW-MPI-060", ERROR, "%s did not end well: %s", "see the job's output and the scheduler's log"),
    NOT_KNOWN_TO_HAVE_ENDED("CW-MPI-061", WARNING, "%s", "look at the job at the scheduler, and cancel it there"),
    SCHEDULER_SILENT(
            "CW-MPI-062",
            ERROR,
            "the scheduler did not answer any more, and how %s went is not known: %s",
            "look at the job at the scheduler when it answers again; it ends by itself when its time has passed"),

    UNIT_DIFFERS(
            "CW-BENCH-001",
            WARNING,
            "%s should print %s, but bytes divided by time give %s; the rates are read as %3$s",
            "trust bytesPerSecond; the title may belong to another build of the benchmark"),
    CUT_ROW(
            "CW-BENCH-002",
            WARNING,
            "a row is incomplete and was left out: \"%s\"",
            "look for other output mixed into the table, or for a run that was cut short"),
    CONTRADICTORY_ROW(
            "CW-BENCH-003",
            WARNING,
            "a row was left out because its bytes, time and rate contradict each other: \"%s\"",
            "look for other output mixed into the table"),
    OUT_OF_ORDER(
            "CW-BENCH-004",
            WARNING,
            "a row was left out because its size does not follow the row before: \"%s\"",
            "look for other output mixed into the table"),
    TOO_FEW_PROCESSES(
            "CW-BENCH-005",
            ERROR,
            "%s was started in a world of %s process(es) and measured nothing; this is what the launcher of another MPI does",
            "start it with the mpirun of the MPI it was built with"),
    SIZE_TIMED_OUT(
            "CW-BENCH-006",
            WARNING,
            "the benchmark gave up at %s bytes because its time limit had passed",
            "give it more time (IMB: -time SECONDS)"),
    VALIDATION_FAILED(
            "CW-BENCH-007",
            ERROR,
            "the benchmark found wrong data in what it received: \"%s\"",
            "do not trust this fabric; run the benchmark on each pair of nodes to find the faulty one"),
    UNKNOWN_COLUMNS(
            "CW-BENCH-008",
            WARNING,
            "a table was left out because the titles of its columns say nothing known: \"%s\"",
            "look for other output mixed into the titles"),
    UNPROVEN_FORMAT(
            "CW-BENCH-009",
            INFO,
            "this table of mpipingpong has another form than the published one, and is not read: %s",
            "run mpipingpong -p SIZE:ITERATIONS -op -s nul, whose table is read"),

    MEMLOCK_NOT_IN_FORCE(
            "CW-MEMLOCK-001",
            ERROR,
            "the limit of locked memory is not in force everywhere",
            "look at the files of /etc/security/limits.d on these nodes, and whether sshd has UsePAM yes");

    private static final int LAST_WORDS = 3;
    private static final String SCHEDULER_REMEDY =
            "see sinfo -R and the log of slurmd on the node; run there: systemctl restart slurmd; then: scontrol update"
                    + " nodename=NODE state=resume; or leave the node out";
    private static final String FINALIZE =
            "MPICH before 4.2 over UCX can wait for ever in MPI_Finalize, since a rank that"
                    + " is done no longer answers one that is not";

    private final String code;
    private final Severity severity;
    private final String message;
    private final String remedy;

    MpiFinding(String code, Severity severity, String message, String remedy) {
        this.code = code;
        this.severity = severity;
        this.message = message;
        this.remedy = remedy;
    }

    /** The kinds of all of these findings. */
    public static List<FindingKind> kinds() {
        return Arrays.stream(values())
                .map(row -> new FindingKind(row.code, row.severity, row.message, row.remedy))
                .toList();
    }

    /** A finding that is about no field of a spec. */
    public Finding of(Object... values) {
        return at("", values);
    }

    /** The gravest finding that may explain why a job failed; that its MPI is slow on shared cores explains no exit status. */
    public static Optional<Finding> cause(JobResult result) {
        return result.findings().stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .filter(finding -> result.outcome() != JobResult.Outcome.ENDED
                        || !finding.code().equals(HANGS_ON_SHARED_CORES.code))
                .min(Comparator.comparing(Finding::severity));
    }

    /** A finding about a field of a spec or a line of output. */
    public Finding at(String path, Object... values) {
        return new Finding(code, severity, path, String.format(message, values), remedy);
    }

    private Finding withRemedy(String other, Object... values) {
        return new Finding(code, severity, "", String.format(message, values), other);
    }

    public static Finding launchFailed(LaunchFailure failure, String name) {
        if (!failure.reason().isEmpty()) {
            return LAUNCH_FAILED.withRemedy(SCHEDULER_REMEDY, failure.summary(name));
        }
        return failure.status() == LaunchFailure.SSH_FAILED
                ? LAUNCH_FAILED.withRemedy(
                        "on the launch node, try: ssh -o BatchMode=yes " + failure.host()
                                + " true; check that the node is up, its host key is known and the cluster's key is accepted",
                        failure.summary(name))
                : LAUNCH_FAILED.of(failure.summary(name));
    }

    public static Finding severalInstalled(MpiInstallation chosen, String all) {
        String flavour = chosen.flavour().toString();
        return SEVERAL_INSTALLED.withRemedy(
                SEVERAL_INSTALLED.remedy + ": " + flavour + " in the spec, or flavour(MpiFlavour."
                        + chosen.flavour().name() + ") of the job",
                all,
                chosen);
    }

    public static Finding silentNodes(Collection<NodeName> nodes, JobResult result) {
        return SILENT_NODES.of(NodeSet.fold(nodes), ending(result));
    }

    public static Finding launcherPrintedNothing(JobResult result) {
        return LAUNCHER_SAID_NOTHING.of(ending(result));
    }

    private static String ending(JobResult result) {
        String words = result.outputTail().stream()
                .skip(Math.max(0, result.outputTail().size() - LAST_WORDS))
                .map(OutputLine::text)
                .collect(Collectors.joining(" / "));
        return (result.exitStatus().isPresent()
                        ? "the launcher ended with status "
                                + result.exitStatus().getAsInt()
                        : "the launcher was ended or lost (" + result.outcome() + ")")
                + (words.isEmpty() ? " and said nothing" : "; the last that was said: " + words);
    }

    public static Finding wrongBenchmark(String program, MpiInstallation mpi) {
        return WRONG_BENCHMARK.withRemedy(
                "install the benchmark that belongs to " + mpi + ", or use the MPI it was built with", program, mpi);
    }

    public static Finding endedAfterItsTable(String program, MpiInstallation mpi, Duration grace) {
        return waitsInFinalize(mpi)
                ? ENDED_AFTER_ITS_TABLE.of(program, grace.toSeconds(), ": " + FINALIZE)
                : ENDED_AFTER_ITS_TABLE.withRemedy(
                        "see whether programs of " + mpi + " end when they are started by hand",
                        program,
                        grace.toSeconds(),
                        "");
    }

    public static Finding mayWaitInFinalize() {
        return MAY_WAIT_IN_FINALIZE.of(FINALIZE);
    }

    /** MPICH 4.0 and 4.1 over UCX; mended by pmodels/mpich pull request 6596 of July 2023, first released in 4.2. */
    public static boolean waitsInFinalize(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH && mpi.version().matches("4\\.[01](\\D.*)?");
    }

    public static Finding lessUnderSlurm(NodeName node, MemlockLimit rank, MemlockLimit session) {
        return LESS_UNDER_SLURM.of(node, people(rank), people(session));
    }

    /**
     * The allocation of the job with this token was not given back, for this reason. {@code NodeEngine} reports it after a job in Slurm if the command
     * that releases the nodes failed or no node could run it.
     */
    public static Finding notReleased(String token, String why) {
        return NOT_RELEASED.withRemedy(
                "its launch node goes on trying for 10 min; if squeue --name=" + token
                        + " still shows the job then, run: scancel --name=" + token,
                why);
    }

    private static String people(MemlockLimit limit) {
        return limit.isUnlimited() ? "unlimited memory" : limit + " KiB";
    }
}
