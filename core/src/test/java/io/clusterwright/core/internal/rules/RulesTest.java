package io.clusterwright.core.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
    private static final String SMALL = "{name: demo, region: westeurope, nodes: {count: 2, size: Standard_HB120rs_v3}";

    static Stream<RuleCases> cases() {
        return RuleCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRuleReportsItsMistake(RuleCases rule) {
        assertThat(codes(rule.broken())).contains(rule.code());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRuleAcceptsItsGoodCase(RuleCases rule) {
        assertThat(codes(rule.good())).doesNotContain(rule.code());
    }

    @Test
    void everyRuleHasItsCase() {
        List<String> rules = new StandardRules()
                .rules().stream().map(Rule::kind).map(FindingKind::code).toList();
        assertThat(RuleCases.all().map(RuleCases::code)).containsExactlyInAnyOrderElementsOf(rules);
        assertThat(rules).hasSizeGreaterThan(40);
    }

    @Test
    void aClassicImageThatTheCatalogDoesNotKnowIsRefusedWithTheImagesToWrite() {
        String base = "5112500ae3b842c8b9c604889f8753c3__OpenLogic-CentOS-65-HPC-20160408";
        assertThat(findings("nodes: {count: 2, size: Standard_A9}, image: {base: " + base + "}"))
                .filteredOn(finding -> finding.path().equals("image.base"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo("CW-IMAGE-009");
                    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
                    assertThat(finding.message())
                            .isEqualTo(
                                    base + " is the name of a classic image, which Azure boots no more, and the catalog"
                                            + " knows no image of the marketplace for it");
                    assertThat(finding.remedy())
                            .contains("clusterwright images", "write image: {base: auto}", "SUSE:SLES-HPC:12:latest");
                });
    }

    @Test
    void noTwoKindsOfFindingShareACode() {
        assertThat(RuleBook.installed().kinds()).extracting(FindingKind::code).doesNotHaveDuplicates();
    }

    @Test
    void aRuleReportsItsOwnSeverityAndAPath() {
        for (RuleCases one : RuleCases.all().toList()) {
            assertThat(findings(one.broken())).allSatisfy(finding -> {
                FindingKind kind = RuleBook.installed().kinds().stream()
                        .filter(known -> known.code().equals(finding.code()))
                        .findFirst()
                        .orElseThrow();
                assertThat(finding.severity()).isEqualTo(kind.severity());
                assertThat(finding.path()).isNotEmpty();
            });
        }
    }

    @Test
    void rulesOfAnAbsentModuleAreReportedAsNotChecked() {
        assertThat(RuleBook.installed()
                        .notChecked(
                                RuleCases.spec("suppress: []"),
                                Facts.offline().provider("local"),
                                List.of(),
                                Optional.empty()))
                .containsExactly("mpi.preset, mpi.env and whether the MPI can drive the network:"
                        + " the module clusterwright-mpi is not on the class path");
        assertThat(codes("suppress: [CW-PRESET-001, CW-DIAG-401, CW-MPI-002, CW-BENCH-001, CW-MEMLOCK-001,"
                        + " CW-LOCAL-007]"))
                .doesNotContain("CW-SUPPRESS-001");
    }

    private static List<Finding> findings(String text) {
        return RuleBook.installed().check(RuleCases.spec(text), RuleCases.facts(text), List.of());
    }

    private static List<String> codes(String text) {
        return findings(text).stream().map(Finding::code).toList();
    }

    @Nested
    class MachinesOfHpcPack {
        private static final String WINDOWS = "operatingSystem: windows, nodes: {count: 4, size: A9}, ";
        private static final String HEAD =
                "head: {address: 'https://head.hpc.example', user: HPC, password: {secret: env:HPC_PASSWORD}}";
        private static final String BURST = "scenario: burst, burst: {cloudService: c1, storageAccount: store1}";

        @Test
        void anExistingHeadNodeNeedsNoScenarioAndNoSection() {
            ClusterSpec spec = RuleCases.spec(WINDOWS + "hpcPack: {existingHead: true, version: 2016, " + HEAD + "}");

            assertThat(findings(WINDOWS + "hpcPack: {existingHead: true, version: 2016, " + HEAD + "}"))
                    .extracting(Finding::code)
                    .noneMatch(code -> code.startsWith("CW-HPCPACK"));
            assertThat(PlannedMachines.of(spec))
                    .singleElement()
                    .satisfies(nodes -> assertThat(nodes.count()).isEqualTo(4));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "headNode: {name: HN1, size: A9}, "})
        void billedAreTheMachinesThatCreateMakes(String head) {
            assertThat(messages(WINDOWS + head + "hpcPack: {existingHead: true, " + BURST + ", " + HEAD + "}"))
                    .containsExactly(
                            "CW-COST-001 timeToLive there is no timeToLive: 4 machines run, and cost money, until you"
                                    + " destroy the cluster");
            assertThat(messages(WINDOWS + head + "hpcPack: {existingHead: true}"))
                    .isEmpty();
        }

        @Test
        void nothingStopsMachinesOfFilesAndNoAdviceSaysThatTimeToLiveDoes() {
            String stopped = " machines run, and cost money, until you stop them";
            assertThat(messages(WINDOWS + "hpcPack: {existingHead: true, " + BURST + "}"))
                    .containsExactly("CW-HPCPACK-016 hpcPack.scenario nothing stops the machines of scenario burst: 6"
                            + stopped);
            assertThat(messages(WINDOWS + "timeToLive: 4h, hpcPack: {existingHead: true, " + BURST + "}"))
                    .containsExactly(
                            "CW-HPCPACK-016 timeToLive timeToLive has no effect on the files of scenario burst: 6"
                                    + stopped);
            assertThat(messages(WINDOWS + "timeToLive: 4h, hpcPack: {resourceManager: {clusterName: hpc1,"
                            + " certificate: {keyVault: hpc1-kv, secretName: hpcpack}}}"))
                    .containsExactly("CW-HPCPACK-016 timeToLive timeToLive has no effect on the files of scenario"
                            + " resource-manager: 6" + stopped);
        }

        @Test
        void hoursOfABurstStopItsNodes() {
            String hours = BURST.replace("store1}", "store1, availability: automatic, hours: 'mon-fri 08:00-18:00'}");
            assertThat(messages(WINDOWS + "hpcPack: {existingHead: true, " + hours + "}"))
                    .isEmpty();
            assertThat(messages(WINDOWS + "timeToLive: 4h, hpcPack: {existingHead: true, " + hours + "}"))
                    .containsExactly(
                            "CW-HPCPACK-016 timeToLive timeToLive has no effect on the files of scenario burst:"
                                    + " the nodes stop at the end of hpcPack.burst.hours");
        }

        private static List<String> messages(String text) {
            return findings(text).stream()
                    .filter(finding -> finding.code().matches("CW-COST-001|CW-HPCPACK-016"))
                    .map(finding -> finding.code() + " " + finding.path() + " " + finding.message())
                    .toList();
        }
    }

    @Nested
    class Suppressing {
        @Test
        void hidesTheFindingsOfACode() {
            assertThat(check(", suppress: [CW-COST-001]}"))
                    .noneMatch(finding -> finding.code().equals("CW-COST-001"));
        }

        @Test
        void warnsOfACodeThatIsNotKnownAndNamesTheNearest() {
            assertThat(check(", suppress: [CW-COST-01]}"))
                    .filteredOn(finding -> finding.code().equals("CW-SUPPRESS-001"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                        assertThat(finding.path()).isEqualTo("suppress[0]");
                        assertThat(finding.message()).isEqualTo("there is no finding with the code CW-COST-01");
                        assertThat(finding.remedy()).startsWith("did you mean CW-COST-00");
                    });
        }

        private List<Finding> check(String rest) {
            ClusterSpec spec = SpecReader.read(SMALL + rest, "s.yaml");
            return Planner.check(spec);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.32.*, 0",
        "10.32.*.*, 0",
        "10.32.0.0/24, 0",
        "10.32.0.5, 0",
        "10.*, 1",
        "10.*.*.*, 1",
        "10.0.0.0/15, 1",
        "10.33.*, 0",
        "11.*, 1"
    })
    void everyFormOfAnAcceptedRangeIsRead(String range, int errors) {
        assertThat(codes("network: {addressSpace: 10.0.0.0/8, subnet: {range: 10.32.0.0/24}}, image: {customize: {ssh:"
                        + " {hostKeys: accept-in-range, acceptRange: [\"" + range + "\"]}}}"))
                .filteredOn("CW-SSH-003"::equals)
                .hasSize(errors);
    }

    @Nested
    class TheEndOfASize {
        @Test
        void retirementFollowsTheCatalog() {
            assertThat(ofSize("Standard_A9")).containsExactly("Azure retired Standard_A9 on 2021-03-01");
            assertThat(ofSize("Standard_HC44rs")).containsExactly("Azure will retire Standard_HC44rs on 2027-05-31");
            assertThat(ofSize("Standard_HB120rs_v3")).isEmpty();
        }

        private List<String> ofSize(String size) {
            return findings("nodes: {count: 2, size: " + size + "}").stream()
                    .filter(finding -> finding.code().equals("CW-SIZE-002"))
                    .map(Finding::message)
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource(Verification.Fabric.class)
    void everyCheckOfTheFabricIsCarriedOut(Verification.Fabric fabric) {
        String word = fabric.name().toLowerCase(Locale.ROOT).replace('_', '-');

        assertThat(codes("nodes: {count: 8, size: Standard_HB120rs_v3}, verify: {fabric: " + word
                        + ", maxLatency: {micros: 3, upToBytes: 512}}"))
                .noneMatch(code -> code.startsWith("CW-SPEC-"));
    }

    @Test
    void onlyACloudNeedsTheSizeOfAHeadNode() {
        String text = "headNode: {index: 0}";
        assertThat(findings(text))
                .filteredOn(finding -> finding.code().equals("CW-READ-003"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.path()).isEqualTo("headNode.size");
                    assertThat(finding.message()).isEqualTo("size is missing");
                    assertThat(finding.remedy()).isEqualTo("write headNode: {size: Standard_D8s_v5}, or another size");
                });
        assertThat(codes("@local " + text)).doesNotContain("CW-READ-003");
    }

    @Nested
    class AConflict {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                        CW-NET-001 | the address space 172.16.0.0/20 overlaps 172.16.0.0/16, which Azure reserves for its RDMA network
                        CW-NET-002 | the address space 172.20.0.0/16 overlaps 172.16.0.0/12, which Azure once reserved for the RDMA network of network-direct sizes such as Standard_A9
                        CW-NET-003 | 10.32.0.0/29 has 8 addresses; 4 machines and the 5 addresses that Azure keeps need 9
                        CW-NET-004 | the address space 8.8.0.0/16 is not private: the nodes cannot reach the internet hosts with these addresses
                        CW-NET-005 | the 4 nodes get the addresses from 10.32.0.4 on, and 10.32.0.5 is a DNS server in network.dnsServers
                        CW-NET-007 | the address space 127.0.0.0/8 overlaps 127.0.0.0/8, which Azure refuses in a virtual network
                        CW-PORT-003 | the head node and node demo12 have the index 12, so portPrefix would give both the external port 10112
                        CW-EXT-006 | extensions[0] and extensions[1] are of type customscript, and a machine has one extension of a type
                        CW-NAME-002 | the names of head node DEMO2 and node demo2 differ in case only, and name services ignore case
                        CW-HPCPACK-004 | the burst nodes would share the cloud service C1 with the head node (headNodeService)
                        CW-SPOT-005 | maxPricePerHour has no effect: nodes.spot.enabled is false, so nodes are billed in full
                        """)
        void namesBothSides(String code, String message) {
            RuleCases one = RuleCases.all()
                    .filter(rule -> rule.code().equals(code))
                    .findFirst()
                    .orElseThrow();
            assertThat(findings(one.broken()))
                    .filteredOn(finding -> finding.code().equals(code))
                    .extracting(Finding::message)
                    .containsExactly(message);
        }

        @Test
        void namesTheMachineThatTwoPatternsName() {
            assertThat(
                            findings(
                                    "operatingSystem: windows, nodes: {count: 2, size: Standard_A8, namePattern: \"CN-%1%\"},"
                                            + " hpcPack: {scenario: iaas, linuxNodes: {count: 2, size: Standard_A8, namePattern: \"cn-%2%\", image: x}}"))
                    .filteredOn(finding -> finding.code().equals("CW-NAME-002"))
                    .extracting(Finding::message)
                    .containsExactly("a compute node and a Linux node both have the name cn-2, and name services ignore"
                            + " case");
        }

        @Test
        void saysWhatTheOtherSideIsWhereBothHaveTheSameValue() {
            assertThat(findings("network: {addressSpace: 172.16.0.0/16}"))
                    .filteredOn(finding -> finding.code().equals("CW-NET-001"))
                    .extracting(Finding::message)
                    .containsExactly("the address space 172.16.0.0/16 overlaps 172.16.0.0/16, which Azure reserves for"
                            + " its RDMA network");
        }

        @Test
        void ofNoRuleEndsWithTheValueItBeganWith() {
            assertThat(RuleCases.all().flatMap(rule -> findings(rule.broken()).stream()))
                    .extracting(Finding::message)
                    .noneMatch(message -> message.matches("(?s)(\\S+) .*\\b\\1"));
        }
    }

    /** The C library reads them as addresses, of which hexadecimal digits are a part. */
    @ParameterizedTest
    @CsvSource({"0x, true", "0XaF, true", "12, true", "x0, false", "0b, false", "0xg, false"})
    void aNameThatIsANumberIsRefused(String prefix, boolean refused) {
        assertThat(findings("nodes: {count: 2, size: Standard_HB120rs_v3, prefix: \"" + prefix + "\"}").stream()
                        .anyMatch(finding -> finding.code().equals("CW-NAME-003")))
                .isEqualTo(refused);
    }

    @Nested
    class ARemedy {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                        CW-PORT-002 | nodes: {count: 4, size: Standard_HB120rs_v3, firstIndex: 1}, network: {ssh: {external: all, portPrefix: 101}} | write network: {ssh: {portPrefix: 1000}}
                        CW-PORT-001 | nodes: {count: 4, size: Standard_HB120rs_v3, firstIndex: 1000}, network: {ssh: {external: all, portPrefix: 101}} | write network: {ssh: {portPrefix: 1}}
                        CW-PORT-002 | nodes: {count: 200, size: Standard_HB120rs_v3, firstIndex: 1}, network: {ssh: {external: all, portPrefix: 101}} | write a longer portPrefix or a larger nodes.firstIndex
                        CW-NET-003 | network: {addressSpace: 10.32.0.0/16, subnet: {range: 10.32.1.248/29}} | write network: {subnet: {range: 10.32.1.240/28}}
                        CW-NET-003 | nodes: {count: 252, size: Standard_HB120rs_v3}, network: {addressSpace: 192.168.7.0/24} | write network: {addressSpace: 10.32.0.0/16, subnet: {range: 10.32.0.0/23}}
                        """)
        void isAcceptedWhenItIsWritten(String code, String broken, String remedy) {
            assertThat(findings(broken))
                    .filteredOn(finding -> finding.code().equals(code))
                    .extracting(Finding::remedy)
                    .containsExactly(remedy);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "ranksPerNuma: 400, threadsPerRank: 10 | lower mpi.ranksPerNuma or mpi.threadsPerRank",
                    "ranksPerNode: 121 | lower mpi.ranksPerNode or mpi.threadsPerRank",
                })
        void namesTheFieldThatIsThere(String settings, String remedy) {
            assertThat(findings("mpi: {" + settings + "}"))
                    .filteredOn(finding -> finding.code().equals("CW-SIZE-007"))
                    .extracting(Finding::remedy)
                    .containsExactly(remedy);
        }

        @Test
        void namesTheNearestSize() {
            assertThat(findings("nodes: {count: 2, size: Standard_HB120rs_v9}"))
                    .filteredOn(finding -> finding.code().equals("CW-SIZE-001"))
                    .extracting(Finding::remedy)
                    .singleElement()
                    .asString()
                    .startsWith("did you mean Standard_HB120rs_v");
        }
    }
}
