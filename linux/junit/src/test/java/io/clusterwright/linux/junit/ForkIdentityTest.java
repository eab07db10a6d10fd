package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.ClusterName;
import java.util.stream.LongStream;
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
    void processesBeginWithDifferentAddresses() {
        assertThat(LongStream.range(0, 64)
                        .map(n -> 32_139 + n * 64)
                        .mapToObj(pid -> new ForkIdentity(pid, 1).nextAddressSpace()))
                .doesNotHaveDuplicates();
        assertThat(LongStream.range(1, 64).mapToObj(pid -> new ForkIdentity(pid, 1).nextAddressSpace()))
                .doesNotHaveDuplicates()
                .allMatch(space -> space.matches("10\\.1([3-8][0-9]|2[89]|9[01])\\.[0-9]+\\.0/24"));
    }

    @Test
    void aClusterIsAbandonedWhenItsProcessHasEnded() throws Exception {
        assertThat(ForkIdentity.isAbandoned(ForkIdentity.current().nextName())).isFalse();
        assertThat(ForkIdentity.isAbandoned(ClusterName.of("cluster"))).isFalse();
        ForkIdentity earlier = new ForkIdentity(ProcessHandle.current().pid(), 1);
        assertThat(ForkIdentity.isAbandoned(earlier.nextName())).isTrue();
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ForkIdentity.isAbandoned(new ForkIdentity(process.pid(), 1).nextName()))
                .isTrue();
    }
}
