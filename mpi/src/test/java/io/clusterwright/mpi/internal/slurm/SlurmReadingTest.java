package io.clusterwright.mpi.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.LocalTarget;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Slurm 22.05 prints, as it was captured on local nodes. */
class SlurmReadingTest {
    private static final SlurmLauncher LAUNCHER = new SlurmLauncher(SlurmNodes.of(LocalTarget.alone(2)));

    private static final String FAILED = """
            JobId=20 JobName=JobState=RUNNING ExitCode=7:0
               UserId=hpc(1001) GroupId=hpc(1001) MCS_label=N/A
               Priority=4294901740 Nice=0 Account=(null) QOS=(null)
               JobState=FAILED Reason=NonZeroExitCode Dependency=(null)
               Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:0
               RunTime=00:00:01 TimeLimit=UNLIMITED TimeMin=N/A
               Partition=debug AllocNode:Sid=cluster11:0
               ReqNodeList=(null) ExcNodeList=(null)
               NodeList=cluster[11-12]
               BatchHost=cluster11
               NumNodes=2 NumCPUs=2 NumTasks=2 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
               Command=/tmp/BatchHost=b.sh
               WorkDir=/tmp
               StdErr=/tmp/out of 20.txt
               StdIn=/dev/null
               StdOut=/tmp/out of 20.txt
               Power=
            """;

    @Test
    void doesNotReadAJobNameAsAState() {
        SlurmJobRecord job = SlurmJobRecord.ofControl(FAILED).get(0);
        QueuedJobStatus status = job.status();

        assertThat(status.state()).isEqualTo(QueuedJobStatus.State.FAILED);
        assertThat(status.word()).isEqualTo("FAILED");
        assertThat(status.reason()).isEqualTo("NonZeroExitCode");
        assertThat(status.exitStatus()).hasValue(3);
        assertThat(status.signal()).isEmpty();
        assertThat(status.ended()).isTrue();
        assertThat(status.succeeded()).isFalse();
        assertThat(job.batchHost()).isEqualTo("cluster11");
        assertThat(job.outputFile()).isEqualTo("/tmp/out of 20.txt");
        assertThat(job.name()).isEqualTo("JobState=RUNNING ExitCode=7:0");
        assertThat(job.ranks()).hasValue(2);
        assertThat(job.runTime()).isEqualTo(Duration.ofSeconds(1));
        String days = FAILED.replace("RunTime=00:00:01", "RunTime=2-03:04:05");
        assertThat(SlurmJobRecord.ofControl(days).get(0).runTime()).isEqualTo(Duration.parse("P2DT3H4M5S"));
    }

    /** Slurm prints the tasks of an array in any order, and all that wait as one. */
    @ParameterizedTest
    @CsvSource({
        "COMPLETED, COMPLETED, PENDING, RUNNING",
        "COMPLETED, RUNNING, PENDING, RUNNING",
        "COMPLETED, FAILED, COMPLETED, FAILED",
        "COMPLETED, COMPLETED, COMPLETED, SUCCEEDED"
    })
    void readsTheTasksOfAnArray(String first, String second, String rest, QueuedJobStatus.State all) {
        String text = task(20, "10-12%2", rest) + "\n" + task(22, "9", second) + "\n" + task(21, "1", first) + "\n";

        List<SlurmJobRecord> tasks = SlurmJobRecord.ofControl(text);

        assertThat(tasks).extracting(SlurmJobRecord::task).containsExactly("20_1", "20_9", "20_10-12");
        assertThat(SlurmJobRecord.joined(tasks).status().state()).isEqualTo(all);
    }

    private static String task(int id, String task, String state) {
        return FAILED.replace("JobId=20 ", "JobId=" + id + " ArrayJobId=20 ArrayTaskId=" + task + " ")
                .replace("JobState=FAILED Reason", "JobState=" + state + " Reason");
    }

    @Test
    void hasNoStatusBeforeTheEnd() {
        String pending = FAILED.replace("JobState=FAILED Reason=NonZeroExitCode", "JobState=PENDING Reason=Resources")
                .replace("ExitCode=3:0", "ExitCode=0:0")
                .replace("   BatchHost=cluster11\n", "")
                .replace("NodeList=cluster[11-12]", "NodeList=(null)");

        SlurmJobRecord job = SlurmJobRecord.ofControl(pending).get(0);
        QueuedJobStatus status = job.status();

        assertThat(status.ended()).isFalse();
        assertThat(status.exitStatus()).isEmpty();
        assertThat(status.reason()).isEqualTo("Resources");
        assertThat(job.batchHost()).isEmpty();
    }

