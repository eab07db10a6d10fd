package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.Cluster;
import io.clusterwright.core.cluster.Node;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs handed over to a real Slurm on real nodes. */
@LocalCluster(nodes = 3)
@Timeout(120)
class SlurmBatchNodesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static SlurmOnNodes slurm;
    private static SlurmTarget target;

    private final Cluster cluster;

    SlurmBatchNodesTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    static void startSlurm(Cluster cluster) {
        slurm = SlurmOnNodes.start(cluster);
        target = SlurmTarget.of(cluster).partition("debug");
    }

    @AfterEach
    void nothingIsLeft() {
        slurm.assertNothingIsLeft();
    }

    @Test
    void outliveTheConnectionAndTellTheirEnd() {
        SlurmJob job = SlurmBatch.of(
                        SlurmNodesTest.shell("echo rank $SLURM_PROCID says \"$SAYS\"; sleep 1")
                                .environment("SAYS", "it's \"a,b\" $x")
                                .ranksPerNode(1),
                        target)
                .outputFile("/tmp/out of %j.txt")
                .submit();
        slurm.breakConnections();

        SlurmJob again = SlurmJob.of(SlurmTarget.of(cluster), job.id());
        SlurmJobStatus end = again.await(MINUTE).orElseThrow();

        assertThat(end.succeeded()).as("%s", end).isTrue();
        assertThat(end.exitStatus()).hasValue(0);
        assertThat(again.output().lines().filter(line -> line.startsWith("rank")))
                .containsExactlyInAnyOrder(
                        "rank 0 says it's \"a,b\" $x", "rank 1 says it's \"a,b\" $x", "rank 2 says it's \"a,b\" $x");
    }

    @Test
    void tellTheirStatus() {
        SlurmJobStatus end = SlurmBatch.of(SlurmNodesTest.shell("exit 3").ranks(1), target)
                .submit()
                .await(MINUTE)
                .orElseThrow();

        assertThat(end.state()).isEqualTo("FAILED");
        assertThat(end.succeeded()).isFalse();
        assertThat(end.exitStatus()).hasValue(3);
    }

    @Test
    void areCancelledWithAllTheyStarted() {
        SlurmJob job = SlurmBatch.of(
                        SlurmNodesTest.shell("trap '' TERM HUP; setsid sleep 300 & while :; do sleep 1; done")
                                .ranksPerNode(1),
                        target)
                .outputFile("/tmp/%j.out")
                .submit();
        await().atMost(Duration.ofSeconds(20)).until(() -> job.status().state().equals("RUNNING"));
        assertThat(job.await(Duration.ofMillis(300))).isEmpty();

        Map<NodeName, Leftovers> left = job.cancel();

        assertThat(left).containsOnlyKeys(names());
        assertThat(left.values()).allMatch(Leftovers::clean);
        assertThat(job.await(Duration.ofSeconds(30)).orElseThrow().state()).isEqualTo("CANCELLED");
        assertThat(job.cancel().values()).allMatch(Leftovers::clean);
    }

    @Test
    void areRefusedInTheWordsOfSlurm() {
        SlurmBatch batch = SlurmBatch.of(MpiJob.of("true"), target.partition("nosuch"));

        assertThatThrownBy(batch::submit)
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("invalid partition specified: nosuch");
    }

    @Test
    void areForgottenWhenNobodyKnowsThem() {
        SlurmJobStatus unknown = SlurmJob.of(target, 999_999).status();

        assertThat(unknown.state()).isEqualTo(SlurmJobStatus.FORGOTTEN);
        assertThat(unknown.ended()).isTrue();
        assertThat(unknown.succeeded()).isFalse();
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }
}
