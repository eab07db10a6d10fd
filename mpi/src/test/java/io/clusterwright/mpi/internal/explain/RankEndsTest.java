package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.RankBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the nodes of a job report of its ranks. */
class RankEndsTest {
    @ParameterizedTest
    @CsvSource({
        "0-1,   0",
        "'2,9', '0,2'",
        "4-15,  '1,2,3'",
        "20,    ''",
    })
    void namesTheNumaDomainsOfTheProcessorsOfARank(String cpus, String domains) {
        RankEnds ends = new RankEnds(4);
        NodeName node = NodeName.of("demo1");

        ends.placed(node, 3, cpus, "0=0-3 2=8-11 1=4-7 3=12-15 4=");
        ends.placed(node, 1, "0", "");

        assertThat(ends.bindings())
                .containsExactly(new RankBinding(1, node, "0", ""), new RankBinding(3, node, cpus, domains));
    }

    /** Each rank can write such a report. */
    @Test
    void ignoresRanksThatTheJobDoesNotHave() {
        RankEnds ends = new RankEnds(2);
        NodeName node = NodeName.of("demo1");
        for (int rank = 999_999_999; rank > 1; rank /= 2) {
            ends.ended(node, rank, 3);
            ends.placed(node, rank, "0", "0=0");
        }
        assertThat(ends.known()).isZero();
        assertThat(ends.bindings()).isEmpty();
        assertThat(ends.firstFailureNanos()).isEmpty();

        ends.ended(node, 0, 0);
        assertThat(ends.all()).isFalse();
        ends.ended(node, 1, 0);
        assertThat(ends.all()).isTrue();
        assertThat(ends.allSucceededNanos()).isPresent();
    }
}
