package io.clusterwright.windows.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.windows.classic.internal.iaas.ClassicNames;
import io.clusterwright.windows.classic.internal.script.NodeLifecycle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A description becomes a configuration, and a configuration a description. */
class SpecConversionTest {
    private static final Path SPECS = Path.of("..", "..", "examples", "specs");

    private static ClusterSpec example(String scenario) {
        return SpecReader.read(SPECS.resolve("windows-" + scenario + ".yaml"));
    }

    @Test
    void roundTripsFromASpec() {
        IaasConfiguration file = IaasConfiguration.of(example("iaas"));

        assertThat(file.lint()).extracting(Finding::code).containsOnly("CW-IAAS-015");
        IaasConfiguration back = IaasConfiguration.of(file.toXml());
        assertThat(IaasConfiguration.of(back.toSpec())).isEqualTo(file);
        assertThat(back.notInSpec())
                .extracting(finding -> finding.path() + " " + finding.code())
                .containsExactly("VNet CW-IAAS-017");
    }

    @Test
    void roundTripsAPublishedFile() {
        IaasConfiguration first =
                IaasConfiguration.of(IaasConfigurationTest.sample("hpcpack-example1-headnode-as-dc.xml"));
        ClusterSpec spec = first.toSpec();

        assertThat(spec.region()).contains("westus");
        assertThat(spec.nodes().size()).contains(new VmSize("Standard_A2"));
        assertThat(spec.headNode().orElseThrow().size()).contains(new VmSize("Standard_A4"));
        assertThat(spec.nodes().names()).first().isEqualTo(new NodeName("MyHPCCN-1000"));
        assertThat(IaasConfigurationTest.canonical(IaasConfiguration.of(spec).toXml()))
                .isEqualTo(IaasConfigurationTest.canonical(first.toXml()).replaceAll("<!--.*?-->", ""));
    }

    @Test
    void listsElementsThatASpecCannotExpress() {
        IaasConfiguration third =
                IaasConfiguration.of(IaasConfigurationTest.sample("hpcpack-example3-a8-remote-db-brokers.xml"));

        assertThat(third.notInSpec())
                .extracting(finding -> finding.path())
                .contains(
                        "Subscription",
                        "AffinityGroup",
                        "ComputeNodes/AffinityGroup",
                        "Database/DBServer",
                        "HeadNode/EnableWebPortal",
                        "BrokerNodes");
        assertThat(third.toSpec().hpcPack().flatMap(HpcPackSpec::subscription)).isEmpty();
        assertThat(third.toSpec().nodes().size()).contains(new VmSize("Standard_A8"));
    }

    @Test
    void namesCloudServicesAfterTheCluster() {
        ClusterSpec spec = SpecReader.read(
                "{name: hpc2, region: westus, operatingSystem: windows, nodes: {count: 2, size: Standard_A8}, headNode: {name: HN,"
                        + " size: Standard_A4}, hpcPack: {scenario: iaas, subscription: {id: 00000000-0000-0000-0000-000000000000, storageAccount: s12}}}",
                "short.yaml");

        IaasConfiguration file = IaasConfiguration.of(spec);
        assertThat(file.value("HeadNode/ServiceName")).contains("hpc2-head");
        assertThat(file.value("ComputeNodes/ServiceName")).contains("hpc2-compute");
    }

    @Test
    void writesTheDriversThatTheScriptDoesNotInstall() {
        ClusterSpec spec = example("iaas").toBuilder()
                .nodes(nodes -> nodes.count(2).size("Standard_H16r").namePattern(NamePattern.of("HPCCN-%0001%")))
                .addExtension(ExtensionSpec.named("HpcVmDrivers"))
                .build();
        IaasConfiguration file = IaasConfiguration.of(spec);

        assertThat(file.toXml().replaceAll("\\s+", ""))
                .contains(
                        "<VMExtensions><VMExtension><ExtensionName>HpcVmDrivers</ExtensionName>"
                                + "<Publisher>Microsoft.HpcCompute</Publisher><Version>1.1</Version></VMExtension></VMExtensions>");
        assertThat(file.lint()).extracting(Finding::code).containsOnly("CW-IAAS-015");
        assertThat(IaasConfiguration.of(IaasConfiguration.of(file.toXml()).toSpec()))
                .isEqualTo(file);
        ClusterSpec automatic = example("iaas").toBuilder()
                .addExtension(ExtensionSpec.named("HpcVmDrivers"))
                .build();
        assertThat(IaasConfiguration.of(automatic).toXml()).doesNotContain("VMExtension");
    }

