package io.clusterwright.core.spec;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a text is said with its place, its field and a remedy. */
class SpecRefusalTest {
    private static final String MINIMAL = "name: c\nregion: westus\nnodes: {count: 8, size: Standard_A9}\n";

    private static InvalidSpecException refusal(String text) {
        return catchThrowableOfType(InvalidSpecException.class, () -> SpecReader.read(text, "s.yaml"));
    }

    private static List<String> problems(String more) {
        return refusal(MINIMAL + more).problems().stream()
                .map(SpecProblem::toString)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    regoin: x | 4:1: regoin: the cluster spec has no field regoin: did you mean region?
                    headnode: {size: A} | 4:1: headnode: the cluster spec has no field headnode: did you mean headNode?
                    costCap: {currency: EUR, perHour: 1, perhour: 1} | 4:38: costCap.perhour: costCap has no field perhour: did you mean perHour?
                    timeToLive: 8 | 4:13: timeToLive: invalid duration "8": use whole numbers with a unit (d, h, m, s, ms), the largest first (example: 1h30m)
                    timeToLive: 8 hours | 4:13: timeToLive: invalid duration "8 hours": use whole numbers with a unit (d, h, m, s, ms), the largest first (example: 1h30m)
                    timeToLive: 0s | 4:13: timeToLive: invalid time to live "0s": use 1 ms to 3650 days (example: 20m)
                    operatingSystem: Linux | 4:18: operatingSystem: found the text "Linux", expected one of linux, windows: did you mean linux? Allowed: linux, windows
                    scheduler: pbs | 4:12: scheduler: found the text "pbs", expected one of none, slurm, hpc-pack: give one of none, slurm, hpc-pack
                    image: {capture: yes} | 4:18: image.capture: found the text "yes", expected true or false: write true or false, without quotes and not as yes or no
                    headNode: {size: A, index: "10"} | 4:28: headNode.index: found the text "10", expected a whole number: give a whole number, for example 10, as plain digits without quotes
                    headNode: {size: A, index: 010} | 4:28: headNode.index: found the number 010, expected a whole number: give a whole number, for example 10, as plain digits without quotes
                    costCap: {currency: EUR} | 4:10: costCap.perHour: perHour is missing: give a number, for example 60
                    network: 10.0.0.0/16 | 4:10: network: found the text "10.0.0.0/16", expected a group of names: give network with name, existing, dnsServers, addressSpace, subnet, firstAddress …
                    suppress: CW-NET-001 | 4:11: suppress: found the text "CW-NET-001", expected a list: write a list in brackets: [a finding code, for example CW-FABRIC-003]
                    tags: [a] | 4:7: tags: found a list, expected tags: give tags, each name with a value, for example wing-flow
                    costCap: {currency: EUR, perHour: 1e999999999} | 4:35: costCap.perHour: found the number 1e999999999, expected a number: give a number, for example 60, as plain digits without quotes
                    image: {customize: {mpi: {flavour: mpich, install: distro}}} | 4:52: image.customize.mpi.install: found the text "distro", expected the source of an MPI: give distribution, image, {archive: URL, sha256: …} or {packages: /opt/intelMPI/*.rpm}
                    image: {customize: {mpi: {flavour: mpich, install: {archive: a.tgz}}}} | 4:52: image.customize.mpi.install.sha256: sha256 is missing: give 64 hexadecimal digits, for example 0123…cdef
                    image: {customize: {packages: [a, -x]}} | 4:35: image.customize.packages[1]: invalid package name "-x": use 1 to 200 letters, digits or '.+_:=~*-', starting with a letter or digit (example: nfs-common)
                    costCap: {currency: EUR, perHour: 0} | 4:35: costCap.perHour: invalid cost per hour "0": use an amount above 0 and up to 1000000000 with at most 4 decimals (example: 1.20)
                    verify: {minBandwidth: {gbps: 0}} | 4:31: verify.minBandwidth.gbps: invalid bandwidth in gigabits per second "0.0": use 0.001 to 1000000000 (example: 3)
                    on: {azur: {nodes: {count: 4}}} | 4:6: on.azur: there is no provider azur: did you mean azure?
                    on: {loacl: {nodes: {count: 4}}} | 4:6: on.loacl: there is no provider loacl: did you mean local?
                    mpi: {env: {GOOD: a, "BAD NAME": b}} | 4:22: mpi.env.BAD NAME: invalid environment variable "BAD NAME": use letters, digits or '_' (example: UCX_LOG_LEVEL)
                    tags: {ok: "1", bad: "x\\ty"} | 4:22: tags.bad: invalid value of tag bad "x?y": use up to 256 printable characters (example: wing-flow)
                    timeToLive: 999999999d | 4:13: timeToLive: invalid duration "999999999d": use 1 ms to 3650 days (example: 20m)
                    image: {customize: {ssh: {hostKeys: accept-in-range, acceptRange: [10.32.0.*.*]}}} | 4:68: image.customize.ssh.acceptRange[0]: invalid range of accepted host keys "10.32.0.*.*": use an address, an address range, or an address that ends with '*' (example: 10.32.0.*)
                    name: again | 4:1: name: field name is written twice, first in line 1: remove one of the two
                    """)
    void aWrongValueIsSaidWithItsPlaceAndRemedy(String line, String problem) {
        assertThat(problems(line + "\n")).containsExactly(problem);
    }

    @Test
    void reportsAllProblemsInTheOrderOfTheText() {
        InvalidSpecException refusal = refusal("region: W\nnodes:\n  count: 0\n  siez: A\nverify: {fabric: rings}\n");
        assertThat(refusal.problems())
                .extracting(SpecProblem::path)
                .containsExactly("region", "name", "nodes.count", "nodes.siez", "verify.fabric");
        assertThat(refusal)
                .hasMessageStartingWith("the cluster spec has 5 problems\ns.yaml:1:9: region: invalid region \"W\"")
                .hasMessageContaining("\ns.yaml:4:3: nodes.siez: nodes has no field siez: did you mean size?");
        assertThat(refusal.source()).isEqualTo("s.yaml");
        assertThat(refusal.problems().get(2).line()).hasValue(3);
        assertThat(refusal.problems().get(2).column()).hasValue(10);
    }

    @Test
    void aCharacterThatYamlRefusesHasItsPlaceAlsoFarBehind() {
        String start = MINIMAL + "# a comment\n".repeat(1000);
        assertThat(refusal(start + "timeToLive: 8h\u0001\n").problems())
                .singleElement()
                .hasToString(
                        "1004:15: the text is not valid YAML: it has the character U+0001, which YAML does not allow:"
                                + " remove the character at this place");
        assertThat(refusal("name: a\0b\n").problems())
                .singleElement()
                .asString()
                .startsWith("1:8: the text is not valid YAML: it has the character U+0000");
    }

    @Test
    void reportsRulesBetweenFieldsAtTheField() {
        assertThat(problems("network:\n  firstAddress: 10.32.0.3\n"))
                .containsExactly(
                        "5:17: network.firstAddress: 10.32.0.3 is one of the first four addresses of"
                                + " 10.32.0.0/24, and the network reserves them: write firstAddress: 10.32.0.4, or a later address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/opt/../etc/x",
                "/opt/./x",
                "/opt//x",
                "//opt/x",
                "/opt/..",
                "/opt/.",
                "C:\\a\\..\\b",
                "/var/lib/clusterwright/customize.sh"
            })
    void refusesAPathOfAFileThatHasASecondSpelling(String path) {
        assertThat(problems("image: {customize: {files: [{from: a, to: '" + path + "'}]}}\n"))
                .singleElement()
                .asString()
                .contains("image.customize.files[0].to: invalid path of a file on a node", "'/../'");
        assertThat(Checks.FILE_ON_NODE.check("/opt/.x/..y/a.b...")).isEqualTo("/opt/.x/..y/a.b...");
    }

    @Test
    void refusesAProgramOfAFirewallRuleThatABatchFileCannotHold() {
        assertThat(
                        problems(
                                "operatingSystem: windows\nhpcPack: {firewall: [{name: x, program: 'C:\\Pr\u00f6gram\\x.exe'}]}\n"))
                .anySatisfy(problem ->
                        assertThat(problem).contains("firewall[0]", "invalid path of a program", "ASCII characters"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\n", "\\N", "\\L", "\\P", "\\e", "\\u009b"})
    void refusesLineEndsThatUnicodeAdds(String end) {
        for (String line : List.of(
                "tags: {owner: \"a@b\"}",
                "mpi: {env: {A: \"a@b\"}}",
                "login: {password: {secret: \"file:a@b\"}}",
                "image: {customize: {files: [{from: \"a@b\", to: /opt/a}]}}",
                "image: {customize: {files: [{from: a, to: \"/opt/a@b\"}]}}",
                "image: {customize: {scripts: [{name: a, path: \"a@b\"}]}}")) {
            assertThat(problems(line.replace("@", end) + "\n"))
                    .as(line)
                    .singleElement()
                    .asString()
                    .containsAnyOf(": use ", ": give ");
        }
    }

    @Nested
    class ASecret {
        @Test
        void neverRepeatsASecret() {
            for (String wrong :
                    List.of("hunter2", "{secret: hunter2}", "{scret: hunter2}", "[hunter2]", "{secret: [hunter2]}")) {
                assertThat(refusal(MINIMAL + "login: {password: " + wrong + "}\n"))
                        .hasMessageContaining("login.password: ")
                        .hasMessageContaining("{secret: env:CW_PASSWORD}")
                        .hasMessageNotContaining("hunter2");
            }
        }
    }

    @Nested
    class AnOverlay {
        @Test
        void refusesUnknownNamesInAnOverlay() {
            assertThat(problems("on:\n  local: {nodes: {cuont: 4}}\n"))
                    .containsExactly("5:19: on.local.nodes.cuont: nodes has no field cuont: did you mean count?");
        }

        @Test
        void refusesAnOverlayWithAnInvalidResult() {
            assertThat(problems("on: {local: {nodes: {quorum: 9}}}\n"))
                    .containsExactly("4:30: on.local.nodes.quorum: quorum is 9, and count is 8"
                            + " (with on.local applied): write quorum: 8 or less, or remove quorum");
        }

        @Test
        void refusesAnOverlayInAnOverlay() {
            assertThat(problems("on: {local: {on: {local: {}}}}\n"))
                    .singleElement()
                    .asString()
                    .contains("an overlay cannot have overlays");
        }
    }

    @Nested
    class AText {
        @Test
        void refusesInvalidYamlAtItsPlace() {
            assertThat(refusal("name: a\n\tregion: b\n"))
                    .hasMessageContaining("s.yaml:2:1: the text is not valid YAML: ")
                    .hasMessageContaining("cannot start any token");
        }

        @Test
        void refusesInvalidJson() {
            assertThat(catchThrowableOfType(
                            InvalidSpecException.class, () -> SpecReader.read("{\"name\": }", "s.json")))
                    .hasMessageContaining("s.json:1:10: the text is not valid JSON: ");
        }

        @Test
        void refusesTextWithoutFields() {
            assertThat(refusal("# nothing\n")).hasMessageContaining("the text is empty");
            assertThat(refusal("[1]")).hasMessageContaining("found a list, expected the fields of a cluster spec");
            assertThat(refusal(MINIMAL + "---\n" + MINIMAL)).hasMessageContaining("a second document");
            assertThat(refusal("name: !!binary aGk=\n")).hasMessageContaining("binary values have no place");
            assertThat(refusal("name: *x\n")).hasMessageContaining("found undefined alias x");
        }

        @Test
        void refusesTextBeyondTheLimitsQuickly() {
            refusedQuickly("x".repeat(10 << 20), "longer than 1 MiB");
            refusedQuickly("a: " + "[".repeat(100_000), "deeper than 50 levels");
            refusedQuickly("{\"a\":".repeat(100_000), "deeper than 50 levels");
            refusedQuickly("- ".repeat(400_000), "deeper than 50 levels");
            refusedQuickly("a: [" + "1,".repeat(500_000) + "]", "more than 20000 values");
            refusedQuickly("on: {" + "p: {},".repeat(15_000) + "}", "field p is written twice");
        }

        @Test
        void refusesAnAnchorBombQuickly() {
            StringBuilder bomb = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x]\n");
            for (char level = 'b'; level <= 'i'; level++) {
                String below = "*" + (char) (level - 1);
                bomb.append(level).append(": &").append(level).append(" [");
                bomb.append(String.join(", ", Collections.nCopies(9, below))).append("]\n");
            }
            refusedQuickly(bomb.toString(), "more than 20 aliases");
        }

        private void refusedQuickly(String text, String reason) {
            InvalidSpecException refusal = assertTimeoutPreemptively(ofSeconds(5), () -> refusal(text));
            assertThat(refusal).hasMessageContaining(reason);
            assertThat(refusal.problems())
                    .hasSizeLessThanOrEqualTo(20_000)
                    .allMatch(problem -> !problem.remedy().isBlank());
        }
    }
}
