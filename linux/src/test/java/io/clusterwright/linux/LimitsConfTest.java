package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsConfTest {
    private static final String OURS = "@hpc hard    memlock unlimited\n@hpc soft    memlock unlimited\n";

    private final LimitsConf hpc = limits("@hpc", "unlimited");

    private static LimitsConf limits(String subject, String limit) {
        return LimitsConf.none().memlock(MemlockSubject.of(subject), MemlockLimit.of(limit));
    }

    @Nested
    class Text {
        @Test
        void isAHardAndASoftLineForEverySubject() {
            Golden.check(
                    "limits.conf",
                    LimitsConf.none()
                            .memlock(MemlockSubject.of("@hpc"), MemlockLimit.UNLIMITED)
                            .memlock(MemlockSubject.of("hpcuser"), MemlockLimit.of(65536))
                            .memlock(MemlockSubject.of("*"), MemlockLimit.of(64))
                            .root(MemlockLimit.UNLIMITED)
                            .text());
        }

        @Test
        void hasOneLimitForEachSubject() {
            assertThatThrownBy(() -> LimitsConf.none()
                            .root(MemlockLimit.of(64))
                            .root(MemlockLimit.of(64))
                            .memlock(MemlockSubject.of("root"), MemlockLimit.UNLIMITED))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "root would get two limits of locked memory: 64 and unlimited: give one limit for root");
        }
    }

    @Nested
    class Editing {
        @Test
        void theFileOfADistribution() {
            Golden.check("limits.conf.edited", hpc.edit(Golden.read("limits.conf.before")));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "@hpc - memlock unlimited\n",
                    "  @hpc\thard  MEMLOCK   unlimited # as told\n@hpc soft memlock -1",
                    "@hpc hard memlock infinity\n\n@hpc Soft memlock unlimited\n"
                })
        void leavesEqualLimits(String text) {
            assertThat(hpc.edit(text)).isEqualTo(text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "@hpc - memlock 64\n",
                    "@hpc hard memlock unlimited\n",
                    "@hpc soft memlock 64\n@hpc - memlock 1\n",
                    "@hpc - memlock 64 unlimited\n"
                })
        void replacesLowerLimits(String text) {
            assertThat(hpc.edit(text)).isEqualTo(OURS);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "@hpc -\n",
                    " @hpc\t- # no limits\n",
                    "@hpc -none\n",
                    "@hpc - memlock unlimited\n@hpc -\n",
                    "@hpc -\n@hpc hard memlock unlimited\n@hpc soft memlock unlimited\n"
                })
        void replacesALineThatSwitchesLimitsOff(String text) {
            assertThat(hpc.edit(text)).isEqualTo(OURS);
        }

        @Test
        void aLineThatSwitchesLimitsOffIsOfItsSubjectOnly() {
            String text = "root -\n%hpc -\n* -\n@hpc2 -\n1000: -\n";
            assertThat(hpc.edit(text)).isEqualTo(text + OURS);
            assertThat(limits("*", "64").edit("* -\n")).isEqualTo("* -\n* hard    memlock 64\n* soft    memlock 64\n");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "# @hpc - memlock 64\n",
                    "# @hpc -\n",
                    "@hpc hard\n",
                    "@hpc - nofile 64\n",
                    "hpc - memlock 64\n",
                    "@hpcx - memlock 64\n",
                    "@hpc memlock 64\n",
                    "@hpc both memlock 64\n",
                    "\t\n\n"
                })
        void leavesForeignLines(String text) {
            assertThat(hpc.edit(text)).isEqualTo(text + OURS);
        }

        @Test
        void keepsTheLineEndsOfTheFile() {
            assertThat(hpc.edit("a - core 0")).isEqualTo("a - core 0\n" + OURS);
            assertThat(hpc.edit("a - core 0\r\n")).isEqualTo("a - core 0\r\n" + OURS.replace("\n", "\r\n"));
            assertThat(hpc.edit("a - core 0\r\n@hpc - memlock 1"))
                    .isEqualTo("a - core 0\r\n" + OURS.strip().replace("\n", "\r\n"));
        }

        @Test
        void isIdempotentAndLeavesForeignLinesInOrder() {
            Seeded.times(500, random -> {
                String text = IntStream.range(0, random.nextInt(12))
                        .mapToObj(i -> Seeded.text(random, " \t", random.nextInt(2))
                                + List.of("@hpc", "*", "root", "#x").get(random.nextInt(4))
                                + " " + List.of("hard", "soft", "-", "bad").get(random.nextInt(4))
                                + "  " + List.of("memlock", "nofile").get(random.nextInt(2))
                                + " " + List.of("64", "unlimited").get(random.nextInt(2))
                                + Seeded.text(random, " #\r", random.nextInt(2)))
                        .collect(Collectors.joining("\n", "", random.nextBoolean() ? "\n" : ""));
                String edited = hpc.edit(text);
                assertThat(hpc.edit(edited)).isEqualTo(edited);
                assertThat(foreign(edited)).isEqualTo(foreign(text));
            });
        }

        private List<String> foreign(String text) {
            return text.lines()
                    .filter(line -> !line.strip().matches("@hpc\\s+(hard|soft|-)\\s+memlock\\s+[^\\s#]+(\\s*#.*)?"))
                    .toList();
        }
    }

    @Test
    void listsTheLinesOfALaterFileThatWin() {
        assertThat(
                        hpc.overriddenBy(
                                "# x\n@hpc - memlock 64\r\n@hpc - memlock unlimited\n* - memlock 1\n@hpc soft memlock x\n@hpc -\nroot -\n"))
                .containsExactly("@hpc - memlock 64", "@hpc soft memlock x", "@hpc -");
        assertThat(limits("*", "64").overriddenBy("* -\n@hpc -\n")).isEmpty();
    }

    /** The real pam_limits, in a mount namespace of its own; values are below this machine's hard limit. */
    @Nested
    class ThroughPam {
        @TempDir
        Path folder;

        @ParameterizedTest
        @CsvSource({"nobody,128,nobody,128", "@nogroup,128,nobody,128", "*,128,nobody,128", "root,128,root,128"})
        @Tag("breadth")
        void theLimitReachesItsSubject(String subject, String limit, String user, String expected) throws IOException {
            assertThat(limitsOf(user, limits(subject, limit).text())).isEqualTo(expected + "\n" + expected + "\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"*", "@root"})
        @Tag("breadth")
        void groupsAndEveryoneDoNotReachRoot(String subject) throws IOException {
            assertThat(limitsOf("root", limits(subject, "128").text())).isNotEqualTo("128\n128\n");
            LimitsConf both = LimitsConf.none()
                    .memlock(MemlockSubject.of(subject), MemlockLimit.of(128))
                    .root(MemlockLimit.of(256));
            assertThat(limitsOf("root", both.text())).isEqualTo("256\n256\n");
        }

        /** A line with a domain and a dash: in a later line, in an earlier line, in another file. */
        @ParameterizedTest
        @CsvSource({
            "nobody, true",
            "@nogroup, true",
            ":65534, true",
            "65534:, true",
            "60000:65534, true",
            "@:65534, true",
            "@60000:65534, true",
            "*, false",
            "%nogroup, false",
            "65534, false",
            "@65534, false",
            "1:100, false",
            "root, false"
        })
        @Tag("breadth")
        void aDashAloneSwitchesAllLimitsOffForUsersGroupsAndRanges(String domain, boolean off) throws IOException {
            String ours = limits("nobody", "128").text();
            String line = domain + " -\n";
            for (List<String> files :
                    List.of(List.of(ours + line, ""), List.of(line + ours, ""), List.of(ours, line))) {
                assertThat(limitsOf("nobody", files.get(0), files.get(1)).equals("128\n128\n"))
                        .as("limits.conf: %s, later file: %s", files.get(0), files.get(1))
                        .isEqualTo(!off);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"nobody", "@nogroup", "*"})
        @Tag("breadth")
        void anEditedFileHasNoSuchLineOfItsSubject(String subject) throws IOException {
            LimitsConf limits = limits(subject, "128");
            assertThat(limitsOf("nobody", limits.edit(subject + " -\n"))).isEqualTo("128\n128\n");
            assertThat(limitsOf("nobody", limits.edit(subject + " - memlock 64 more\n")))
                    .isEqualTo("128\n128\n");
            assertThat(limitsOf("nobody", limits.text(), subject + " - memlock 64 more\n"))
                    .as("a fifth field is ignored")
                    .isEqualTo("64\n64\n");
        }

        @Test
        @Tag("breadth")
        void keepsTheMeaningOfAnEditedFile() throws IOException {
            String before = "nobody - memlock 64\nnobody soft MEMLOCK 32 # old\r\n* hard core 0";
            assertThat(limitsOf("nobody", before)).isEqualTo("64\n32\n");
            assertThat(limitsOf("nobody", limits("nobody", "512").edit(before))).isEqualTo("512\n512\n");
        }

        private String limitsOf(String user, String limitsConf) throws IOException {
            return limitsOf(user, limitsConf, "");
        }

        private String limitsOf(String user, String limitsConf, String later) throws IOException {
            Path file = Files.writeString(folder.resolve("limits.conf"), limitsConf);
            Path last = Files.writeString(folder.resolve("later.conf"), later);
            return Tool.withMounts(
                            "mount -t tmpfs tmpfs /etc/security/limits.d; cp \"$3\" /etc/security/limits.d/10-later.conf;"
                                    + " chmod 644 /etc/security/limits.d/10-later.conf;"
                                    + " mount --bind \"$1\" /etc/security/limits.conf;"
                                    + " su -s /bin/sh \"$2\" -c 'ulimit -Hl; ulimit -Sl'",
                            file.toString(),
                            user,
                            last.toString())
                    .orThrow();
        }
    }
}
