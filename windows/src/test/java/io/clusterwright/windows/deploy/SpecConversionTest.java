package io.clusterwright.windows.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A description becomes a configuration, and a configuration a description. */
class SpecConversionTest {
    private static final Path SPECS = Path.of("..", "examples", "specs");

    private static ClusterSpec example(String scenario) {
        return SpecReader.read(SPECS.resolve("windows-" + scenario + ".yaml"));
    }

    @Test
    void aConfigurationOfADescriptionHasNoErrorsAndComesBackAsTheSameConfiguration() {
        IaasConfiguration file = IaasConfiguration.of(example("iaas"));

        assertThat(file.lint()).extracting(finding -> finding.finding().code()).containsOnly("CW-IAAS-015");
        IaasSpec back = IaasConfiguration.parse(file.toXml()).toSpec();
        assertThat(IaasConfiguration.of(back.spec())).isEqualTo(file);
        assertThat(back.notSaid()).extracting(finding -> finding.path()).containsExactly("VNet");
    }

    @Test
    void aPublishedFileBecomesADescriptionThatGivesTheFileAgain() {
        IaasConfiguration first =
                IaasConfiguration.parse(IaasConfigurationTest.sample("hpcpack-example1-headnode-as-dc.xml"));
        IaasSpec spec = first.toSpec();

        assertThat(spec.spec().region()).isEqualTo("westus");
        assertThat(spec.spec().nodes().size()).isEqualTo(new VmSize("Standard_A2"));
        assertThat(spec.spec().headNode().orElseThrow().size()).isEqualTo(new VmSize("Standard_A4"));
        assertThat(spec.spec().nodes().names()).first().isEqualTo(new NodeName("MyHPCCN-1000"));
        assertThat(IaasConfigurationTest.canonical(
                        IaasConfiguration.of(spec.spec()).toXml()))
                .isEqualTo(IaasConfigurationTest.canonical(first.toXml()).replaceAll("<!--.*?-->", ""));
    }

    @Test
    void whatADescriptionCannotSayIsListed() {
        IaasSpec third = IaasConfiguration.parse(
                        IaasConfigurationTest.sample("hpcpack-example3-a8-remote-db-brokers.xml"))
                .toSpec();

        assertThat(third.notSaid())
                .extracting(finding -> finding.path())
                .contains(
                        "Subscription",
                        "AffinityGroup",
                        "ComputeNodes/AffinityGroup",
                        "Database/DBServer",
                        "HeadNode/EnableWebPortal",
                        "BrokerNodes");
        assertThat(third.spec().hpcPack().flatMap(HpcPackSpec::subscription)).isEmpty();
        assertThat(third.spec().nodes().size()).isEqualTo(new VmSize("Standard_A8"));
    }

    @Test
    void cloudServicesAreNamedAfterTheClusterUnlessTheyAreGiven() {
        ClusterSpec spec = SpecReader.read(
                "{name: hpc2, region: westus, operatingSystem: windows, nodes: {count: 2, size: Standard_A8}, headNode: {name: HN,"
                        + " size: Standard_A4}, hpcPack: {subscription: {id: 00000000-0000-0000-0000-000000000000, storageAccount: s12}}}",
                "short.yaml");

        assertThat(IaasConfiguration.of(spec).headNode().flatMap(IaasHeadNode::service))
                .contains("hpc2-head");
        assertThat(IaasConfiguration.of(spec)
                        .nodes(IaasNodes.Kind.COMPUTE)
                        .get(0)
                        .service())
                .contains("hpc2-compute");
    }

    @Test
    void aFileOfLinuxNodesAloneIsNoDescriptionOfAWindowsCluster() {
        assertThatThrownBy(
                        () -> IaasConfiguration.parse(IaasConfigurationTest.sample("hpcpack-linux-suse12-rdma-a8.xml"))
                                .toSpec())
                .isInstanceOf(InvalidSpecException.class)
                .hasMessageContaining("there is no section of Windows compute nodes");
    }

    @Test
    void everythingThatIsMissingIsSaidAtOnce() {
        ClusterSpec bare = SpecReader.read(
                "{name: w, region: francecentral, operatingSystem: windows, nodes: {count: 2, size: Standard_HB120rs_v3},"
                        + " hpcPack: {scenario: iaas}}",
                "bare.yaml");

        assertThat(IaasConfiguration.problems(bare))
                .extracting(SpecProblem::path)
                .containsExactlyInAnyOrder("hpcPack.subscription", "headNode", "region", "nodes.size");
        assertThatThrownBy(() -> IaasConfiguration.of(bare)).isInstanceOf(InvalidSpecException.class);
    }

    @Test
    void aBurstFromANewHeadNodeGetsItsNodeTemplateFromTheConfiguration() {
        ClusterSpec spec = example("burst").toBuilder()
                .headNode(head -> head.name("HPC1HN").size("Standard_A4"))
                .hpcPack(pack -> pack.existingHead(false).headNodeService("hpc1-head"))
                .build();
        IaasConfiguration file = IaasConfiguration.of(spec);

        IaasAzureTemplate template = file.azureNodeTemplates().get(0);
        assertThat(template.name()).contains("AzureRdma");
        assertThat(template.roleSize()).contains("A8");
        assertThat(template.nodeCount()).isEmpty();
        assertThat(file.certificates().get(0).pfxFile()).contains("0123456789ABCDEF0123456789ABCDEF01234567.pfx");
        assertThat(file.lint()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_A8, A8",
        "standard_a9, A9",
        "Standard_A4, ExtraLarge",
        "Standard_A2, Medium",
        "Standard_H16r, Standard_H16r",
    })
    void sizesHaveClassicNames(String size, String classic) {
        assertThat(ClassicNames.of(new VmSize(size))).contains(classic);
        assertThat(ClassicNames.size(classic)).contains(new VmSize(size));
    }

    @ParameterizedTest
    @CsvSource({"westus, West US", "West US, West US", "eastasia, East Asia", "japaneast, Japan East"})
    void regionsHaveClassicNames(String region, String classic) {
        assertThat(ClassicNames.location(region)).contains(classic);
        assertThat(ClassicNames.region(classic))
                .contains(region.replace(" ", "").toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void whatNeverWasInTheClassicModelHasNoName() {
        assertThat(ClassicNames.of(new VmSize("Standard_HB120rs_v3"))).isEmpty();
        assertThat(ClassicNames.location("francecentral")).isEmpty();
    }

    @Test
    void theCommandTakesAllItsOptionsAndNeverAPassword() {
        DeployCommand command = DeployCommand.of("E:\\my files\\HPC's.xml", UserName.parse("hpcadmin"))
                .image("HPC image")
                .logFile("C:\\log.txt")
                .withoutAsking()
                .keepFailed();

        assertThat(command)
                .hasToString(".\\New-HPCIaaSCluster.ps1 -ConfigFile 'E:\\my files\\HPC''s.xml' -AdminUserName hpcadmin"
                        + " -HPCImageName 'HPC image' -LogFile C:\\log.txt -Force -NoCleanOnFailure");
    }

    @Test
    void aLifeNeedsANode() {
        assertThatThrownBy(() -> new NodeLifecycle(List.of())).hasMessageContaining("at least one");
        assertThat(NodeLifecycle.of(example("iaas")).describe(NodeLifecycle.Action.STOP))
                .isEqualTo("stop and deallocate HPCCN-[0001-0004]");
    }
}
