package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the readers report is every number that stands in the rows of a sample, in its order, and no other. */
class EveryNumberTest {
    private static final Pattern ROW = Pattern.compile("\\s*\\d+(?:\\s+[\\d.]+)+(?:\\s+Pass)?\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

    @ParameterizedTest
    @CsvSource({
        "01_azure_2015_imb40u1_pingpong_A9_dapl.txt,    24, 0",
        "02_imb41_aarch64_ompi_five_benchmarks.txt,    106, 0",
        "05_imb2021_3_hpcx_azure_batch.txt,             24, 0",
        "06_osu70_bcast_azure_batch.txt,                21, 0",
        "09_osu543_bw_mvapich2_100g_ib.txt,             23, 0",
        "11_osu563_latency_100g_ib.txt,                 24, 0",
        "15_osu75_latency_validation_column.txt,        12, 0",
        "netpipe_mpich402_veth.txt,                     44, 1",
    })
    void isReportedAsItWasPrinted(String sample, int rows, int leading) {
        List<List<Double>> printed = Samples.read(sample)
                .lines()
                .filter(line -> leading == 0 ? ROW.matcher(line).matches() : line.contains("times -->"))
                .map(line -> numbers(line).subList(leading, numbers(line).size()))
                .map(numbers -> numbers.stream().sorted().toList())
                .toList();

        List<List<Double>> reported = Benchmarks.parse(Samples.read(sample)).reports().stream()
                .flatMap(report -> report.rows().stream())
                .map(row -> row.values().values().stream().sorted().toList())
                .toList();

        assertThat(reported).hasSize(rows).isEqualTo(printed);
    }

    @Test
    void aCollectivesTimesStandUnderTheirNames() {
        Object json = Benchmarks.parse(Samples.read("02_imb41_aarch64_ompi_five_benchmarks.txt"))
                .toPlain(report -> Verdict.notJudged("no size"));

        Map<?, ?> allreduce = (Map<?, ?>) ((List<?>) json).get(4);
        assertThat(allreduce.get("benchmark")).isEqualTo("Allreduce");
        Map<Object, Object> last = new TreeMap<>((Map<?, ?>) ((List<?>) allreduce.get("series")).get(21));
        assertThat(last)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "bytes", 4_194_304L,
                        "repetitions", 10L,
                        "minMicros", 16045.36,
                        "maxMicros", 16045.59,
                        "avgMicros", 16045.48));
    }

    private static List<Double> numbers(String line) {
        List<Double> numbers = new ArrayList<>();
        NUMBER.matcher(line)
                .results()
                .map(MatchResult::group)
                .map(Double::valueOf)
                .forEach(numbers::add);
        return numbers;
    }
}
