package io.clusterwright.examples;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.junit.EmulatedAzure;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import org.junit.jupiter.api.Test;

/** The first test of the page {@code docs/emulated-azure.md}, with its imports. */
@EmulatedAzure(setup = QuotaOnAzureTest.SmallQuota.class)
class QuotaOnAzureTest {
    static class SmallQuota implements EmulatedAzure.Setup {
        @Override
        public void set(ArmEmulator.Builder azure) {
            azure.putFamilyLimit("standardHBv3Family", 120);
        }
    }

    @Test
    void refusesMoreCoresThanTheQuota(ClusterManager clusters) {
        ClusterSpec spec = ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                .build();
        Plan plan = clusters.plan(spec);
        assertFalse(plan.isFeasible(), plan::toText);
    }
}
