package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarksTest {
    private final Benchmarks nothing = new Benchmarks(List.of(), List.of());

    @Test
    void recognisesNothingInOrdinaryText() {
        assertThat(Benchmarks.parse("cluster11\n42 is the answer\n")).isEqualTo(nothing);
        assertThat(Benchmarks.parse("")).isEqualTo(nothing);
    }
}
