package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Whatever happens to a text on its way, a row that is reported was printed. */
class DamagedOutputTest {
    private static final List<String> TABLES = Samples.TABLES;
    private static final long SEED = 20_261_120;
    private static final int WARNINGS = Boolean.getBoolean("clusterwright.soak") ? 300 : 100;

    /** Texts are cut after every third character, with the soak after each. */
    private static final int STEP = Boolean.getBoolean("clusterwright.soak") ? 1 : 3;

    @ParameterizedTest
    @FieldSource("TABLES")
    void carriageReturnsChangeNothing(String sample) {
        String text = Samples.read(sample);

        assertThat(rows(text.replace("\n", "\r\n"))).isEqualTo(rows(text));
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void warningsBetweenLinesChangeNothing(String sample) {
        String text = Samples.read(sample);
        String noisy = text.replace("\n", "\n[cluster12:4711] UCX  WARN  transport 'rc' is not available\n\n");

        assertThat(rows(noisy)).isEqualTo(rows(text));
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void rankLabelsChangeNothing(String sample) {
        String text = Samples.read(sample);

        assertThat(rows(text.replaceAll("(?m)^", "[0] "))).isEqualTo(rows(text));
        assertThat(rows(text.replaceAll("(?m)^", "[1,0]<stdout>:"))).isEqualTo(rows(text));
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void truncatedTextGivesNoWrongRow(String sample) {
        String text = Samples.read(sample);
        Set<Numbers> genuine = new HashSet<>(rows(text));

        for (int end = 0; end < text.length(); end += STEP) {
            assertThat(rows(text.substring(0, end)))
                    .as("cut after %d characters", end)
                    .allMatch(genuine::contains);
        }
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void interleavedWarningsGiveNoWrongRow(String sample) {
        String text = Samples.read(sample);
        Set<Numbers> genuine = new HashSet<>(rows(text));
        Random random = new Random(SEED);

        for (int i = 0; i < WARNINGS; i++) {
            int at = random.nextInt(text.length());
            String broken = text.substring(0, at) + "[cluster12] warning: 17 retries\n" + text.substring(at);
            assertThat(rows(broken)).as("seed %d, broken at %d", SEED, at).allMatch(genuine::contains);
        }
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void aLostLineLosesOnlyItsRow(String sample) {
        String text = Samples.read(sample);
        Set<Numbers> genuine = new HashSet<>(rows(text));

        for (int start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
            String rest = text.substring(0, start) + text.substring(end + 1);
            assertThat(rows(rest)).as("without the line at %d", start).allMatch(genuine::contains);
        }
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void lostLineBreaksGiveNoWrongRow(String sample) {
        String text = Samples.read(sample);
        Set<Numbers> genuine = new HashSet<>(rows(text));

        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            String joined = text.substring(0, at) + text.substring(at + 1);
            assertThat(rows(joined)).as("joined at %d", at).allMatch(genuine::contains);
        }
    }

    private static List<Numbers> rows(String text) {
        return Benchmarks.parse(text).reports().stream()
                .flatMap(report -> report.rows().stream())
                .map(row -> new Numbers(row.values(), row.bytesPerSecond()))
                .toList();
    }

    private record Numbers(Map<Measure, Double> printed, OptionalDouble bytesPerSecond) {}
}
