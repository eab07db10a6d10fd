package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarksTest {

    @Test
    void recognisesNothingInOrdinaryText() {
        assertThat(Benchmarks.parse("cluster11\n42 is the answer\n").isEmpty()).isTrue();
        assertThat(Benchmarks.parse("").isEmpty()).isTrue();
    }
}
