package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemlockTest {

    @Nested
    class Limits {
        @ParameterizedTest
        @CsvSource({
            "unlimited,unlimited",
            "infinity,unlimited",
            "-1,unlimited",
            "0,0",
            "65536,65536",
            "64 KiB,64",
            "8 MiB,8192",
            "8GiB,8388608",
            "1 TiB,1073741824",
            "9007199254740991,9007199254740991"
        })
        void areReadInKibibytes(String text, String shown) {
            assertThat(MemlockLimit.of(text)).hasToString(shown).isEqualTo(MemlockLimit.of(shown));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "-2",
                    "64 kB",
                    "64k",
                    "1.5 GiB",
                    "Unlimited",
                    "9007199254740992",
                    "8388608 TiB",
                    "9999999999999999999999"
                })
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> MemlockLimit.of(text))
                    .hasMessage("invalid limit of locked memory \"" + text + "\": use unlimited, or a"
                            + " number of KiB (or with one of the units KiB, MiB, GiB, TiB) below 8 EiB"
                            + " (example: 65536)");
        }

        @Test
        void areOrderedWithUnlimitedLast() {
            assertThat(MemlockLimit.UNLIMITED).isGreaterThan(MemlockLimit.of(9007199254740991L));
            assertThat(MemlockLimit.of(64).covers(MemlockLimit.of(64))).isTrue();
            assertThat(MemlockLimit.of(63).covers(MemlockLimit.of(64))).isFalse();
            assertThat(MemlockLimit.UNLIMITED.covers(MemlockLimit.UNLIMITED)).isTrue();
            assertThat(MemlockLimit.of(64).covers(MemlockLimit.UNLIMITED)).isFalse();
        }

        @Test
        void haveANumberUnlessUnlimited() {
            assertThat(MemlockLimit.of(64).kibibytes()).isEqualTo(64);
            assertThat(MemlockLimit.of(64).isUnlimited()).isFalse();
            assertThatThrownBy(MemlockLimit.UNLIMITED::kibibytes)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("an unlimited limit has no number: ask isUnlimited() first");
            assertThatThrownBy(() -> MemlockLimit.of(-1)).isInstanceOf(InvalidValueException.class);
        }

        @Test
        void everyNumberReadsBack() {
            Seeded.times(300, random -> {
                MemlockLimit limit = MemlockLimit.of(random.nextLong() >>> 11);
                assertThat(MemlockLimit.of(limit.toString())).isEqualTo(limit).hasSameHashCodeAs(limit);
            });
        }
    }

    @Nested
    class Subjects {
        @Test
        void areUsersGroupsOrEveryone() {
            assertThat(MemlockSubject.of("hpcuser")).isEqualTo(new MemlockSubject.User(new UserName("hpcuser")));
            assertThat(MemlockSubject.of("@hpc")).isEqualTo(new MemlockSubject.Group(new GroupName("hpc")));
            assertThat(MemlockSubject.of("*")).isEqualTo(new MemlockSubject.Everyone());
        }

        @ParameterizedTest
        @ValueSource(strings = {"hpcuser", "@hpc", "*", "root"})
        void areWrittenAsInLimitsConf(String text) {
            assertThat(MemlockSubject.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @CsvSource({"root,true", "hpcuser,false", "@root,false", "*,false"})
        void reachRootOnlyByName(String text, boolean expected) {
            assertThat(MemlockSubject.of(text).appliesToRoot()).isEqualTo(expected);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "@", "**", "@*", "%hpc", "hpc user", "1000:"})
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> MemlockSubject.of(text))
                    .hasMessage("invalid subject of a memory limit \"" + text + "\": use a user name, @"
                            + " and a group name, or * (example: @hpc)");
        }
    }
}
