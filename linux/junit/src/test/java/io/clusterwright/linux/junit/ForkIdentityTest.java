package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.ClusterName;
import org.junit.jupiter.api.Test;

class ForkIdentityTest {

    @Test
    void namesAndAddressesDoNotRepeat() {
        ForkIdentity fork = ForkIdentity.current();
        assertThat(fork.nextName()).isNotEqualTo(fork.nextName());
        assertThat(fork.nextAddressSpace())
                .isNotEqualTo(fork.nextAddressSpace())
                .matches("10\\.1[2-9][0-9]\\.[0-9]+\\.0/24");
    }

    @Test
    void aClusterIsAbandonedWhenItsProcessHasEnded() throws Exception {
        assertThat(ForkIdentity.isAbandoned(ForkIdentity.current().nextName())).isFalse();
        assertThat(ForkIdentity.isAbandoned(ClusterName.parse("cluster"))).isFalse();
        ForkIdentity earlier = new ForkIdentity(ProcessHandle.current().pid(), 1);
        assertThat(ForkIdentity.isAbandoned(earlier.nextName())).isTrue();
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ForkIdentity.isAbandoned(new ForkIdentity(process.pid(), 1).nextName()))
                .isTrue();
    }
}