    @Test
    void aJobOfWhichSlurmNamesNoStatusHasNone() {
        assertThat(status(FAILED.replace("ExitCode=3:0", "ExitCode=0:0")).exitStatus())
                .isEmpty();
        assertThat(status(FAILED.replace("Requeue=1", "x")).exitStatus()).isEmpty();
        assertThat(status(FAILED.replace("JobState=FAILED Reason=NonZeroExitCode", "JobState=COMPLETED Reason=None")
                                .replace("ExitCode=3:0", "ExitCode=0:0"))
                        .exitStatus())
                .hasValue(0);
    }

    private static QueuedJobStatus status(String text) {
        return SlurmJobRecord.ofControl(text).get(0).status();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "JobId=20", "slurm_load_jobs error: Invalid job id specified", "JobState=FAILED Reason=x"})
    void readsNothingOutOfOtherText(String text) {
        assertThat(SlurmJobRecord.ofControl(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "COMPLETED|0:0|a|b; COMPLETED; 0; -1",
                "CANCELLED by 1001|0:15|x; CANCELLED; -1; 15",
                "FAILED|3:0|x; FAILED; 3; -1",
                "TIMEOUT|0:0|x; TIMEOUT; -1; -1",
                "NODE_FAIL|0:0|x; NODE_FAIL; -1; -1",
                "RUNNING|0:0|x; RUNNING; -1; -1"
            })
    void readsTheAccounting(String text, String state, int exit, int signal) {
        QueuedJobStatus status =
                SlurmJobRecord.ofAccounting(text + "\n").orElseThrow().status();

        assertThat(status.word()).isEqualTo(state);
        assertThat(status.exitStatus().orElse(-1)).isEqualTo(exit);
        assertThat(status.signal().orElse(-1)).isEqualTo(signal);
    }

    @Test
    void readsTheAccountingOfAnArray() {
        QueuedJobStatus status = SlurmJobRecord.ofAccounting("COMPLETED|0:0|a\nFAILED|3:0|a\nCOMPLETED|0:0|a\n")
                .orElseThrow()
                .status();

        assertThat(status.word()).isEqualTo("FAILED");
        assertThat(status.exitStatus()).hasValue(3);
    }

    @ParameterizedTest
    @CsvSource({
        "srun: error: Task launch for StepId=14.0 failed on node cluster14: Communication connection failure, cluster14",
        "srun: error: Node failure on cluster12, cluster12",
        "'srun: Required node not available (down, drained or reserved)', a node of the job"
    })
    void knowsTheNodeThatCouldNotBeUsed(String line, String node) {
        assertThat(LAUNCHER.failure(line)).hasValueSatisfying(failure -> {
            assertThat(failure.host()).isEqualTo(node);
            assertThat(failure.status()).isEqualTo(LaunchFailure.REFUSED_BY_SCHEDULER);
            assertThat(failure.summary(failure.host())).startsWith("Slurm could not use " + node + ": srun says");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "clusterwright-alone cwjob-0123456789abcdef a.out does not speak pmix, CW-MPI-042",
        "'clusterwright-crowded cwjob-0123456789abcdef Slurm counts 2 CPUs on demo1, and the job needs 3 there', CW-MPI-044"
    })
    void knowsWhyAJobWasNotStarted(String line, String code) {
        assertThat(LAUNCHER.refusal(line)).hasValueSatisfying(finding -> {
            assertThat(finding.code()).isEqualTo(code);
            assertThat(finding.message()).endsWith(line.split(" ", 3)[2]);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "srun: job 15 queued and waiting for resources",
                "srun: Force Terminated StepId=5.0",
                "srun: error: Unable to allocate resources: Invalid node name specified",
                "error: cluster12: task 1: Killed"
            })
    void takesNothingElseForAFailure(String line) {
        assertThat(LAUNCHER.failure(line)).isEmpty();
        assertThat(LAUNCHER.refusal(line)).isEmpty();
    }
}
