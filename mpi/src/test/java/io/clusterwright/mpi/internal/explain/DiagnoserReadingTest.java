package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.mpi.job.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an output is read: what is found, what is not, and what it costs. */
@Timeout(60)
class DiagnoserReadingTest {

    @Nested
    class Silence {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "01_azure_2015_imb40u1_pingpong_A9_dapl",
                    "02_imb41_aarch64_ompi_five_benchmarks",
                    "05_imb2021_3_hpcx_azure_batch",
                    "06_osu70_bcast_azure_batch",
                    "09_osu543_bw_mvapich2_100g_ib",
                    "11_osu563_latency_100g_ib",
                    "15_osu75_latency_validation_column",
                    "18_ib_write_bw_irdma_10g",
                    "21_ucx_perftest_tag_lat_threads",
                    "netpipe_mpich402_veth"
                })
        void aboutBenchmarks(String sample) {
            assertThat(Diagnoser.diagnose(
                            FailureSamples.text("/io/clusterwright/mpi/bench/samples/" + sample + ".txt")))
                    .isEmpty();
        }

        @Test
        void reportsNothingAboutAGoodRun() {
            assertThat(Diagnoser.diagnose(FailureSamples.read("ok_again"))).isEmpty();
        }

        @Test
        void reportsNothingAboutLinesOfHealthyRuns() {
            String lines = FailureSamples.text("ordinary.txt");

            assertThat(lines.lines())
                    .allSatisfy(line -> assertThat(Diagnoser.diagnose(line)).isEmpty());
            assertThat(Diagnoser.diagnose(lines)).isEmpty();
        }

        @Test
        void reportsNothingAboutSourceCode() throws IOException {
            Path sources = Path.of("src", "main", "java");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    assertThat(Diagnoser.diagnose(Files.readString(file)))
                            .as(file.toString())
                            .isEmpty();
                }
            }
        }

        @Test
        void reportsNothingAboutRandomWords() {
            Random random = new Random(42);
            List<String> words = KnownFailures.all().stream()
                    .flatMap(failure -> failure.texts().stream())
                    .flatMap(text -> Stream.of(text.split(" ")))
                    .filter(word -> word.matches("[A-Za-z]{2,}"))
                    .toList();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 20_000; i++) {
                text.append(words.get(random.nextInt(words.size()))).append(i % 9 == 8 ? '\n' : ' ');
            }
            assertThat(Diagnoser.diagnose(text.toString())).isEmpty();
        }

        @Test
        void reportsNothingAboutEmptyText() {
            assertThat(Diagnoser.diagnose("")).isEmpty();
        }
    }

    @Nested
    class Reading {
        @Test
        void aWrappedSentenceIsFoundWhereItBegins() {
            assertThat(Diagnoser.diagnose("one\n[1,0]<stderr>:There are not enough slots available in\r\n"
                            + "[1,0]<stderr>:  the system to satisfy\nthe 9\n\nslots that were requested\n"))
                    .singleElement()
                    .satisfies(diagnosis -> {
                        assertThat(diagnosis.line()).isEqualTo(2);
                        assertThat(diagnosis.cause()).startsWith("the job has 9 ranks");
                    });
        }

        @Test
        void reportsRepeatedFailuresOncePerNode() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 3000; i++) {
                text.append("ssh: Could not resolve hostname node")
                        .append(i % 3)
                        .append(": Name or service not known\n");
            }

            assertThat(Diagnoser.diagnose(text.toString()))
                    .extracting(Diagnosis::code, Diagnosis::line)
                    .containsExactly(tuple("CW-DIAG-106", 1), tuple("CW-DIAG-106", 2), tuple("CW-DIAG-106", 3));
        }

        @Test
        void aLogFullOfFailuresNamesEachKindOnce() throws IOException {
            byte[] line =
                    "ssh: connect to host 10.32.0.13 port 22: Connection refused\n".getBytes(StandardCharsets.UTF_8);

            assertThat(Diagnoser.diagnose(new Repeated(line, 30_000, "Host key verification failed.\n")))
                    .extracting(Diagnosis::code, Diagnosis::line)
                    .containsExactly(tuple("CW-DIAG-108", 1), tuple("CW-DIAG-101", 30_001));
        }

        @Test
        void reportsAConsequenceOnlyWithoutItsCause() {
            String consequence =
                    "[mpiexec@a] HYDU_sock_write (utils/sock/sock.c:254): write error (Bad file descriptor)\n";

            assertThat(Diagnoser.diagnose(consequence))
                    .extracting(Diagnosis::code)
                    .containsExactly("CW-DIAG-113");
            assertThat(Diagnoser.diagnose(consequence + "Host key verification failed.\n"))
                    .extracting(Diagnosis::code)
                    .containsExactly("CW-DIAG-101");
        }

        @Test
        void aLineWithoutEndIsReadInLittleMemoryAndCountsOnce() throws IOException {
            byte[] piece = new byte[1000];
            Arrays.fill(piece, (byte) 'x');

            assertThat(Diagnoser.diagnose(new Repeated(piece, 30_000, "\nHost key verification failed.\n")))
                    .singleElement()
                    .extracting(Diagnosis::line)
                    .isEqualTo(2);
        }
    }

    /** Long lines that repeat almost a whole text, as a hostile or broken program may print them, are read in time. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void linesThatRepeatATextAlmostWholeAreReadInTime() {
        KnownFailures.all().stream()
                .flatMap(failure -> failure.texts().stream())
                .filter(text -> text.indexOf("{...}") != text.lastIndexOf("{...}"))
                .map(text -> text.substring(0, text.length() - 1).replaceAll("\\{(?:\\.\\.\\.|[a-z]+#?)}", "1") + " ")
                .forEach(phrase -> {
                    Diagnoser diagnoser = new Diagnoser();
                    String line = phrase.repeat(1000 / phrase.length() + 1);
                    for (int i = 0; i < 100; i++) {
                        diagnoser.accept(line);
                    }
                    assertThat(diagnoser.finish()).hasSizeLessThan(10);
                });
    }

    /** A piece many times over, then an end. */
    static final class Repeated extends InputStream {
        private final byte[] piece;
        private final long length;
        private final byte[] end;
        private long at;

        Repeated(byte[] piece, int times, String end) {
            this.piece = piece;
            this.length = (long) piece.length * times;
            this.end = end.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int read(byte[] buffer, int offset, int wanted) throws IOException {
            if (at >= length) {
                return super.read(buffer, offset, wanted);
            }
            int start = (int) (at % piece.length);
            int count = Math.min(wanted, piece.length - start);
            System.arraycopy(piece, start, buffer, offset, count);
            at += count;
            return count;
        }

        @Override
        public int read() {
            int value = at < length
                    ? piece[(int) (at % piece.length)]
                    : at < length + end.length ? end[(int) (at - length)] : -1;
            at++;
            return value;
        }
    }
}
