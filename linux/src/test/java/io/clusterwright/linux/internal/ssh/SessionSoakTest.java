package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.internal.ssh.SessionSoak.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few thousand commands; 100,000 with {@code -Dclusterwright.soak=true}, and more by {@link SessionSoak}. */
@Tag("breadth")
class SessionSoakTest {
    @TempDir
    private Path folder;

    @Test
    void everyCommandEndsWithItsOutputAndStatus() {
        boolean soak = Boolean.getBoolean("clusterwright.soak");
        long commands = soak ? 100_000 : 2_000;
        String network = "10.62." + ProcessHandle.current().pid() % 250 + ".0/24";
        ClusterSpec spec =
                SessionSoak.spec("soak-test-" + ProcessHandle.current().pid(), network, soak ? 16 : 3);
        try (ClusterManager manager = SessionSoak.manager(folder)) {
            try (Cluster cluster = manager.create(spec)) {
                Outcome outcome = SessionSoak.run(cluster, commands, Duration.ofMinutes(soak ? 60 : 4));

                assertThat(outcome.ended()).as(outcome.toString()).isEqualTo(commands);
                assertThat(outcome.wrong()).as(outcome.toString()).isZero();
            } finally {
                assertThat(manager.destroy(spec.name()).left()).isEmpty();
            }
        }
    }
}
