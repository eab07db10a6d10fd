package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    @Nested
    class Addresses {
        @ParameterizedTest
        @ValueSource(strings = {"0.0.0.0", "10.32.0.11", "127.0.0.1", "255.255.255.255"})
        void readBackAsThemselves(String text) {
            assertThat(Ipv4Address.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "10.32.0",
                    "10.32.0.256",
                    "10.32.0.01",
                    "10.32.0.1.1",
                    "10.32.0.-1",
                    " 10.32.0.1",
                    "::1",
                    "cluster11"
                })
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> Ipv4Address.of(text))
                    .hasMessage("invalid IPv4 address \"" + text + "\": use four numbers from 0 to 255"
                            + " without leading zeros, separated by dots (example: 10.32.0.11)");
        }

        @Test
        void areOrderedWithoutASign() {
            assertThat(Ipv4Address.of("200.0.0.1")).isGreaterThan(Ipv4Address.of("10.0.0.1"));
        }

        @Test
        void countOn() {
            assertThat(Ipv4Address.of("10.32.0.255").plus(1)).hasToString("10.32.1.0");
            assertThat(Ipv4Address.of("10.32.1.0").plus(-1)).hasToString("10.32.0.255");
            assertThat(Ipv4Address.of("0.0.0.0").plus(0xFFFF_FFFFL)).hasToString("255.255.255.255");
        }

        @ParameterizedTest
        @CsvSource({"255.255.255.255,1,+ 1", "0.0.0.0,-1,- 1", "1.0.0.0,9223372036854775807,+ 9223372036854775807"})
        void doNotCountPastTheEnds(String address, long offset, String shown) {
            assertThatThrownBy(() -> Ipv4Address.of(address).plus(offset))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("invalid IPv4 address \"" + address + " " + shown + "\"");
        }

        @Test
        void knowTheLoopback() {
            assertThat(Ipv4Address.of("127.0.1.1").isLoopback()).isTrue();
            assertThat(Ipv4Address.of("128.0.0.1").isLoopback()).isFalse();
        }

        @Test
        void everyNumberReadsBack() {
            Seeded.times(500, random -> {
                Ipv4Address address = new Ipv4Address(random.nextInt());
                assertThat(Ipv4Address.of(address.toString())).isEqualTo(address);
            });
        }
    }

    @Nested
    class Ranges {
        private final AddressRange space = AddressRange.of("10.32.0.0/16");

        @ParameterizedTest
        @ValueSource(strings = {"0.0.0.0/0", "10.32.0.0/16", "203.0.113.0/24", "10.32.0.1/32", "128.0.0.0/1"})
        void readBackAsThemselves(String text) {
            assertThat(AddressRange.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", "10.32.0.0", "10.32.0.0/33", "10.32.0.0/016", "10.32.0.0/-1", "/16", "10.32.0.0/", "a/8"
                })
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> AddressRange.of(text))
                    .hasMessage("invalid address range \"" + text + "\": use an IPv4 network and the"
                            + " length of its prefix, 0 to 32 (example: 10.32.0.0/16)");
        }

        @Test
        void nameTheRightNetworkWhenHostBitsAreSet() {
            assertThatThrownBy(() -> AddressRange.of("10.32.0.11/16"))
                    .hasMessage("invalid address range \"10.32.0.11/16\": use a network whose bits after"
                            + " the first 16 are 0 (example: 10.32.0.0/16)");
            assertThatThrownBy(() -> AddressRange.of("1.0.0.0/0")).hasMessageEndingWith("(example: 0.0.0.0/0)");
        }

        @Test
        void containTheirAddresses() {
            assertThat(space.contains(Ipv4Address.of("10.32.0.0"))).isTrue();
            assertThat(space.contains(Ipv4Address.of("10.32.255.255"))).isTrue();
            assertThat(space.contains(Ipv4Address.of("10.33.0.0"))).isFalse();
            assertThat(AddressRange.of("0.0.0.0/0").contains(Ipv4Address.of("255.0.0.1")))
                    .isTrue();
        }

        @Test
        void containSmallerRanges() {
            AddressRange subnet = AddressRange.of("10.32.4.0/24");
            assertThat(space.contains(subnet)).isTrue();
            assertThat(space.contains(space)).isTrue();
            assertThat(subnet.contains(space)).isFalse();
            assertThat(subnet.overlaps(space)).isTrue();
            assertThat(space.overlaps(subnet)).isTrue();
            assertThat(space.overlaps(AddressRange.of("10.33.0.0/16"))).isFalse();
        }

        @Test
        void giveTheirAddressesByPlace() {
            assertThat(space.address(11)).hasToString("10.32.0.11");
            assertThat(space.size()).isEqualTo(65536);
            assertThat(AddressRange.of("0.0.0.0/0").size()).isEqualTo(1L << 32);
            assertThatThrownBy(() -> space.address(65536))
                    .hasMessage("invalid offset in 10.32.0.0/16 \"65536\": use 0 to 65535" + " (example: 32768)");
            assertThatThrownBy(() -> space.address(-1)).isInstanceOf(InvalidValueException.class);
        }

        @ParameterizedTest
        @CsvSource({
            "10.0.0.0/8,true",
            "172.31.0.0/16,true",
            "172.32.0.0/16,false",
            "192.168.1.0/24,true",
            "0.0.0.0/0,false",
            "8.0.0.0/7,false",
            "203.0.113.0/24,false"
        })
        void knowWhetherTheyArePrivate(String range, boolean expected) {
            assertThat(AddressRange.of(range).isPrivate()).isEqualTo(expected);
        }

        @Test
        void overlapExactlyWhenTheyShareAnAddress() {
            Seeded.times(500, random -> {
                AddressRange a = range(random.nextInt(), 24 + random.nextInt(9));
                AddressRange b = range(a.network().bits() ^ random.nextInt(512), 24 + random.nextInt(9));
                boolean shared = false;
                for (long i = 0; i < a.size(); i++) {
                    shared |= b.contains(a.address(i));
                }
                assertThat(a.overlaps(b)).isEqualTo(shared);
                assertThat(AddressRange.of(a.toString())).isEqualTo(a);
            });
        }

        private AddressRange range(int bits, int prefixLength) {
            return new AddressRange(new Ipv4Address(bits & -1 << 32 - prefixLength), prefixLength);
        }
    }
}
