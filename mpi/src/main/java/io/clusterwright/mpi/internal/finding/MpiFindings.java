package io.clusterwright.mpi.internal.finding;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.LaunchFailure;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.OutputLine;
import io.clusterwright.mpi.preset.MpiPreset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;

/** Every finding about runs; one code each. */
public final class MpiFindings {
    private static final int LAST_WORDS = 3;
    private static final String FINALIZE =
            "MPICH before 4.2 over UCX can wait for ever in MPI_Finalize, since a rank that"
                    + " is done no longer answers one that is not";

    private static final String SCHEDULER_REMEDY =
            "see sinfo -R and the log of slurmd on the node; restart slurmd, then scontrol update nodename=NODE"
                    + " state=resume; or leave the node out";

    private MpiFindings() {}

    public static Finding launchFailed(LaunchFailure failure, String name) {
        if (!failure.reason().isEmpty()) {
            return error("CW-MPI-001", failure.summary(name), SCHEDULER_REMEDY);
        }
        String remedy = failure.status() == LaunchFailure.SSH_FAILED
                ? "on the launch node, try: ssh -o BatchMode=yes " + failure.host()
                        + " true; check that the node is up, its host key is known and the cluster's key is accepted"
                : "install the same MPI at the same path on every node";
        return error("CW-MPI-001", failure.summary(name), remedy);
    }

    public static Finding severalInstalled(MpiInstallation chosen, String all) {
        return new Finding(
                "CW-MPI-002",
                Severity.INFO,
                "",
                all + "; using " + chosen,
                "name the one the program was built with, such as flavour(MpiFlavour."
                        + chosen.flavour().name() + ")");
    }

    public static Finding leftBehind(NodeName node, Leftovers leftovers) {
        return new Finding(
                "CW-MPI-003",
                Severity.WARNING,
                "",
                leftovers.remaining() + " processes of the job still ran on " + node + " after its launcher had ended",
                "look for programs that the job starts in the background");
    }

    public static Finding couldNotEnd(NodeName node, Leftovers leftovers) {
        return error(
                "CW-MPI-004",
                leftovers.remaining() + " processes of the job on " + node + " could not be ended",
                "look for processes that wait for a device or a file server; restart the node");
    }

    public static Finding notSwept(NodeName node, Leftovers leftovers) {
        return new Finding(
                "CW-MPI-005",
                Severity.WARNING,
                "",
                "whether processes of the job still run on " + node + " is not known: " + leftovers.problem(),
                "look at the node when it can be reached again, or restart it");
    }

    public static Finding wrongWorld(int asked, Collection<String> seen) {
        return error(
                "CW-MPI-006",
                asked + " ranks were asked for, but the ranks say that their world has the size "
                        + String.join(" or ", seen) + ": they run as separate jobs",
                "start the program with the mpirun of the MPI it was built with");
    }

    public static Finding silentNodes(Collection<NodeName> nodes, JobResult result) {
        return error(
                "CW-MPI-007",
                "no rank answered from " + NodeSet.fold(nodes) + "; " + ending(result),
                "try to log in to the node from the launch node, and to start the launcher there by hand");
    }

    public static Finding launcherSaidNothing(JobResult result) {
        return new Finding(
                "CW-MPI-024",
                Severity.WARNING,
                "",
                ending(result) + ", so it was started once more",
                "nothing to do if that happens rarely; otherwise start it on the launch node by hand");
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
        return error(
                "CW-MPI-008",
                program + " started by " + mpi + " found itself alone: it was built for another MPI",
                "install the benchmark that belongs to " + mpi + ", or use the MPI it was built with");
    }

    public static Finding strangers(Collection<String> names) {
        return error(
                "CW-MPI-009",
                "ranks answered from hosts that are not part of the job: " + String.join(", ", names),
                "check that each node's host name is its own");
    }

    public static Finding otherVersion(MpiPreset preset, MpiInstallation mpi) {
        return new Finding(
                "CW-MPI-010",
                Severity.WARNING,
                "",
                "preset " + preset + " is for versions " + preset.versions() + ", and the job runs under " + mpi,
                "use preset auto, or one of the presets for this version");
    }

    public static Finding presetReplaced(MpiPreset named, String other, Interconnect network, MpiInstallation mpi) {
        return new Finding(
                "CW-MPI-011",
                Severity.INFO,
                "mpi.preset",
                "preset " + named + " is replaced by " + other + ": the job runs under " + mpi
                        + ", and the fast network of these nodes is " + network,
                "nothing to do where that is meant, as on local nodes; otherwise correct mpi.preset");
    }

