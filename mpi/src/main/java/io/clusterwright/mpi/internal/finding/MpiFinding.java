package io.clusterwright.mpi.internal.finding;

import static io.clusterwright.core.plan.Severity.ERROR;
import static io.clusterwright.core.plan.Severity.INFO;
import static io.clusterwright.core.plan.Severity.WARNING;

import io.clusterwright.core.internal.text.PrintableText;
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
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The findings that jobs, benchmarks and checks report while they run. In a message {@code %s} stands for what differs. */
public enum MpiFinding {
    LAUNCH_FAILED(
            "CW-MPI-001",
            ERROR,
            "%s",
            "run: clusterwright ssh NAME; there, run: ssh NODE mpirun --version; it shows a refused login or a missing MPI"),
    SEVERAL_INSTALLED(
            "CW-MPI-002",
            INFO,
            "%s; using %s",
            "name the MPI that the program was built with: image.customize.mpi.flavour"),
    LEFT_BEHIND(
            "CW-MPI-003",
            WARNING,
            "%s processes of the job were still running on %s after the launcher ended",
            "check whether the job starts programs in the background"),
    COULD_NOT_END(
            "CW-MPI-004",
            ERROR,
            "%s processes of the job on %s could not be ended",
            "check for processes that wait for a device or a file server; restart the node"),
    NOT_SWEPT(
            "CW-MPI-005",
            WARNING,
            "processes of the job may still run on %s: %s",
            "check the node when it can be reached again, or restart it"),
    WRONG_WORLD(
            "CW-MPI-006",
            ERROR,
            "the job has %s ranks, and the ranks report a world of size %s: they run as separate jobs",
            "start the program with mpirun of the MPI that built it"),
    SILENT_NODES(
            "CW-MPI-007",
            ERROR,
            "no rank answered from %s; %s",
            "run: clusterwright ssh NAME; there, run: ssh NODE hostname; its error is the reason"),
    WRONG_BENCHMARK(
            "CW-MPI-008",
            ERROR,
            "%s, started by %s, runs as separate jobs of one rank: another MPI built it",
            "install the benchmark of this MPI, or use the MPI that built it"),
    STRANGERS(
            "CW-MPI-009",
            ERROR,
            "ranks answered from hosts outside of the job: %s",
            "check that the host name of each node is the name of the node"),
    OTHER_VERSION(
            "CW-MPI-010",
            WARNING,
            "preset %s is for versions %s, and the job runs under %s",
            "use preset auto, or a preset for this version (clusterwright presets)"),
    PRESET_REPLACED(
            "CW-MPI-011",
            INFO,
            "preset %s is replaced by %s: the job runs under %s, and the fast network of these nodes is %s",
            "on local nodes this is expected; otherwise write mpi: {preset: auto}"),
    LAUNCH_NODE_LOST(
            "CW-MPI-020",
            ERROR,
            "the connection to the launch node %s broke, so the result of the job is unknown: %s",
            "check that the node is up, and start the job again"),
    ENDED_AFTER_ITS_TABLE(
            "CW-MPI-021",
            WARNING,
            "%s printed its complete table and did not end within %s s, so it was stopped%s",
            "use MPICH 4.2 or later; the table is valid"),
    MAY_WAIT_IN_FINALIZE(
            "CW-MPI-022",
            INFO,
            "the job ran into its time limit. If its work was finished, it may have hung in MPI_Finalize: %s",
            "use MPICH 4.2 or later, or Open MPI"),
    NOT_UNDERSTOOD(
            "CW-MPI-023",
            ERROR,
            "%s did not print the commands of its helpers in a known form: %s",
            "start the job with --launch-over ssh (launchOverSsh())"),
    LAUNCHER_SAID_NOTHING(
            "CW-MPI-024",
            WARNING,
            "the launcher ended without output (%s); it was started again",
            "if this repeats, run: clusterwright ssh NAME; there, run: mpirun hostname; its error is the reason"),
    HANGS_ON_SHARED_CORES(
            "CW-MPI-025",
            WARNING,
            "%s is slow on nodes that share the cores of one machine, and its jobs may hang: its ranks spin while they wait, and before"
                    + " 4.2 a rank that is late in MPI_Finalize gets no answer (pmodels/mpich pull request 6596)",
            "use Open MPI (--mpi open-mpi), or MPICH 4.2 or later"),
    LAUNCHER_FAILED_LATER(
            "CW-MPI-026",
            WARNING,
            "every rank ended with status 0, and then the launcher failed with status %s",
            "nothing to do: the job's status is 0, because every rank ended with 0"),
    LAUNCHER_DID_NOT_END(
            "CW-MPI-027",
            WARNING,
            "every rank ended with status 0, and the launcher was still running without output %s s later, so it was stopped",
            "check whether a rank starts programs in the background that keep its output open"),
    HANGS_IN_FINALIZE(
            "CW-MPI-028",
            ERROR,
            "the remaining ranks waited for each other in MPI_Finalize of %s without end, so the job was stopped;"
                    + " their output and files are complete",
            "use Open MPI, or MPICH 4.2 or later (pmodels/mpich pull request 6596)"),
    FELL_BACK_TO_TCP(
            "CW-MPI-030",
            ERROR,
            "%s",
            "write mpi: {preset: auto}; check on the nodes that ibv_devinfo shows an active port and that ulimit -l is unlimited"),
    TRANSPORT_UNKNOWN(
            "CW-MPI-031",
            WARNING,
            "%s",
            "run the program with UCX_LOG_LEVEL=info and read the transport in its output"),
    BROKEN_NODE(
            "CW-MPI-032",
            ERROR,
            "every pair with node %s failed, and other pairs were measured: %s",
            "check the node's network, its MPI and its SSH logins to other nodes; restart or replace the node"),
    BROKEN_PAIR(
            "CW-MPI-033",
            ERROR,
            "pair %s could not be measured: %s",
            "read the findings of the run; run a ping-pong between these two nodes by hand"),
    SLOW_NODE("CW-MPI-034", WARNING, "%s", "check the node's adapter, cable, firmware and load; replace the node"),
    SLOW_PAIR("CW-MPI-035", WARNING, "%s", "measure the pair again; check the switch between these nodes"),
    ONE_MACHINE(
            "CW-MPI-036",
            INFO,
            "all nodes run on one machine: these times measure its processor, not a network (%s measured at a time)."
                    + " Only differences of several times are reported",
            "nothing to do; measure on separate machines to judge a network"),
    BROKEN_RAIL(
            "CW-MPI-037",
            ERROR,
            "%s carries no messages: %s",
            "check the adapter with ibstat; replace an Azure node with a broken adapter"),
    SLOW_RAIL(
            "CW-MPI-038",
            WARNING,
            "%s",
            "check the adapter's rate with ibstat, its cable and firmware; replace the node"),
    TASK_FAILED(
            "CW-MPI-040",
            ERROR,
            "%s on %s was the first to fail: %s",
            "read the output of that rank; the launcher stopped the other ranks"),
    LESS_UNDER_SLURM(
            "CW-MPI-041",
            WARNING,
            "a rank that Slurm starts on %s may lock %s, and an SSH session may lock %s: ranks inherit the limits of slurmd",
            "write LimitMEMLOCK=infinity in a systemd drop-in of slurmd and restart slurmd; if users' limits are higher, keep"
                    + " MEMLOCK in PropagateResourceLimits of slurm.conf"),
    EACH_ALONE(
            "CW-MPI-042",
            ERROR,
            "the job was not started, because each rank would run as a separate job: %s",
            "if SlurmTarget.pmi is set, remove it, or write pmi2 for MPICH or pmix for Open MPI; to list the plugins, run:"
                    + " srun --mpi=list; if several MPIs are installed, name the MPI that built the program"),
    TOO_FEW_CPUS(
            "CW-MPI-044",
            ERROR,
            "the job was not started, because it would wait without end: %s",
            "use fewer ranks per node (--ppn, MpiJob.ranksPerNode) or fewer threads per rank; to let ranks share CPUs, write"
                    + " --launcher-arg=--overcommit (launcherArguments(\"--overcommit\"))"),
    NOT_RELEASED(
            "CW-MPI-043",
            WARNING,
            "Slurm did not confirm that it released the job's nodes: %s",
            "if squeue --name=TOKEN still shows the job after 10 min, run: scancel --name=TOKEN"),
    NOT_FETCHED(
            "CW-MPI-051",
            ERROR,
            "a file of the job was not fetched from %s: %s",
            "check that the job wrote the file; the file stays on the node"),
    OUTPUT_NOT_WRITTEN(
            "CW-MPI-052",
            ERROR,
            "the output of ranks in %s is not complete: %s",
            "free space or choose another folder; the last lines of the output are in the result"),
    OUTPUT_CUT(
            "CW-MPI-053",
            WARNING,
            "Open MPI dropped output of ranks: with labels, it drops lines where a rank prints hundreds of short lines at once",
            "run the job without --label and --output, or with another MPI (example: --mpi mpich)"),
    OTHER_TOPOLOGY(
            "CW-MPI-054",
            WARNING,
            "node %s shows %s %ss, and %s has %s: ranks are placed by what the node shows",
            "place ranks by another part (example: --per-numa 4), or use a size of the series with fewer cores"),
    PLACED_AS_ADVISED(
            "CW-MPI-055",
            INFO,
            "%s, as Microsoft advises for %s",
            "nothing to do; -n, --ppn, --per-numa, --threads, --bind and the fields of mpi in a spec override it"),
    FAILED_AT_SCHEDULER(
            "CW-MPI-060",
            ERROR,
            "%s failed: %s",
            "run: clusterwright output NAME ID; under Slurm, the reason is in: scontrol show job JOB;"
                    + " under HPC Pack, run: clusterwright hpcpack HOST view ID"),
    NOT_KNOWN_TO_HAVE_ENDED("CW-MPI-061", WARNING, "%s", "check the job at the scheduler, and cancel it there"),
    SCHEDULER_SILENT(
            "CW-MPI-062",
            ERROR,
            "the scheduler stopped answering, so the result of %s is unknown: %s",
            "check the job when the scheduler answers again; the job ends at its time limit"),

