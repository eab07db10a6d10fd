package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchdogScriptTest {
    @Test
    void saysNothingWhereThereIsNoAnswer() {
        assertThat(WatchdogScript.leftovers("sh: not found")).isEqualTo(Optional.empty());
    }
}