    @Test
    void writesAndReadsLinuxNodes() {
        String image = "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708";
        ClusterSpec spec = example("iaas").toBuilder()
                .hpcPack(pack -> pack.linuxNodes(linux -> linux.count(2)
                        .size("Standard_A8")
                        .namePattern("SUSE12RDMA-LN%1%")
                        .image(image)))
                .build();
        IaasConfiguration file = IaasConfiguration.of(spec);

        assertThat(file.toXml().replaceAll("\\s+", ""))
                .contains("<LinuxComputeNodes><VMNamePattern>SUSE12RDMA-LN%1%</VMNamePattern>"
                        + "<ServiceName>hpc1-linux</ServiceName><VMSize>A8</VMSize><NodeCount>2</NodeCount>"
                        + "<ImageName>" + image + "</ImageName></LinuxComputeNodes>");
        IaasConfiguration back = IaasConfiguration.of(file.toXml());
        assertThat(IaasConfiguration.of(back.toSpec().toBuilder().build()).value("LinuxComputeNodes/ImageName"))
                .contains(image);
        assertThat(back.notInSpec()).extracting(Finding::path).containsExactly("VNet");
    }

    @Test
    void refusesAFileWithoutWindowsNodes() {
        assertThatThrownBy(() -> IaasConfiguration.of(IaasConfigurationTest.sample("hpcpack-linux-suse12-rdma-a8.xml"))
                        .toSpec())
                .isInstanceOf(InvalidSpecException.class)
                .hasMessageContaining("there is no section of Windows compute nodes");
    }

    @Test
    void reportsAllMissingFieldsTogether() {
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
    void writesTheNodeTemplateOfABurst() {
        ClusterSpec spec = example("burst").toBuilder()
                .headNode(head -> head.name("HPC1HN").size("Standard_A4"))
                .hpcPack(pack -> pack.existingHead(false).headNodeService("hpc1-head"))
                .build();
        IaasConfiguration file = IaasConfiguration.of(spec);

        String template = "AzureBurst/AzureNodeTemplate/";
        assertThat(file.value(template + "TemplateName")).contains("AzureRdma");
        assertThat(file.value(template + "RoleSize")).contains("A8");
        assertThat(file.value(template + "NodeCount")).isEmpty();
        assertThat(file.value("Certificates/Certificate/PfxFile"))
                .contains("0123456789ABCDEF0123456789ABCDEF01234567.pfx");
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
    void mapsSizesToClassicNames(String size, String classic) {
        assertThat(ClassicNames.of(new VmSize(size))).contains(classic);
        assertThat(ClassicNames.size(classic)).contains(new VmSize(size));
    }

    @ParameterizedTest
    @CsvSource({"westus, West US", "West US, West US", "eastasia, East Asia", "japaneast, Japan East"})
    void mapsRegionsToClassicNames(String region, String classic) {
        assertThat(ClassicNames.location(region)).contains(classic);
        assertThat(ClassicNames.region(classic))
                .contains(region.replace(" ", "").toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void knowsNoClassicNameForNewSizesAndRegions() {
        assertThat(ClassicNames.of(new VmSize("Standard_HB120rs_v3"))).isEmpty();
        assertThat(ClassicNames.location("francecentral")).isEmpty();
    }

    @Test
    void lifecycleNeedsANode() {
        assertThatThrownBy(() -> new NodeLifecycle(List.of(), List.of(), List.of()))
                .hasMessageContaining("at least one");
        assertThat(NodeLifecycle.of(example("iaas")).describe(Step.STOP))
                .isEqualTo("stop and deallocate HPCCN-[0001-0004]");
    }
}