    UNIT_DIFFERS(
            "CW-BENCH-001",
            WARNING,
            "%s should print %s, and bytes divided by time give %s; the rates are read as %3$s",
            "use bytesPerSecond: it is computed from bytes and time, not from the column title"),
    CUT_ROW(
            "CW-BENCH-002",
            WARNING,
            "an incomplete row was left out: \"%s\"",
            "run the benchmark again, to its end and into a separate file: clusterwright mpi NAME -n 2 --ppn 1 -- BENCHMARK"
                    + " > result (MpiJob.run)"),
    CONTRADICTORY_ROW(
            "CW-BENCH-003",
            WARNING,
            "a row was left out because its bytes, time and rate contradict each other: \"%s\"",
            "remove other output from the table, or run the benchmark again into a separate file: clusterwright mpi NAME -n 2"
                    + " --ppn 1 -- BENCHMARK > result (MpiJob.run)"),
    OUT_OF_ORDER(
            "CW-BENCH-004",
            WARNING,
            "a row was left out because its size does not follow the row before: \"%s\"",
            "remove other output from the table, or run the benchmark again into a separate file: clusterwright mpi NAME -n 2"
                    + " --ppn 1 -- BENCHMARK > result (MpiJob.run)"),
    TOO_FEW_PROCESSES(
            "CW-BENCH-005",
            ERROR,
            "%s ran in a world of %s process(es) and measured nothing: the launcher of another MPI started it",
            "start the benchmark with mpirun of the MPI that built it"),
    SIZE_TIMED_OUT(
            "CW-BENCH-006",
            WARNING,
            "the benchmark stopped at %s bytes at its time limit",
            "raise the time limit of the benchmark (IMB: -time SECONDS)"),
    VALIDATION_FAILED(
            "CW-BENCH-007",
            ERROR,
            "the benchmark received wrong data: \"%s\"",
            "do not use this fabric; to find the faulty node, run: clusterwright verify NAME --pairs all-pairs (FabricCheck)"),
    UNKNOWN_COLUMNS(
            "CW-BENCH-008",
            WARNING,
            "a table was left out because its column titles are not known: \"%s\"",
            "remove other output from the line of the titles; perftest: run it without -C, which prints cycles; or run the"
                    + " benchmark again into a separate file: clusterwright"
                    + " mpi NAME -n 2 --ppn 1 -- BENCHMARK > result (MpiJob.run)"),
    UNPROVEN_FORMAT(
            "CW-BENCH-009",
            INFO,
            "this table of mpipingpong has an unknown form and was left out: %s",
            "run mpipingpong -p SIZE:ITERATIONS -op -s nul"),
    SIZE_LEFT_OUT(
            "CW-BENCH-010",
            WARNING,
            "the benchmark has no numbers for a size: \"%s\"",
            "out-of-mem.: give the benchmark more memory (IMB: -mem GIGABYTES); int-overflow: measure smaller sizes"
                    + " (IMB: -msglog MAX)"),
    UNREAD_COLUMNS(
            "CW-BENCH-011",
            INFO,
            "these columns of the table are not read: %s",
            "nothing to do: the other columns are in the result"),
    BELOW_WANTED_BANDWIDTH(
            "CW-BENCH-012",
            ERROR,
            "the average bus bandwidth of %s GB/s is below 90 %% of NCCL_TESTS_MIN_BW",
            "correct NCCL_TESTS_MIN_BW, whose average is over all sizes (-b and -e); or find the slow node:"
                    + " clusterwright verify NAME --pairs all-pairs (FabricCheck)"),

