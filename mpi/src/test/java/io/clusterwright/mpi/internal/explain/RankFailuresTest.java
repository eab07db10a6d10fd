package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.explain.RankFailures.RankPlacement;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RankFailuresTest {
    private static final int NONE = RankFailures.NONE;

    private final RankFailures failures = new RankFailures(
            new RankPlacement(List.of(
                    new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 2),
                    new LaunchNode(NodeName.of("cluster12"), Ipv4Address.of("10.32.0.12"), 2))),
            true);

    @Test
    void readsTheSignalThatOpenMpiNoticed() {
        feed("""
                --------------------------------------------------------------------------
                Primary job  terminated normally, but 1 process returned
                a non-zero exit code. Per user-direction, the job has been aborted.
                --------------------------------------------------------------------------
                mpirun.openmpi noticed that process rank 1 with PID 2470 on node 10.32.0.12 exited on signal 9 (Killed).
                """);

        assertThat(failures.found()).containsExactly(RankFailures.failure(1, "cluster12", NONE, 9, true));
    }

    @Test
    void readsTheTasksThatSrunReports() {
        feed(
                "srun: error: cluster12: task 3: Exited with exit code 7\nsrun: error: cluster11: tasks 0-1: Terminated\n");

        assertThat(failures.found())
                .containsExactly(
                        RankFailures.failure(3, "cluster12", 7, NONE, true),
                        RankFailures.failure(0, "cluster11", NONE, 15, false),
                        RankFailures.failure(1, "cluster11", NONE, 15, false));
        assertThat(taskFailure()).isEqualTo("rank 3 on cluster12 was the first to fail: Exited with exit code 7");
    }

    /** What srun ended may be reported before the rank for which it ended the others. */
    @Test
    void aTaskThatSrunEndedIsNotTheFirst() {
        feed("""
                srun: error: cluster11: tasks 0-1: Killed
                srun: error: cluster12: task 2: Segmentation fault (core dumped)
                """);

        assertThat(failures.found())
                .startsWith(RankFailures.failure(2, "cluster12", NONE, 11, true))
                .hasSize(3);
        assertThat(taskFailure())
                .isEqualTo("rank 2 on cluster12 was the first to fail: Segmentation fault (core dumped)");
    }

    @Test
    void oneOfSeveralTasksWasTheFirst() {
        feed("srun: error: cluster12: tasks 2-3: Killed\n");

        assertThat(failures.found()).noneMatch(RankFailure::first);
        assertThat(taskFailure()).isEqualTo("one of the ranks 2-3 on cluster12 was the first to fail: Killed");
    }

    /** Slurm kills all ranks when one calls MPI_Abort. */
    @Test
    void theRankThatAbortedIsNamedInsteadOfTheTasksThatSrunEnded() {
        feed("srun: error: cluster12: tasks 2-3: Killed\n");
        for (String line :
                List.of("MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD", "with errorcode 42.")) {
            failures.readOwn(new OutputLine(Stream.STDERR, OptionalInt.empty(), line));
        }

        assertThat(taskFailure())
                .isEqualTo("rank 3 on cluster12 was the first to fail: it called MPI_Abort with status 42");
    }

    /** A program may print what srun prints, and numbers that no rank has. */
    @Test
    void linesThatOnlyLookLikeAReportAreLeft() {
        feed("srun: error: x: tasks -: y\nsrun: error: x: tasks 3-: y\nsrun: error: x: tasks 0-999999999: y\n");
        RankFailures ofMpirun = new RankFailures(new RankPlacement(List.of()), false);
        ofMpirun.accept("srun: error: cluster12: task 0: Exited with exit code 3");

        assertThat(failures.taskFailure()).isEmpty();
        assertThat(ofMpirun.taskFailure()).isEmpty();
    }

    /** A job of four ranks; any of them can print such lines where they have no labels. */
    @Test
    void ranksAndHostsThatTheJobDoesNotHaveFillNoMemoryAndDecideNothing() {
        for (int i = 4; i < 3000; i++) {
            for (String line : List.of(
                    "Abort(5) on node " + i + " (rank 0 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 5)",
                    "MPI_ABORT was invoked on rank " + i + " in communicator MPI_COMM_WORLD",
                    "with errorcode 5.",
                    "mpirun noticed that process rank " + i + " with PID 1 on node x exited on signal 9 (Killed).",
                    "[mpiexec@x] Exit codes: [host" + i + "] 256,256")) {
                failures.accept(line);
                failures.readOwn(new OutputLine(Stream.STDERR, OptionalInt.empty(), line));
            }
        }
        assertThat(failures.abortStatuses()).isEmpty();
        assertThat(failures.aborted()).isEmpty();
        assertThat(failures.found()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void numbersThatNoRankHasAreNoReport() {
        String large = "99999999999";
        feed("""
                [mpiexec@x] Exit codes: [cluster11] 99999999999
                =   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
                =   RANK 99999999999 PID 1 RUNNING AT cluster11
                =   EXIT CODE: 99999999999
                =   KILLED BY SIGNAL: 99999999999 (x)
                YOUR APPLICATION TERMINATED WITH THE EXIT STRING: x (signal 99999999999)
                mpirun noticed that process rank 99999999999 with PID 1 on node x exited on signal 9.
                mpirun noticed that process rank 1 with PID 1 on node x exited on signal 99999999999.
                Process name: [[1,2],99999999999] Exit code: 1
                Process name: [[1,2],1] Exit code: 99999999999
                srun: error: cluster11: tasks 3-1: Killed
                """);

        assertThat(JobOutput.unreached(
                        new JobFolder("cwjob-0123456789abcdef"),
                        "clusterwright-launch cwjob-0123456789abcdef x " + large + " no"))
                .isEmpty();
        assertThat(failures.found()).isEmpty();
    }

    @Test
    void longListsOfNumbersAreRead() {
        assertThat(failures.accept("[mpiexec@x] Exit codes: [cluster11] 0" + ",0".repeat(30_000)))
                .isTrue();
        feed("srun: error: cluster11: tasks 0" + ",1".repeat(30_000) + ": Killed\n");

        assertThat(failures.found()).hasSize(2);
    }

    /** A rank can print the words of srun as often as it likes. */
    @Test
    void tasksThatTheJobDoesNotHaveAreLeft() {
        feed("srun: error: cluster11: tasks 0-999999: Exited with exit code 1\n".repeat(2000));
        feed("srun: error: cluster11: tasks 0-3: Killed\n".repeat(2000));

        assertThat(failures.found()).hasSize(4);
        assertThat(taskFailure()).isEqualTo("one of the ranks 0-3 on cluster11 was the first to fail: Killed");
    }

    private String taskFailure() {
        return failures.taskFailure().orElseThrow().message();
    }

    @Test
    void readsASentenceThatPrrteBroke() {
        feed("""
                prterun noticed that process rank 2 with PID 1617008 on node cpu155 exited on
                signal 4 (Illegal instruction).
                """);

        assertThat(failures.found()).containsExactly(RankFailures.failure(2, "cpu155", NONE, 4, true));
        assertThat(failures.found().get(0)).hasToString("rank 2 on cpu155 was ended by signal 4");
    }

    @Test
    void readsTheStatusThatOpenMpiDetected() {
        feed("""
                mpirun.openmpi detected that one or more processes exited with non-zero status, thus causing
                the job to be terminated. The first process to do so was:

                  Process name: [[26481,1],3]
                  Exit code:    3
                """);

        assertThat(failures.found()).containsExactly(RankFailures.failure(3, "cluster12", 3, NONE, true));
    }

    @Test
    void readsTheCodesOfHydra() {
        assertThat(failures.accept("[mpiexec@cluster11] Exit codes: [10.32.0.11] 0,768"))
                .isTrue();
        assertThat(failures.accept("[10.32.0.12] 0,0")).isTrue();
        assertThat(failures.accept("[10.32.0.12] 7,7 is the program's")).isFalse();

        assertThat(failures.found()).containsExactly(RankFailures.failure(1, "cluster11", 3, NONE, true));
    }

    @Test
    void findsTheFirstAmongThoseThatHydraEnded() {
        block("10.32.0.12", "11");
        failures.accept("[mpiexec@cluster11] Exit codes: [10.32.0.11] 9,9");
        failures.accept("[10.32.0.12] 139,9");
        failures.accept("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)");

        assertThat(failures.found().get(0)).isEqualTo(RankFailures.failure(2, "cluster12", NONE, 11, true));
        assertThat(failures.found()).extracting(RankFailure::first).containsExactly(true, false, false, false);
    }

    @Test
    void doesNotGuessWhichOfTwoWasFirst() {
        failures.accept("[mpiexec@cluster11] Exit codes: [10.32.0.11] 256,512");
        failures.accept("[10.32.0.12] 0,0");

        assertThat(failures.found())
                .containsExactly(
                        RankFailures.failure(0, "cluster11", 1, NONE, false),
                        RankFailures.failure(1, "cluster11", 2, NONE, false));
    }

    @Test
    void namesTheHostWhereTheRankIsOpen() {
        block("10.32.0.12", "9");
        failures.accept("[mpiexec@cluster11] Exit codes: [10.32.0.11] 0,0");
        failures.accept("[10.32.0.12] 9,9");
        failures.accept("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)");

        assertThat(failures.found().get(0)).isEqualTo(RankFailures.failure(NONE, "cluster12", NONE, 9, true));
        assertThat(failures.found()).hasSize(3);
    }

    @Test
    void doesNotTakeTheCodeOfABlockForAStatusOrASignal() {
        block("10.32.0.12", "11");

        assertThat(failures.found()).containsExactly(RankFailures.failure(NONE, "cluster12", NONE, NONE, true));
        assertThat(failures.found().get(0)).hasToString("a rank on cluster12 ended badly");
    }

    @Test
    void readsTheBlockOfIntelMpi() {
        feed("""
                ===================================================================================
                =   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
                =   RANK 3 PID 21744 RUNNING AT cluster12
                =   KILLED BY SIGNAL: 11 (Segmentation fault)
                ===================================================================================
                """);

        assertThat(failures.found()).containsExactly(RankFailures.failure(3, "cluster12", NONE, 11, true));
    }

    @Test
    void saysNothingOfOrdinaryOutput() {
        feed("process rank 1 is happy\nExit codes: none\n[10.32.0.11] 1,2\n=   EXIT CODE: 9\n");

        assertThat(failures.found()).isEmpty();
    }

    @Test
    void readsTheFirstAbortAndTheStatusesOfAll() {
        assertThat(aborts(
                        1,
                        "Abort(604582671) on node 1 (rank 1 in comm 0): Fatal error in PMPI_Sendrecv: Other MPI error"))
                .isFalse();
        assertThat(aborts(
                        3,
                        "Abort(-1) on node 3 (rank 1 in comm 496): application called MPI_Abort(comm=0x84000001, -1)"))
                .isTrue();
        assertThat(aborts(2, "Abort(5) on node 2 (rank 2 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 5)"))
                .isFalse();
        assertThat(aborts(0, "Abort(7) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 7)"))
                .as("a rank speaks for itself only")
                .isFalse();

        assertThat(failures.aborted()).contains(RankFailures.failure(3, "cluster12", 255, NONE, true));
        assertThat(failures.abortStatuses()).isEqualTo(Map.of(1, 15, 3, 255, 2, 5));
    }

    @Test
    void readsTheAbortOfOpenMpi() {
        assertThat(aborts(2, "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD"))
                .isFalse();
        assertThat(aborts(2, "with errorcode -1.")).isTrue();

        assertThat(failures.aborted()).contains(RankFailures.failure(2, "cluster12", 255, NONE, true));
    }

    /** MPICH lets a rank end itself by SIGABRT when it has written why. */
    @Test
    void theStatusOfAnAbortCountsMoreThanItsSignal() {
        RankEnds ends = new RankEnds(4);
        ends.ended(NodeName.of("cluster11"), 1, 134);

        assertThat(ends.failures(Optional.empty(), List.of(), Map.of(1, 15)))
                .containsExactly(RankFailures.failure(1, "cluster11", 15, NONE, true));
        assertThat(ends.failures(Optional.empty(), List.of(), Map.of()))
                .containsExactly(RankFailures.failure(1, "cluster11", NONE, 6, true));
    }

    /** UCX prints a backtrace before a rank ends that crashed: others may fail earlier, because of it. */
    @Test
    void aRankThatSaysThatItCrashedIsTheFirst() {
        String crash =
                "[node3:2447 :0:2447] Caught signal 11 (Segmentation fault: address not mapped to object at address (nil))";
        assertThat(aborts(2, crash)).isFalse();
        assertThat(aborts(3, "Abort(1008356879) on node 3 (rank 3 in comm 0): Fatal error in internal_Sendrecv"))
                .isFalse();
        assertThat(aborts(1, "Abort(5) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 5)"))
                .isFalse();

        assertThat(failures.crashed()).contains(RankFailures.failure(2, "cluster12", NONE, 11, true));
        assertThat(failures.aborted()).isEmpty();
    }

    @Test
    void aFatalErrorOfMpiIsTheFirstFailureOnlyWhereNoOtherRankFailed() {
        RankEnds ends = new RankEnds(4);
        ends.ended(NodeName.of("cluster12"), 3, 134);
        ends.ended(NodeName.of("cluster11"), 0, 137);
        assertThat(ends.failures(Optional.empty(), List.of(), Map.of(3, 15)).get(0))
                .isEqualTo(RankFailures.failure(3, "cluster12", 15, NONE, true));

        ends.ended(NodeName.of("cluster12"), 2, 3);
        assertThat(ends.failures(Optional.empty(), List.of(), Map.of(3, 15)))
                .containsExactly(
                        RankFailures.failure(2, "cluster12", 3, NONE, true),
                        RankFailures.failure(3, "cluster12", 15, NONE, false),
                        RankFailures.failure(0, "cluster11", NONE, 9, false));
    }

    /** As measured with Open MPI 5.0.7, whose word is on the rank that lost its partner. */
    @Test
    void aRankWhosePartnerIsGoneIsNotTheFirst() {
        aborts(1, "[node1:00000] *** An error occurred in Socket closed");
        RankEnds ends = new RankEnds(4);
        ends.ended(NodeName.of("cluster11"), 1, 14);
        ends.ended(NodeName.of("cluster12"), 3, 3);

        assertThat(ends.failures(Optional.empty(), List.of(), failures.abortStatuses()))
                .containsExactly(
                        RankFailures.failure(3, "cluster12", 3, NONE, true),
                        RankFailures.failure(1, "cluster11", 14, NONE, false));
    }

    private boolean aborts(int rank, String text) {
        return failures.readOwn(new OutputLine(Stream.STDERR, OptionalInt.of(rank), text));
    }

    private void block(String host, String code) {
        feed("""
                ===================================================================================
                =   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
                =   PID 2947 RUNNING AT %s
                =   EXIT CODE: %s
                =   CLEANING UP REMAINING PROCESSES
                """.formatted(host, code));
    }

    private void feed(String text) {
        text.lines().forEach(line -> assertThat(failures.accept(line)).isFalse());
    }

    @Test
    void hydraWritesItsCodesRightAfterAnOutputWithoutLineFeed() {
        assertThat(codes("last words[mpiexec@demo1] Exit codes: [10.32.0.4] 0,0\n"))
                .isEqualTo("last words".length());
        assertThat(codes("[mpiexec@demo1] Exit codes: [10.32.0.4] 0,0\n")).isZero();
        assertThat(codes("the text [mpiexec@demo1] says nothing\n")).isZero();
    }

    private static int codes(String text) {
        return RankFailures.codesAfterOutput(new Line(1, text.getBytes(StandardCharsets.UTF_8), true));
    }
}
