package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines of a specialised gallery image, to which Azure gives neither accounts nor keys nor a name. */
@Tag("breadth")
class SpecializedImageTest {
    private static final String GALLERY = "/providers/Microsoft.Compute/galleries/hpc";

    @TempDir
    private Path folder;

    private static AzureProvider connect(TestAzure server) {
        return AzureFixture.open(AzureFixture.real(server).build());
    }

    /** Makes a version of a machine as it is. */
    private static String image(TestAzure server, String machine) {
        String gallery = server.group() + GALLERY;
        server.put(gallery, "{'location':'westeurope'}");
        server.put(
                gallery + "/images/solver",
                "{'location':'westeurope','properties':{'osType':'Linux','osState':'Specialized','hyperVGeneration':'V2',"
                        + "'identifier':{'publisher':'me','offer':'hpc','sku':'solver'}}}");
        String version = gallery + "/images/solver/versions/1.0.0";
        server.put(
                version,
                "{'location':'westeurope','properties':{'storageProfile':{'source':{'id':'" + machine + "'}}}}");
        return version;
    }

    private static ClusterSpec spec(String base) {
        return AzureFixture.named("copy", 1)
                .nodes(n -> n.count(1).prefix("copy").firstIndex(1))
                .network(n -> n.addressSpace("10.59.0.0/16").subnet("Subnet-1", "10.59.0.0/16"))
                .image(i -> i.base(base).capture(false))
                .build();
    }

    @Test
    void aScriptOfTheAgentGivesANodeItsIdentity() {
        ClusterSpec golden = AzureFixture.named("golden", 1)
                .nodes(n -> n.count(1).prefix("golden").firstIndex(1))
                .login(login -> login.user("maker"))
                .network(n -> n.addressSpace("10.60.0.0/16").subnet("Subnet-1", "10.60.0.0/16"))
                .image(i -> i.capture(false))
                .build();
        LocalMachines local = AzureFixture.local(folder);
        try (TestAzure server = new TestAzure(emulator -> emulator.machinesBackedBy(local.host()));
                ClusterManager manager = AzureFixture.manager(ProviderMachines.of(connect(server)), folder)) {
            String base;
            try (Cluster source = manager.create(golden)) {
                source.session(new NodeName("golden1"))
                        .run(Command.shell("echo solver >/etc/solver").elevate())
                        .orThrow();
                base = image(server, server.group() + "/providers/Microsoft.Compute/virtualMachines/golden1");
            }
            ClusterSpec spec = spec(base);
            var plan = manager.plan(spec);
            assertThat(plan.findings()).extracting(Finding::code).contains("CW-AZURE-015");
            long before = server.writes();

            try (Cluster copy = manager.create(plan)) {
                assertThat(server.writes() - before)
                        .as("network, security group, availability set, the parts of a machine, its identity, a"
                                + " restart")
                        .isLessThanOrEqualTo(3 + 2 + 2);
                var session = copy.session(new NodeName("copy1"));
                assertThat(session.run(Command.of("hostname")).orThrow().stdout())
                        .isEqualTo("copy1\n");
                assertThat(session.run(Command.of("cat", "/etc/solver"))
                                .orThrow()
                                .stdout())
                        .isEqualTo("solver\n");
                assertThat(session.run(Command.of("id", "-un", "maker"))
                                .orThrow()
                                .stdout())
                        .as("accounts of the image stay")
                        .isEqualTo("maker\n");
                JsonNode machine = server.compute("virtualMachines/copy1");
                assertThat(machine.path("properties").has("osProfile")).isFalse();
            } finally {
                assertThat(manager.destroy(spec.name()).left()).isEmpty();
                assertThat(manager.destroy(golden.name()).left().values())
                        .singleElement()
                        .asString()
                        .contains("it also holds 1 resource that is not of cluster golden", "galleries hpc");
                assertThat(manager.destroyWithContents(golden.name(), event -> {})
                                .left())
                        .isEmpty();
            }
        }
    }

    @Test
    void refusesScaleSetsAndMissingImages() {
        try (TestAzure server = new TestAzure();
                AzureProvider azure = connect(server)) {
            ClusterSpec source = AzureFixture.spec(1);
            azure.createNetwork(source, new AzureFixture.Log());
            AzureFixture.create(azure, source, new AzureFixture.Log());
            String base = image(server, server.group() + "/providers/Microsoft.Compute/virtualMachines/cluster11");

            ClusterSpec set = spec(base).toBuilder()
                    .placement(new Placement(Placement.Kind.SCALE_SET, false))
                    .build();
            assertThat(azure.inspect(set).findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .extracting(Finding::code)
                    .containsExactly("CW-AZURE-016");
            assertThat(azure.inspect(spec(base.replace("solver", "other"))).findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .singleElement()
                    .matches(finding -> finding.code().equals("CW-AZURE-003"))
                    .matches(finding -> finding.message().contains("gallery hpc in cluster-rg has no image other"));
            assertThat(azure.inspect(spec(base.replace("/cluster-rg/", "/absent-rg/")))
                            .findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .extracting(Finding::code)
                    .containsExactly("CW-AZURE-003");
            assertThatThrownBy(() -> server.put(
                            server.group() + "/providers/Microsoft.Compute/virtualMachines/wrong",
                            "{'location':'westeurope','properties':{'hardwareProfile':{'vmSize':'Standard_HB120rs_v3'},"
                                    + "'osProfile':{'adminUsername':'hpc'},'storageProfile':{'imageReference':{'id':'"
                                    + base + "'}}}}"))
                    .hasMessageContaining("virtualMachines/wrong is InvalidParameter");
        }
    }
}