    MEMLOCK_NOT_IN_FORCE(
            "CW-MEMLOCK-001",
            ERROR,
            "the limit of locked memory of the spec is not in force on every node",
            "check /etc/security/limits.d on these nodes, and that sshd_config has UsePAM yes");

    private static final int LAST_WORDS = 3;
    private static final String SCHEDULER_REMEDY =
            "read sinfo -R and the log of slurmd on the node; run there: systemctl restart slurmd; then: scontrol update"
                    + " nodename=NODE state=resume; or run the job without the node";
    private static final String EARLY_REMEDY =
            "start it there by hand, as the account of jobs (orted --version, prted --version), and read the node's log";
    private static final String FOLDER_REMEDY =
            "let the account of jobs make folders there, and make room (look: df -h /tmp; ls -ld /tmp)";
    private static final String BINDING_REMEDY =
            "bind ranks to cores (--bind core), or do not bind them (--bind none); fewer --threads or ranks may fit, too";
    private static final String FINALIZE =
            "MPICH before 4.2 over UCX can wait without end in MPI_Finalize, because a finished"
                    + " rank no longer answers the other ranks";

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
        if (failure.endedEarly()) {
            return LAUNCH_FAILED.withRemedy(
                    failure.reason().isEmpty() ? EARLY_REMEDY : FOLDER_REMEDY, failure.summary(name));
        }
        if (!failure.reason().isEmpty()) {
            boolean binding = failure.reason().contains("cpu bind");
            return LAUNCH_FAILED.withRemedy(binding ? BINDING_REMEDY : SCHEDULER_REMEDY, failure.summary(name));
        }
        return failure.status() == LaunchFailure.SSH_FAILED
                ? LAUNCH_FAILED.withRemedy(
                        "on the launch node, run: ssh -o BatchMode=yes " + failure.host()
                                + " true; check that the node is up, its host key is known and the cluster's key is accepted",
                        failure.summary(name))
                : LAUNCH_FAILED.withRemedy(
                        "install the same MPI at the same path on every node", failure.summary(name));
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

