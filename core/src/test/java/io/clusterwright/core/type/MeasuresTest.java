package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuresTest {

    @Nested
    class Latencies {
        @ParameterizedTest
        @CsvSource({
            "3.09 us,3.09 us",
            "3us,3.00 us",
            "250 ns,0.25 us",
            "4 ms,4000.00 us",
            "1 s,1000000.00 us",
            "2 µs,2.00 us"
        })
        void areReadWithTheirUnit(String text, String shown) {
            assertThat(Latency.of(text)).hasToString(shown);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "3", "-3 us", "3 min", "NaN us", "1e3 us"})
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> Latency.of(text))
                    .hasMessage("invalid latency \"" + text + "\": use a number that is not negative and"
                            + " one of the units ns, us, ms, s (example: 3.09 us)");
        }

        @ParameterizedTest
        @ValueSource(doubles = {-0.001, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
        void areNeverNegativeNorInfinite(double micros) {
            assertThatThrownBy(() -> new Latency(micros))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("invalid latency \"" + micros + " us\"");
        }

        @Test
        void areOrdered() {
            assertThat(new Latency(2.23)).isLessThan(new Latency(3.09));
            assertThat(new Latency(-0.0)).isEqualTo(new Latency(0.0));
        }

        @Test
        void showThemselvesTheSameAfterReadingBack() {
            Seeded.times(300, random -> {
                Latency latency = new Latency(Math.exp(random.nextDouble() * 15));
                assertThat(Latency.of(latency.toString())).hasToString(latency.toString());
            });
        }
    }

    @Nested
    class Bandwidths {
        @Test
        void countTheUnitsOfEveryBenchmark() {
            assertThat(Bandwidth.ofMebibytesPerSecond(1).bytesPerSecond()).isEqualTo(1048576);
            assertThat(Bandwidth.ofMegabytesPerSecond(1).bytesPerSecond()).isEqualTo(1_000_000);
            assertThat(Bandwidth.ofMebibitsPerSecond(8).bytesPerSecond()).isEqualTo(1048576);
            assertThat(Bandwidth.ofGigabitsPerSecond(8).bytesPerSecond()).isEqualTo(1_000_000_000);
            assertThat(Bandwidth.ofGigabitsPerSecond(180).gigabitsPerSecond()).isCloseTo(180, within(1e-9));
        }

        @ParameterizedTest
        @CsvSource({
            "3.87 GB/s,3.87 GB/s",
            "157.99MB/s,157.99 MB/s",
            "1 KiB/s,1.02 kB/s",
            "1 MiB/s,1.05 MB/s",
            "1 GiB/s,1.07 GB/s",
            "8 Gbit/s,1.00 GB/s",
            "8 Mbit/s,1.00 MB/s",
            "0 B/s,0.00 B/s",
            "999.999 MB/s,1.00 GB/s",
            "2 TB/s,2.00 TB/s",
            "5000 TB/s,5000.00 TB/s",
            "7 kB/s,7.00 kB/s"
        })
        void areReadWithTheirUnit(String text, String shown) {
            assertThat(Bandwidth.of(text)).hasToString(shown);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "3", "-3 GB/s", "3 GB", "3 gb/s"})
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> Bandwidth.of(text))
                    .hasMessage("invalid bandwidth \"" + text + "\": use a number that is not negative"
                            + " and one of the units B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, Mbit/s,"
                            + " Gbit/s (example: 3.87 GB/s)");
        }

        @ParameterizedTest
        @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
        void areNeverNegativeNorInfinite(double bytes) {
            assertThatThrownBy(() -> new Bandwidth(bytes)).isInstanceOf(InvalidValueException.class);
        }

        @Test
        void areOrdered() {
            assertThat(Bandwidth.ofMebibytesPerSecond(1)).isGreaterThan(Bandwidth.ofMegabytesPerSecond(1));
        }

        @Test
        void showThemselvesTheSameAfterReadingBack() {
            Seeded.times(300, random -> {
                Bandwidth bandwidth = new Bandwidth(Math.exp(random.nextDouble() * 30));
                assertThat(Bandwidth.of(bandwidth.toString())).hasToString(bandwidth.toString());
            });
        }
    }

    @Nested
    class Interconnects {
        @ParameterizedTest
        @EnumSource(Interconnect.class)
        void readBackAsThemselves(Interconnect interconnect) {
            assertThat(Interconnect.of(interconnect.toString())).isEqualTo(interconnect);
            assertThat(interconnect.isRdma()).isEqualTo(interconnect != Interconnect.NONE);
        }

        @Test
        void sayWhatIsAllowed() {
            assertThatThrownBy(() -> Interconnect.of("infiniband"))
                    .hasMessage("invalid interconnect \"infiniband\": use one of none, network-direct,"
                            + " sriov-infiniband, roce (example: sriov-infiniband)");
        }
    }

    @Nested
    class PortsAndModes {
        @ParameterizedTest
        @CsvSource({"0644,0644", "600,0600", "4755,4755", "000,0000", "07777,"})
        void aFileModeIsOctal(String text, String shown) {
            if (shown == null) {
                assertThatThrownBy(() -> FileMode.of(text)).isInstanceOf(InvalidValueException.class);
            } else {
                assertThat(FileMode.of(text)).hasToString(shown);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "8", "0888", "rw-r--r--", "0o644", "64"})
        void aFileModeSaysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> FileMode.of(text))
                    .hasMessage("invalid file mode \"" + text + "\": use three or four octal digits in"
                            + " quotes (example: 0644)");
        }

        @Test
        void aFileModeHasTwelveBits() {
            assertThatThrownBy(() -> new FileMode(010000)).hasMessageContaining("\"10000\"");
        }
    }
}
