package io.clusterwright.mpi.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.linux.junit.LocalCluster;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits that can be told apart: one for a group, one for root, both below what any machine here allows. */
@Tag("breadth")
@LocalCluster(nodes = 2, description = MemlockCheckTest.Limits.class)
@Timeout(180)
class MemlockCheckTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster;

    MemlockCheckTest(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The MPI user is in a group that may lock 4096 KiB; root may lock 2048. */
    static final class Limits implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            spec.image(image -> image.customize(customize -> customize
                    .user("hpcuser", "hpc")
                    .mpi(mpi -> mpi.flavour(MpiFlavour.MPICH))
                    .memlock(MemlockRule.of("@hpc", "4096"), MemlockRule.of("root", "2048"))));
        }
    }

    @Test
    void findsTheLimitOfEachUserInSessionsAndInsideMpirun() {
        MemlockCheck.Report report = MemlockCheck.on(cluster).run(MINUTE);

        assertThat(report.succeeded()).as("%s", report.rows()).isTrue();
        assertThat(report.lowered()).isFalse();
        assertThat(report.rows()).hasSize(6);
        assertThat(report.rows())
                .filteredOn(row -> row.user().equals("hpcuser"))
                .extracting(MemlockCheck.Row::inForce)
                .containsOnly("4096");
        assertThat(report.rows())
                .filteredOn(row -> row.user().equals("root"))
                .extracting(MemlockCheck.Row::inForce)
                .containsOnly("2048");
    }

    @Test
    void namesTheNodeThePlaceAndTheUserWhenALimitIsWrong() {
        String later = "/etc/security/limits.d/zzz-somebody-else.conf";
        cluster.session(cluster.nodes().get(1).name())
                .run(Command.of("sh", "-c", "printf 'hpcuser hard memlock 64\\nhpcuser soft memlock 64\\n' >" + later)
                        .elevate())
                .orThrow();
        try {
            CheckReport report = check("memlock").run(cluster, line -> {});
            String node = cluster.nodes().get(1).name().value();

            assertThat(report.status()).isEqualTo(CheckReport.Status.FAILED);
            assertThat(report.details())
                    .contains(
                            node + ": hpcuser in an SSH session has 64 instead of 4096",
                            node + ": hpcuser in mpirun has 64 instead of 4096")
                    .hasSize(2);
            assertThat(report.findings())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.code()).isEqualTo("CW-MEMLOCK-001"));
        } finally {
            cluster.session(cluster.nodes().get(1).name())
                    .run(Command.of("rm", later).elevate())
                    .orThrow();
        }
    }

    @Test
    void theHostnameCheckPassesAndThePingPongIsHonestAboutTcp() {
        assertThat(check("hostname").run(cluster, line -> {}).status()).isEqualTo(CheckReport.Status.PASSED);

        CheckReport pingPong = check("fabric").run(cluster, line -> {});
        assertThat(pingPong.status()).isEqualTo(CheckReport.Status.NOT_JUDGED);
        assertThat(pingPong.summary()).contains("TCP: no RDMA device on these nodes");
    }

    private static ClusterCheck check(String name) {
        List<ClusterCheck> checks = ServiceLoader.load(ClusterCheck.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(check -> check.name().equals(name))
                .toList();
        assertThat(checks).hasSize(1);
        return checks.get(0);
    }
}
