package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.SlurmTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Nodes with a real Slurm for the tests of a class, after each of which nothing of its jobs is left. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class WithSlurm {
    static final Duration MINUTE = Duration.ofMinutes(1);

    final List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());
    Cluster cluster;
    SlurmOnNodes slurm;
    SlurmTarget target;
    private String stuckAfter = "";

    @BeforeAll
    void startSlurm(Cluster nodes) {
        cluster = nodes;
        slurm = SlurmOnNodes.start(cluster);
        target = SlurmTarget.of(cluster).partition("debug");
    }

    /** A wait for idle nodes takes minutes when it is in vain: the tests after it would only repeat it. */
    @BeforeEach
    void nodesWereIdleAfterEachTest() {
        assertThat(stuckAfter)
                .as("the test after which the nodes did not become idle")
                .isEmpty();
    }

    @AfterEach
    void nothingIsLeft(TestInfo test) {
        lines.clear();
        if (stuckAfter.isEmpty()) {
            stuckAfter = test.getDisplayName();
            slurm.assertNothingIsLeft();
            stuckAfter = "";
        }
    }

    /** The job under MPICH, one rank on each node unless it says otherwise. */
    JobResult run(MpiJob job) {
        MpiJob spread = job.ranks().isPresent() ? job : job.ranksPerNode(1);
        return spread.flavour(MpiFlavour.MPICH).on(target).onOutput(lines::add).run(MINUTE);
    }

    /** The job, once every rank has printed a line. */
    RunningJob startedEverywhere(MpiJob job) throws InterruptedException {
        CountDownLatch up = new CountDownLatch(3);
        RunningJob running =
                job.ranksPerNode(1).on(target).onOutput(line -> up.countDown()).start(MINUTE);
        assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
        return running;
    }

    MpiInstallation installed(MpiFlavour flavour) {
        return MpiInstallation.on(NodeTarget.of(target).session(names().get(0))).stream()
                .filter(mpi -> mpi.flavour() == flavour)
                .findFirst()
                .orElseThrow();
    }

    List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }

    /** A handle of the same job, as another program has it. */
    QueuedJob found(QueuedJob job) {
        return QueuedJob.find(SlurmTarget.of(cluster), job.id());
    }

    static MpiJob shell(String script) {
        return MpiJob.of("/bin/sh", "-c", script);
    }

    static String message(JobResult result, String code) {
        return finding(result, code).message();
    }

    static Finding finding(JobResult result, String code) {
        return result.findings().stream()
                .filter(finding -> finding.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new AssertionError(code + " is none of " + result.findings()));
    }
}
