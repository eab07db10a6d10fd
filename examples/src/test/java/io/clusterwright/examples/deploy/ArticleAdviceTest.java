package io.clusterwright.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the articles forbid, recommend or warn of is a finding of a spec that does it. */
class ArticleAdviceTest {
    private static final String A8_TO_A11 = "standardA8_A11Family";
    private static final Path DECISION = Path.of("../docs/decisions/0007-article-prohibitions.md");
    private static final Pattern LINE = Pattern.compile("(?m)^\\|[^|]*\\|([^|]*CW-[^|]*)\\| *([A-Z]+)\\b");
    private static final Pattern CODE = Pattern.compile("CW-[A-Z]+-\\d{3}");

    private static ClusterSpec spec(String text) {
        String region = text.contains("region: ") ? "" : "region: eastus, ";
        return SpecReader.read("{name: demo, " + region + text + "}", "demo.yaml");
    }

    private static List<Finding> findings(String text, String code) {
        return Planner.check(spec(text)).stream()
                .filter(finding -> finding.code().equals(code))
                .toList();
    }

    /** The words of the article, a spec that does not heed them, and its finding. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                A10 and A11 | nodes: {count: 8, size: A10}, verify: {fabric: pair} | CW-SIZE-003 | ERROR | A10 has no RDMA network
                Intel MPI Library version 5 | nodes: {count: 8, size: A9}, image: {customize: {mpi: {flavour: open-mpi, install: image}}} | CW-FABRIC-003 | WARNING | install Intel MPI 5
                SLES 12 | nodes: {count: 8, size: A9}, image: {base: "microsoft-dsvm:ubuntu-hpc:2204:latest"} | CW-IMAGE-002 | ERROR | chooses an image for the size
                kernel updates | nodes: {count: 8, size: A9}, image: {customize: {updates: {install: all, kernel: allow}}} | CW-KERNEL-001 | WARNING | kernel: hold
                memlock | nodes: {count: 8, size: A9} | CW-MEM-001 | WARNING | limit: unlimited
                StrictHostKeyChecking no | nodes: {count: 8, size: A9}, image: {customize: {ssh: {hostKeys: accept-per-node}}} | CW-SSH-002 | WARNING | hostKeys: pinned
                potential security risk | nodes: {count: 8, size: A9}, image: {customize: {ssh: {hostKeys: accept-in-range, acceptRange: ["10.*.*.*"]}}} | CW-SSH-003 | ERROR | outside of network.addressSpace
                ports up to 10000 | nodes: {count: 8, size: A9, firstIndex: 11}, network: {ssh: {external: all, portPrefix: 10}} | CW-PORT-002 | ERROR | reserved like all ports up to 10000
                West US, West Europe and Japan East | region: japaneast, nodes: {count: 8, size: A9}, extensions: [{name: RDMAUpdateForLinux}] | CW-EXT-001 | ERROR | must not be installed in region japaneast
                RDMAUpdateForLinux | nodes: {count: 8, size: A9} | CW-EXT-002 | INFO | so RDMAUpdateForLinux is installed
                IP over InfiniBand | nodes: {count: 8, size: A9}, mpi: {env: {I_MPI_TCP_NETMASK: ib0}} | CW-FABRIC-004 | WARNING | eth0
                at least A4 | operatingSystem: windows, nodes: {count: 8, size: A8}, headNode: {size: A3, name: HN}, hpcPack: {scenario: iaas} | CW-WIN-001 | WARNING | Standard_A4
                a different cloud service | operatingSystem: windows, nodes: {count: 8, size: A8}, hpcPack: {scenario: iaas, headNodeService: c1, computeNodeService: c1} | CW-HPCPACK-015 | WARNING | a separate cloud service for each
                Topology 5 | operatingSystem: windows, nodes: {count: 8, size: A8}, hpcPack: {scenario: iaas, topology: private} | CW-HPCPACK-001 | ERROR | topology: enterprise
                Windows Server 2012 | operatingSystem: windows, nodes: {count: 8, size: H16r}, image: {base: "MicrosoftWindowsServer:WindowsServer:2012-Datacenter:latest"} | CW-OS-003 | ERROR | 2012
                manually install the HpcVmDrivers extension | operatingSystem: windows, nodes: {count: 8, size: H16r} | CW-WIN-002 | WARNING | extensions: [{name: HpcVmDrivers}]
                a minimum of two | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-QUOTA-002 | INFO | 4 nodes and 2 proxy nodes
                number of VMs in a cloud service is 50 | operatingSystem: windows, nodes: {count: 49, size: A8}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-HPCPACK-005 | ERROR | 51 machines do not fit one cloud service, which holds 50
                default management certificate | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1, managementCertificate: default}} | CW-HPCPACK-006 | WARNING | default is for tests
                reprovisioned without notice | operatingSystem: windows, nodes: {count: 32, size: A8}, timeToLive: 1h, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-HPCPACK-007 | WARNING | Azure is likely to reinstall a node during a job
                a file server | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-HPCPACK-012 | INFO | cannot be the file server of a job
                licensing | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: iaas} | CW-HPCPACK-009 | INFO | ask the vendor
                site-to-site | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: iaas} | CW-HPCPACK-010 | INFO | a site-to-site VPN
                only a few nodes | operatingSystem: windows, nodes: {count: 5, size: A7}, hpcPack: {scenario: iaas} | CW-HPCPACK-011 | INFO | run jobs on a few nodes only
                Windows Firewall | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: iaas} | CW-HPCPACK-013 | WARNING | hpcPack: {firewall: [
                what job types can run on Azure | operatingSystem: windows, nodes: {count: 4, size: A8}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-HPCPACK-008 | WARNING | hpcPack.jobTemplate
                ignored by nodes added in a burst | operatingSystem: windows, nodes: {count: 4, size: A8}, mpi: {netmask: 172.16.0.0/16}, hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}} | CW-WIN-003 | WARNING | burst nodes ignore it
                """)
    void isAFinding(String words, String text, String code, Severity severity, String told) {
        assertThat(findings(text, code)).as(words).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.message() + "; " + finding.remedy()).contains(told);
        });
    }

    @Test
    void eightA9Need128Cores() {
        Plan linux = Planner.offline()
                .quota(List.of(new QuotaUse(A8_TO_A11, 0, 127)))
                .plan(SpecReader.read(Path.of("specs", "linux-article.yaml")));
        assertThat(lines(linux)).contains(A8_TO_A11 + " 8 128", "cores 8 128");
        assertThat(linux.findings())
                .filteredOn(finding -> finding.code().equals("CW-QUOTA-001"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.message()).contains("the cluster needs 128 cores of " + A8_TO_A11);
                    assertThat(finding.remedy()).startsWith("request more quota");
                });

        ClusterSpec windows = SpecReader.read(Path.of("specs", "windows-iaas.yaml")).toBuilder()
                .nodes(nodes -> nodes.count(8).size("Standard_A9"))
                .build();
        assertThat(lines(Planner.offline().plan(windows))).contains(A8_TO_A11 + " 8 128");
    }

    private static List<String> lines(Plan plan) {
        return plan.quota().stream()
                .map(line -> line.family() + " " + line.machines() + " " + line.billedCores())
                .toList();
    }

    @Test
    void aCloudServicesLimitOf50CountsForCloudServicesOnly() {
        String nodes = "nodes: {count: %d, size: A9, firstIndex: 11}";
        assertThat(Planner.check(spec(nodes.formatted(51))))
                .as("no cloud service, so no limit of 50 VMs")
                .noneMatch(Finding::isError);
        assertThat(findings(nodes.formatted(301), "CW-PLACE-001"))
                .singleElement()
                .matches(finding -> finding.message().endsWith("auto holds 300"));
    }

    @Test
    void theDecisionHasTheSeverityOfEachFinding() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<MatchResult> lines =
                LINE.matcher(Files.readString(DECISION)).results().toList();
        for (MatchResult line : lines) {
            CODE.matcher(line.group(1))
                    .results()
                    .map(MatchResult::group)
                    .filter(code -> RuleBook.installed().kinds().stream()
                            .noneMatch(kind -> kind.code().equals(code)
                                    && kind.severity().name().equals(line.group(2))))
                    .forEach(wrong::add);
        }
        assertThat(lines).hasSizeGreaterThan(10);
        assertThat(wrong).isEmpty();
    }
}
