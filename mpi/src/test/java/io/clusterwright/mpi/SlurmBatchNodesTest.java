package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs handed over to a real Slurm on real nodes. */
@Tag("breadth")
@LocalCluster(nodes = 3)
class SlurmBatchNodesTest extends WithSlurm {

    @Test
    void jobsOutliveTheConnectionAndReportTheirEnd(@TempDir Path folder) throws IOException {
        QueuedJob job = shell("echo rank $SLURM_PROCID says \"$SAYS\"; sleep 1")
                .environment("SAYS", "it's \"a,b\" $x")
                .ranksPerNode(1)
                .on(target.outputFile("/tmp/out of %j.txt"))
                .submit();
        slurm.breakConnections();

        QueuedJob again = found(job);
        QueuedJobStatus end = again.await(MINUTE).orElseThrow();

        assertThat(end.succeeded()).as("%s", end).isTrue();
        assertThat(end.exitStatus()).hasValue(0);
        assertThat(again.output().lines().filter(line -> line.startsWith("rank")))
                .containsExactlyInAnyOrder(
                        "rank 0 says it's \"a,b\" $x", "rank 1 says it's \"a,b\" $x", "rank 2 says it's \"a,b\" $x");
        Path local = folder.resolve("output.txt");
        again.downloadOutput(local);
        assertThat(local).hasContent(again.output());
    }

    @Test
    void outputBeyond16MiBIsFollowedInPieces() {
        String script = "[ $SLURM_PROCID = 0 ] || exit 0; seq -f '%06.0f ä€ " + "x".repeat(100) + "' 1 160000;"
                + " echo; echo 'the end, €'";
        List<String> broken = new ArrayList<>();
        AtomicInteger count = new AtomicInteger();
        QueuedJob watched;
        QueuedJobResult end;
        int tries = 0;
        do {
            cluster.run(Command.of("rm", "-f", "/tmp/followed.out"), names(), cluster.mpiUser())
                    .orThrow();
            broken.clear();
            count.set(0);
            watched = found(shell(script)
                    .ranksPerNode(1)
                    .on(target.outputFile("/tmp/followed.out"))
                    .submit());
            end = watched.follow(MINUTE, line -> {
                        String wanted = String.format("%06d ä€ %s", count.get() + 1, "x".repeat(100));
                        if (line.text().equals(wanted)) {
                            count.incrementAndGet();
                        } else {
                            broken.add(line.text());
                        }
                    })
                    .orElseThrow();
            // On busy cores srun loses the end of the output of 2 in 100 such jobs, and fails them: the job's fault,
            // not the reader's.
        } while (++tries < 4 && broken.toString().contains("aborting, io error with slurmstepd"));

        assertThat(count).hasValue(160_000);
        assertThat(broken).containsExactly("", "the end, €");
        assertThat(end.outputTail()).hasSize(200);
        assertThat(end.succeeded()).as("%s", end).isTrue();
        assertThat(end.ranks()).hasValue(3);
        assertThat(end.duration()).isLessThan(MINUTE);

        // Slurm begins the file anew when it runs the job again.
        cluster.run(Command.shell("echo again > /tmp/followed.out"), names(), cluster.mpiUser())
                .orThrow();
        List<String> again = new ArrayList<>();
        watched.follow(MINUTE, line -> again.add(line.text()));
        watched.follow(MINUTE, line -> again.add(line.text()));
        assertThat(again).containsExactly("again");
    }

    @Test
    void aSlowJobIsFollowedByOneWaitAfterTheOther() {
        QueuedJob job = shell("echo up; sleep 4; echo done; exit 3")
                .ranks(1)
                .on(target.outputFile("/tmp/%j.out"))
                .submit();
        List<String> lines = new ArrayList<>();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> job.follow(Duration.ofMillis(100), line -> lines.add(line.text()))
                                .isEmpty()
                        && lines.contains("up"));

        QueuedJobResult end = job.follow(MINUTE, line -> lines.add(line.text())).orElseThrow();

        assertThat(lines).startsWith("up").contains("done");
        assertThat(end.succeeded()).isFalse();
        assertThat(end.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(end.status().exitStatus()).hasValue(3);
        assertThat(end.findings())
                .as("%s", end.findings())
                .extracting(Finding::code)
                .contains("CW-MPI-040")
                .doesNotContain("CW-MPI-060");
    }

