package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.local.LocalMachines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Another cluster takes the addresses between the plan and the creation. */
@Tag("breadth")
@LocalCluster(nodes = 1, description = TakenAddressesTest.Taker.class)
class TakenAddressesTest {
    private static final ClusterName OTHER = ForkIdentity.current().nextName();
    private static final List<ClusterSpec> PLANNED = new ArrayList<>();

    /** Also runs when the cluster of this class was not created. */
    @RegisterExtension
    static final AfterAllCallback DESTROY_THE_OTHER = context -> {
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            manager.destroy(OTHER);
        }
    };

    @Test
    void theClusterGetsOthers(Cluster cluster) {
        ClusterSpec first = PLANNED.get(0);
        assertThat(cluster.spec().network().addressSpace())
                .isNotEqualTo(first.network().addressSpace());
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
            assertThat(manager.list())
                    .extracting(ClusterSummary::name)
                    .contains(cluster.name(), OTHER)
                    .doesNotContain(first.name());
        }
    }

    static final class Taker implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            PLANNED.add(spec.build());
        }
    }

    /** Rules are asked after the provider was: the plan still takes the addresses for free. */
    public static final class TakingRules implements RuleSet {
        private static final AtomicBoolean TAKEN = new AtomicBoolean();

        @Override
        public List<Rule> rules() {
            return List.of(Rule.warning(
                    "CW-TAKER-001", Rule.Where.LOCAL, "addresses are taken", "take others", (spec, facts, report) -> {
                        if (PLANNED.contains(spec) && TAKEN.compareAndSet(false, true)) {
                            try (ClusterManager manager = ClusterManager.on(LocalMachines.create())) {
                                manager.create(spec.toBuilder().name(OTHER).build())
                                        .close();
                            }
                        }
                    }));
        }
    }
}