    /** The exit status of a job that ended, for people. */
    public static String exitStatus(JobResult result) {
        return status("exit status", result);
    }

    private static String status(String name, JobResult result) {
        return result.exitStatus().isPresent()
                ? name + " " + result.exitStatus().getAsInt()
                : "an unknown " + name;
    }

    private static String ending(JobResult result) {
        String words = result.outputTail().stream()
                .skip(Math.max(0, result.outputTail().size() - LAST_WORDS))
                .map(line -> PrintableText.line(line.text()))
                .collect(Collectors.joining(" / "));
        return (result.outcome() == JobResult.Outcome.ENDED
                        ? "the launcher ended with " + status("status", result)
                        : "the launcher was stopped or lost (" + result.outcome() + ")")
                + (words.isEmpty() ? " and printed nothing" : "; its last output: " + words);
    }

    public static Finding wrongBenchmark(String program, MpiInstallation mpi) {
        return WRONG_BENCHMARK.withRemedy(
                "install the benchmark of " + mpi + ", or use the MPI that built it", program, mpi);
    }

    public static Finding endedAfterItsTable(String program, MpiInstallation mpi, Duration grace) {
        return waitsInFinalize(mpi)
                ? ENDED_AFTER_ITS_TABLE.of(program, grace.toSeconds(), ": " + FINALIZE)
                : ENDED_AFTER_ITS_TABLE.withRemedy(
                        "start a program of " + mpi + " by hand, and check that it ends",
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
                "the launch node retries for 10 min; if squeue --name=" + token
                        + " still shows the job then, run: scancel --name=" + token,
                why);
    }

    private static String people(MemlockLimit limit) {
        return limit.isUnlimited() ? "unlimited memory" : limit + " KiB";
    }
}