    public static Finding launchNodeLost(NodeName node, NodeUnreachableException cause) {
        return error(
                "CW-MPI-020",
                "the connection to the launch node " + node + " broke, and how the job ended is not known: "
                        + cause.getMessage(),
                "see whether the node is up, and start the job again");
    }

    public static Finding notUnderstood(MpiInstallation mpi, String line) {
        return error(
                "CW-MPI-023",
                mpi + " was asked for the commands of its helpers, and its answer is not understood: " + line,
                "start the job with launchOver(LaunchPath.SSH)");
    }

    public static Finding endedAfterItsTable(String program, MpiInstallation mpi, Duration grace) {
        return new Finding(
                "CW-MPI-021",
                Severity.WARNING,
                "",
                program + " printed its whole table and did not end within " + grace.toSeconds() + " s, so it was ended"
                        + (waitsInFinalize(mpi) ? ": " + FINALIZE : ""),
                waitsInFinalize(mpi)
                        ? "use MPICH 4.2 or later; the table is not touched by this"
                        : "see whether programs of " + mpi + " end when they are started by hand");
    }

    public static Finding mayWaitInFinalize() {
        return new Finding(
                "CW-MPI-022",
                Severity.INFO,
                "",
                "if the program had done its work and did not end: " + FINALIZE,
                "use MPICH 4.2 or later, or Open MPI");
    }

    public static Finding notFetched(NodeName node, String problem) {
        return error(
                "CW-MPI-051",
                "a file of the job was not fetched from " + node + ": " + problem,
                "see whether the job wrote it; it is still on the node if so");
    }

    public static Finding outputNotWritten(Path folder, IOException problem) {
        return error(
                "CW-MPI-052",
                "the output of ranks in " + folder + " is not complete: " + problem,
                "free space or choose another folder; the last lines are in the result");
    }

    public static Finding taskFailed(String tasks, String node, String how) {
        return error(
                "CW-MPI-040",
                "rank " + tasks + " on " + node + " was the first to fail: " + how,
                "see the output of that rank; the other ranks were ended because of it");
    }

    public static Finding lessUnderSlurm(NodeName node, MemlockLimit rank, MemlockLimit session) {
        return new Finding(
                "CW-MPI-041",
                Severity.WARNING,
                "",
                "a rank that Slurm starts on " + node + " may lock " + people(rank) + ", and an SSH session "
                        + people(session) + ": ranks inherit the limits of slurmd",
                "give slurmd LimitMEMLOCK=infinity in a systemd drop-in and restart it; where users' limits are higher, leave"
                        + " MEMLOCK in PropagateResourceLimits of slurm.conf");
    }

    public static Finding eachAlone(String why) {
        return error(
                "CW-MPI-042",
                "the job was not started, since each rank would run alone: " + why,
                "leave SlurmTarget.pmi out or name a plugin that the MPI speaks: pmi2 for MPICH, pmix for Open MPI (srun --mpi=list"
                        + " tells what there is); where several MPIs are installed, name the flavour the program was built with");
    }

    private static String people(MemlockLimit limit) {
        return limit.isUnlimited() ? "unlimited memory" : limit + " KiB";
    }

    /** MPICH 4.0 and 4.1 over UCX; mended by pmodels/mpich pull request 6596 of July 2023, first released in 4.2. */
    public static boolean waitsInFinalize(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH && mpi.version().matches("4\\.[01](\\D.*)?");
    }

    public static Finding failedAtScheduler(String job, String problem) {
        return error(
                "CW-MPI-060", job + " did not end well: " + problem, "see the job's output and the scheduler's log");
    }

    public static Finding notKnownToHaveEnded(String what) {
        return new Finding(
                "CW-MPI-061", Severity.WARNING, "", what, "look at the job at the scheduler, and cancel it there");
    }

    public static Finding schedulerSilent(String job, ClusterwrightException cause) {
        return error(
                "CW-MPI-062",
                "the scheduler did not answer any more, and how " + job + " went is not known: " + cause.getMessage(),
                "look at the job at the scheduler when it answers again; it ends by itself when its time has passed");
    }

    private static Finding error(String code, String message, String remedy) {
        return new Finding(code, Severity.ERROR, "", message, remedy);
    }
}
