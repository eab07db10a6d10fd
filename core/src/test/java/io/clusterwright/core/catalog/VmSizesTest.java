package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import org.junit.jupiter.api.Test;

final class VmSizesTest {
    @Test
    void knowsTheSizesOfTheArticle() {
        assertThat(VmSizes.standard().find(VmSize.parse("Standard_A9"))).hasValueSatisfying(size -> {
            assertThat(size.vcpus()).isEqualTo(16);
            assertThat(size.memoryGib()).isEqualTo(112);
            assertThat(size.interconnect()).isEqualTo(Interconnect.NETWORK_DIRECT);
            assertThat(size.status()).isEqualTo(VmSizeFacts.Status.RETIRED);
            assertThat(size.latency()).isEmpty();
        });
        assertThat(VmSizes.standard().find(VmSize.parse("a10")).orElseThrow().interconnect())
                .isEqualTo(Interconnect.NONE);
    }

    @Test
    void readsPublishedFigures() {
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.parse("Standard_HB120rs_v3")).orElseThrow();
        assertThat(size.interconnect()).isEqualTo(Interconnect.SRIOV_INFINIBAND);
        assertThat(size.latency().orElseThrow().micros()).isEqualTo(1.2);
        assertThat(size.bandwidth().orElseThrow().bytesPerSecond()).isEqualTo(192e9 / 8);
    }

    @Test
    void givesEveryRowASource() {
        assertThat(VmSizes.standard().all())
                .hasSize(73)
                .allSatisfy(size -> assertThat(size.source()).isNotBlank());
    }
}
