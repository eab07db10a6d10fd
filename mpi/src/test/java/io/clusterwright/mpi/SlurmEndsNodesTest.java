package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.internal.agent.LeftoverSweep;
import io.clusterwright.mpi.internal.agent.NodeAgent;
import io.clusterwright.mpi.internal.agent.NodeAgents;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that a real Slurm starts on real nodes: how they end, and what is left then. */
@Tag("breadth")
@LocalCluster(nodes = 3)
class SlurmEndsNodesTest extends WithSlurm {

    @Test
    void namesTheRankThatExitedWithAStatus() {
        JobResult result = run(shell("test $SLURM_PROCID = 1 || exec sleep 300; sleep 0.5; exit 3"));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus().orElseThrow()).isPositive();
        assertThat(message(result, "CW-MPI-040"))
                .isEqualTo("rank 1 on " + names().get(1) + " was the first to fail: Exited with exit code 3");
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void namesTheRankEndedByASignal() {
        JobResult result = run(shell("test $SLURM_PROCID = 2 || exec sleep 300; sleep 0.5; kill -KILL $$"));

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-MPI-040"))
                .isEqualTo("rank 2 on " + names().get(2) + " was the first to fail: Killed");
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void leavesNothingOfAJobBeyondItsTimeLimit() {
        JobResult result = shell("trap '' TERM HUP INT; setsid sleep 300 & while :; do sleep 1; done")
                .flavour(MpiFlavour.MPICH)
                .ranksPerNode(1)
                .on(target)
                .run(Duration.ofSeconds(2));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.leftovers()).containsOnlyKeys(names());
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void cancelledJobsEnd() throws InterruptedException {
        RunningJob running = startedEverywhere(shell("echo up; sleep 300").flavour(MpiFlavour.OPEN_MPI));
        running.cancel();

        JobResult result = running.await(Duration.ofSeconds(30)).orElseThrow();

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void cancelledJobsStartNoMoreRanks() throws InterruptedException {
        slurm.delayStarts(2, 3);
        try {
            CountDownLatch up = new CountDownLatch(2);
            RunningJob running = shell("trap '' TERM; echo up; sleep 300")
                    .flavour(MpiFlavour.MPICH)
                    .ranksPerNode(1)
                    .on(target)
                    .onOutput(line -> up.countDown())
                    .start(MINUTE);
            assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
            running.cancel();

            JobResult result = running.await(Duration.ofSeconds(30)).orElseThrow();
            assertThat(result.outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
            slurm.awaitIdle();
            slurm.assertNothingRuns();
        } finally {
            slurm.delayStarts(2, 0);
        }
    }

    @Test
    void jobsGoOnWhenTheirSessionBreaks() throws InterruptedException {
        RunningJob running =
                startedEverywhere(shell("echo up; sleep 15; exit 3").flavour(MpiFlavour.MPICH));
        slurm.breakConnections();

        JobResult result = running.await(MINUTE).orElseThrow();

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @Test
    void sweepsOfAJobDoNotEndItsRelease() {
        JobFolder folder = folder();
        LaunchCommand command = command(folder, shell("sleep 300"));
        NodeTarget nodes = NodeTarget.of(target);
        NodeSession session = nodes.session(names().get(0));
        session.run(Command.of(
                        "sbatch",
                        "--quiet",
                        "--job-name=" + folder.token(),
                        "--nodelist=" + names().get(2),
                        "--chdir=/tmp",
                        "--wrap=exec env -u SLURM_JOB_NAME sleep 300"))
                .orThrow();
        await().atMost(Duration.ofSeconds(20)).until(() -> slurm.queue().contains(" R "));
        slurm.silence(true);
        try (RunningCommand release = session.start(
                Command.of(command.release()).input(folder.token() + "\n"), (stream, bytes, length) -> {})) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            session.run(Command.of("pgrep", "-x", "squeue")).succeeded());

            assertThat(new LeftoverSweep(nodes, folder).end().get(names().get(0)))
                    .isEqualTo(new Leftovers(0, 0, ""));

            slurm.silence(false);
            assertThat(release.await(MINUTE)).hasValue(0);
        } finally {
            slurm.silence(false);
        }
    }

    @Test
    void nodesEndJobsWhoseClientDied() {
        JobFolder folder = abandon(shell("trap '' TERM; echo up; sleep 300").ranksPerNode(1));

        slurm.awaitNothingRuns(Duration.ofSeconds(40));
        assertThat(new LeftoverSweep(NodeTarget.of(target), folder)
                        .countBeside(Map.of())
                        .values())
                .allMatch(Leftovers::isClean);
    }

    @Test
    void nodesReleaseJobsOfADeadClientOnceTheControllerAnswers() {
        abandon(shell("trap '' TERM; echo up; sleep 300").ranksPerNode(1), () -> slurm.silenceFor(12));

        awaitAnswering(() -> {
            assertThat(slurm.queue()).doesNotContain(" R ");
            slurm.assertNothingRuns();
        });
        slurm.endJobsOfSilence();
    }

    @Test
    void tellsThatSlurmStillHoldsTheNodes() throws InterruptedException {
        RunningJob running = startedEverywhere(shell("echo up; sleep 300").flavour(MpiFlavour.MPICH));
        slurm.silence(true);
        JobResult result;
        try {
            running.cancel();
            result = running.await(MINUTE).orElseThrow();
        } finally {
            slurm.silence(false);
        }

        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        Finding held = finding(result, "CW-MPI-043");
        assertThat(held.message()).contains("no answer from the Slurm controller");
        assertThat(held.remedy()).contains("scancel --name=" + running.token());
        awaitAnswering(() -> assertThat(slurm.queue()).doesNotContain(" R "));
        slurm.endJobsOfSilence();
    }

    @Test
    void nodesEndJobsOfADeadClientWhileOthersStart() {
        slurm.delayStarts(2, 15);
        try {
            abandon(shell("trap '' TERM; touch /tmp/started-late; echo up; sleep 300")
                    .ranksPerNode(1));

            slurm.awaitNothingRuns(Duration.ofSeconds(40));
            slurm.awaitIdle();
            assertThat(slurm.root(2, "ls", "/tmp").stdout()).doesNotContain("started-late");
        } finally {
            slurm.delayStarts(2, 0);
        }
    }

    /** Until it holds; the controller may give no answer at first. */
    private static void awaitAnswering(ThrowingRunnable assertion) {
        await().atMost(MINUTE)
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptionsInstanceOf(CommandException.Failed.class)
                .untilAsserted(assertion);
    }

    /** Starts a job as the library does, and is gone as soon as a rank is heard: the folder of the job. */
    private JobFolder abandon(MpiJob job) {
        return abandon(job, () -> {});
    }

    private JobFolder abandon(MpiJob job, Runnable before) {
        JobFolder folder = folder();
        LaunchCommand command = command(folder, job);
        NodeSession session = NodeTarget.of(target).session(names().get(0));
        session.run(Command.of("mkdir", "-m", "0700", folder.path())).orThrow();
        command.programs()
                .forEach((name, content) ->
                        session.write(content.getBytes(StandardCharsets.UTF_8), folder.path(name), 0700));
        CountDownLatch up = new CountDownLatch(1);
        NodeAgent agent = NodeAgents.of(session).take();
        agent.launch(folder, command, (stream, bytes, length) -> up.countDown());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> up.getCount() == 0 && slurm.queue().contains(" R "));
        before.run();
        slurm.breakConnections();
        assertThatThrownBy(() -> agent.status(MINUTE)).isInstanceOf(NodeUnreachableException.class);
        return folder;
    }

    private static JobFolder folder() {
        return new JobFolder("cwjob-" + HexFormat.of().toHexDigits(System.nanoTime()));
    }

    private LaunchCommand command(JobFolder folder, MpiJob job) {
        NodeTarget nodes = NodeTarget.of(target);
        MpiInstallation mpi = MpiInstallation.on(nodes.session(names().get(0))).get(0);
        LaunchRequest request = LaunchRequest.of(
                        mpi,
                        nodes.nodes().stream().map(node -> node.withSlots(1)).toList(),
                        folder,
                        job.program())
                .options(EnumSet.of(LaunchOption.LABEL_RANKS, LaunchOption.SHARED_MACHINE))
                .networks(nodes.network().stream().toList());
        return nodes.launcher().orElseThrow().command(request);
    }
}
