package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.mpi.job.OutputLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RankDemuxTest {
    private final List<OutputLine> lines = new ArrayList<>();
    private final RankDemux demux = new RankDemux(Stream.STDOUT, Pattern.compile("<(\\d+)>"), lines::add);

    @Test
    void takesTheLabelOffEachLine() {
        feed("<0>cluster11\n<1>cluster12\nfrom the launcher\n");

        assertThat(lines).containsExactly(line(0, "cluster11"), line(1, "cluster12"), line(-1, "from the launcher"));
    }

    @Test
    void joinsThePiecesOfALineThatWasWrittenBitByBit() {
        feed("<0>  0:  1 bytes --> <0>  0.62 Mbps<0>\n");

        assertThat(lines).containsExactly(line(0, "  0:  1 bytes -->   0.62 Mbps"));
    }

    @Test
    void sortsPiecesOfSeveralRanksOnOneLine() {
        feed("<0>a0<1>b0<0>a1<1>b1<0>\n<1>\n");

        assertThat(lines).containsExactly(line(0, "a0a1"), line(1, "b0b1"));
    }

    @Test
    void keepsEmptyLines() {
        feed("<0>\n\n<0>x\n");

        assertThat(lines).containsExactly(line(0, ""), line(-1, ""), line(0, "x"));
    }

    @Test
    void handsOnUnfinishedLinesAtTheEnd() {
        feed("<0>last<1>words");
        assertThat(lines).isEmpty();
        demux.finish();

        assertThat(lines).containsExactly(line(0, "last"), line(1, "words"));
    }

    @Test
    void keepsACharacterWholeThatTwoChunksShare() {
        byte[] bytes = "<0>µs\n".getBytes(StandardCharsets.UTF_8);
        demux.feed(bytes, 4);
        byte[] rest = Arrays.copyOfRange(bytes, 4, bytes.length);
        demux.feed(rest, rest.length);

        assertThat(lines).containsExactly(line(0, "µs"));
    }

    private void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        demux.feed(bytes, bytes.length);
    }

    private static OutputLine line(int rank, String text) {
        return new OutputLine(Stream.STDOUT, rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank), text);
    }
}