    @Test
    void theTasksOfAnArrayAreOneJob(@TempDir Path folder) throws IOException {
        String id = cluster.session(names().get(0), cluster.mpiUser())
                .run(Command.of("sbatch", "--parsable", "--array=1-4%2", "--output=/tmp/arr-%A_%a.out")
                        .input("#!/bin/sh\necho task $SLURM_ARRAY_TASK_ID; test $SLURM_ARRAY_TASK_ID != 3\n"))
                .orThrow()
                .stdout()
                .strip();
        QueuedJob array = QueuedJob.find(target, id);
        List<String> lines = new ArrayList<>();

        QueuedJobResult end =
                array.follow(MINUTE, line -> lines.add(line.text())).orElseThrow();

        assertThat(end.succeeded()).isFalse();
        assertThat(end.status().exitStatus()).hasValue(1);
        assertThat(lines.stream().map(line -> line.replaceAll(", .* <==", "")))
                .containsExactly(
                        "==> " + id + "_1",
                        "task 1",
                        "==> " + id + "_2",
                        "task 2",
                        "==> " + id + "_3",
                        "task 3",
                        "==> " + id + "_4",
                        "task 4");
        assertThat(array.output().lines()).isEqualTo(lines);
        array.downloadOutput(folder.resolve("all.txt"));
        assertThat(folder.resolve("all.txt")).hasContent(array.output());
        QueuedJob task = QueuedJob.find(target, id + "_2");
        assertThat(task.output()).isEqualTo("task 2\n");
        assertThat(task.status().succeeded()).isTrue();
    }

    @Test
    void jobsReportTheirStatus() {
        QueuedJobStatus end =
                shell("exit 3").ranks(1).on(target).submit().await(MINUTE).orElseThrow();

        assertThat(end.state()).isEqualTo(QueuedJobStatus.State.FAILED);
        assertThat(end.word()).isEqualTo("FAILED");
        assertThat(end.succeeded()).isFalse();
        assertThat(end.exitStatus()).hasValue(3);
    }

    @Test
    void severalProgramsRunInAQueue() {
        List<String> printed = Collections.synchronizedList(new ArrayList<>());

        MpiJob.of("echo", "it's")
                .ranks(1)
                .and(1, "echo", ":")
                .on(target)
                .submit()
                .follow(MINUTE, line -> printed.add(line.text()));

        assertThat(printed).containsExactlyInAnyOrder("it's", ":");
    }

    @Test
    void cancelledJobsLeaveNoProcess() {
        QueuedJob job = shell("trap '' TERM HUP; setsid sleep 300 & while :; do sleep 1; done")
                .ranksPerNode(1)
                .on(target.outputFile("/tmp/%j.out"))
                .submit();
        await().atMost(Duration.ofSeconds(20)).until(() -> job.status().word().equals("RUNNING"));
        assertThat(job.await(Duration.ofMillis(300))).isEmpty();

        Map<NodeName, Leftovers> left = job.cancel();

        assertThat(left).containsOnlyKeys(names());
        assertThat(left.values()).allMatch(Leftovers::isClean);
        // Slurm itself kills what ignores SIGTERM after 30 s only, where it has not seen that the library did.
        assertThat(job.await(MINUTE).orElseThrow().state()).isEqualTo(QueuedJobStatus.State.CANCELLED);
        assertThat(job.cancel().values()).allMatch(Leftovers::isClean);
    }

    @Test
    void showsTheReasonOfARefusal() {
        PlacedMpiJob job = MpiJob.of("true").on(target.partition("nosuch"));

        assertThatThrownBy(job::submit)
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("invalid partition specified: nosuch");
    }

    @Test
    void reportsForgottenJobsAsUnknown() {
        QueuedJobStatus unknown = QueuedJob.find(target, "999999").status();

        assertThat(unknown.state()).isEqualTo(QueuedJobStatus.State.UNKNOWN);
        assertThat(unknown.ended()).isTrue();
        assertThat(unknown.succeeded()).isFalse();
    }

    @Test
    void jobsFindStagedFiles(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("case"), "the case\n");

        QueuedJob job = shell("echo $SLURM_PROCID: $(cat /tmp/case)")
                .stageIn(file, "/tmp/case")
                .ranksPerNode(1)
                .on(target.outputFile("/tmp/%j.out"))
                .submit();

        assertThat(job.await(MINUTE).orElseThrow().succeeded()).isTrue();
        assertThat(job.output().lines().filter(line -> line.endsWith("the case")))
                .containsExactlyInAnyOrder("0: the case", "1: the case", "2: the case");
    }

    @Test
    void refusesJobsWhoseRanksWouldRunAlone() {
        int before = slurm.jobsSoFar();
        PlacedMpiJob job = MpiJob.of("NPmpich2").flavour(MpiFlavour.MPICH).on(target.pmi("pmix"));

        assertThatThrownBy(job::submit)
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining(
                        "libmpich.so.12, which does not speak pmix; if SlurmTarget.pmi is set, remove it");
        assertThat(slurm.jobsSoFar()).isEqualTo(before);
    }
}
