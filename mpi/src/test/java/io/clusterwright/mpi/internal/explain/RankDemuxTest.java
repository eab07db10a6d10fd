package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.mpi.job.OutputLine;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RankDemuxTest {
    private final List<OutputLine> lines = new ArrayList<>();
    private final RankDemux demux = new RankDemux(
            Pattern.compile("<(\\d+)>"),
            100,
            0,
            (rank, bytes) -> lines.add(new OutputLine(Stream.STDOUT, rank, bytes)));

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

    /** A program may print what looks like a label. */
    @Test
    void aLabelOfNoRankOfTheJobIsText() {
        feed("<0>a<100>b<99999999999>c\n<99>d\n");

        assertThat(lines).containsExactly(line(0, "a<100>b<99999999999>c"), line(99, "d"));
        assertThat(demultiplex("^ *(\\d+): ", "7: x\n700: y\n99999999999: z\n"))
                .containsExactly(line(7, "x"), line(-1, "700: y"), line(-1, "99999999999: z"));
        assertThat(demultiplex("(?:<(\\d+)>)", "<700>x<8>y\n"))
                .extracting(OutputLine::text)
                .containsExactlyInAnyOrder("<700>x", "y");
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

        assertThat(lines).containsExactly(unfinished(0, "last"), unfinished(1, "words"));
    }

    @Test
    void givesTheBytesOfEachRankWhateverTheyAre() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            List<ByteArrayOutputStream> written = List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream());
            ByteArrayOutputStream labelled = new ByteArrayOutputStream();
            boolean lineFeeds = random.nextInt(3) > 0;
            for (int piece = 0; piece < 20; piece++) {
                int rank = random.nextInt(2);
                byte[] bytes = new byte[random.nextInt(20_000)];
                random.nextBytes(bytes);
                labelled.writeBytes(label(rank));
                for (int i = 0; i < bytes.length; i++) {
                    int one = bytes[i] == '<' || bytes[i] == '\n' && !lineFeeds ? 'x' : bytes[i];
                    written.get(rank).write(one);
                    labelled.write(one);
                    if (one == '\n' && i + 1 < bytes.length) {
                        labelled.writeBytes(label(rank));
                    }
                }
            }
            lines.clear();
            demultiplex(labelled.toByteArray(), random);

            for (int rank = 0; rank < 2; rank++) {
                ByteArrayOutputStream read = new ByteArrayOutputStream();
                for (OutputLine line : lines) {
                    if (line.rank().equals(OptionalInt.of(rank))) {
                        read.writeBytes(line.bytes());
                    }
                }
                assertThat(read.toByteArray())
                        .as("seed %d, round %d, rank %d", seed, round, rank)
                        .isEqualTo(written.get(rank).toByteArray());
            }
        }
    }

    /** A pattern in a group says nothing about its beginning, so that no place is left out. */
    @Test
    void aQuickSearchFindsTheLabelsThatASearchOfEachPlaceFinds() {
        List<String> labels = List.of(
                "<job:(\\d+)>", "\\[\\d+,(\\d+)]<std(?:out|err)>:", "\\[(?:[^,]*@)?\\d+,(\\d+)]: ?", "^ *(\\d+): ");
        List<String> words = List.of(
                "<job:1>",
                "<job:",
                "[1,2]<stdout>:",
                "[1,",
                "[a@1,3]: ",
                " 7: ",
                "8: ",
                "\n",
                "\n",
                "x",
                "y".repeat(70_000));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            StringBuilder text = new StringBuilder();
            random.ints(40, 0, words.size()).mapToObj(words::get).forEach(text::append);
            String label = labels.get(round % labels.size());
            assertThat(demultiplex(label, text.toString()))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(demultiplex("(?:" + label + ")", text.toString()));
        }
    }

    private static List<OutputLine> demultiplex(String label, String text) {
        List<OutputLine> lines = new ArrayList<>();
        RankDemux demux = new RankDemux(
                Pattern.compile(label), 100, 0, (rank, bytes) -> lines.add(new OutputLine(Stream.STDOUT, rank, bytes)));
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < all.length; at += 30_000) {
            byte[] piece = Arrays.copyOfRange(all, at, Math.min(all.length, at + 30_000));
            demux.feed(piece, piece.length);
        }
        demux.finish();
        return lines;
    }

    @Test
    void aLabelOfLineStartsIsNotReadInsideOfALongLine() {
        String text = "y".repeat(70_000) + "7: z\n";
        RankDemux slurm = new RankDemux(
                Pattern.compile("^ *(\\d+): "),
                100,
                0,
                (rank, bytes) -> lines.add(new OutputLine(Stream.STDOUT, rank, bytes)));
        byte[] all = ("3: " + text).getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < all.length; at += 10_000) {
            byte[] piece = Arrays.copyOfRange(all, at, Math.min(all.length, at + 10_000));
            slurm.feed(piece, piece.length);
        }

        assertThat(lines).extracting(OutputLine::rank).containsOnly(OptionalInt.of(3));
        assertThat(lines.stream().map(OutputLine::text).collect(Collectors.joining()) + "\n")
                .isEqualTo(text);
    }

    /** As Open MPI 4 writes pieces of 4 KiB. */
    @Test
    void noticesThatALauncherCutAPieceOfShortLines() {
        assertThat(cut("1\n".repeat(2048))).isTrue();
        assertThat(cut("0.123\n".repeat(682))).isTrue();
        assertThat(cut("12345678901\n".repeat(341))).isTrue();
        assertThat(cut("a line of an ordinary length\n".repeat(141))).isFalse();
        assertThat(cut("1\n".repeat(200))).isFalse();
        assertThat(cut("x".repeat(4096))).isFalse();
    }

    private static boolean cut(String piece) {
        RankDemux openMpi = new RankDemux(Pattern.compile("\\[\\d+,(\\d+)]<stdout>:"), 2, 8192, (rank, bytes) -> {});
        StringBuilder output = new StringBuilder();
        for (int rank = 0; rank < 2; rank++) {
            String tag = "[1," + rank + "]<stdout>:";
            StringBuilder labelled = new StringBuilder(tag);
            for (int i = 0; i < piece.length() && labelled.length() < 8192; i++) {
                labelled.append(piece.charAt(i));
                if (piece.charAt(i) == '\n' && i + 1 < piece.length() && labelled.length() + tag.length() < 8192) {
                    labelled.append(tag);
                }
            }
            output.append(labelled);
        }
        byte[] bytes = output.toString().getBytes(StandardCharsets.UTF_8);
        openMpi.feed(bytes, bytes.length);
        openMpi.finish();
        return openMpi.cut();
    }

    private void demultiplex(byte[] all, Random random) {
        RankDemux fresh = new RankDemux(
                Pattern.compile("<(\\d+)>"),
                100,
                0,
                (rank, bytes) -> lines.add(new OutputLine(Stream.STDOUT, rank, bytes)));
        for (int at = 0; at < all.length; ) {
            int length = Math.min(all.length - at, 1 + random.nextInt(50_000));
            fresh.feed(Arrays.copyOfRange(all, at, at + length), length);
            at += length;
        }
        fresh.finish();
    }

    private static byte[] label(int rank) {
        return ("<" + rank + ">").getBytes(StandardCharsets.UTF_8);
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

    private static OutputLine unfinished(int rank, String text) {
        return new OutputLine(Stream.STDOUT, OptionalInt.of(rank), text.getBytes(StandardCharsets.UTF_8));
    }
}
