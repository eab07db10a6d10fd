package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Planner;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subnets of enterprises: in another resource group, private, with separate routes and rules. */
class ExistingNetworkTest {
    @AutoClose
    private TestAzure server;

    private AzureProvider azure;
    private String group;

    @BeforeEach
    void start() {
        server = new TestAzure();
        azure = AzureFixture.machines(server);
        group = "/subscriptions/" + server.subscription() + "/resourceGroups/net-rg";
        server.put(group, "{'location':'westeurope'}");
    }

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"SCALE_SET", "AVAILABILITY_SET"})
    void aSubnetOfAnotherGroupIsUsedAndNeverChanged(Placement.Kind kind) {
        subnet("");
        JsonNode before = server.get(group + "/providers/Microsoft.Network/virtualNetworks/hub");
        ClusterSpec spec = spec(SshAccess.External.NONE).toBuilder()
                .placement(p -> p.kind(kind))
                .build();
        AzureFixture.Log log = new AzureFixture.Log();
        azure.createNetwork(spec, log);
        if (kind == Placement.Kind.AVAILABILITY_SET) {
            assertThat(AzureFixture.create(azure, spec, log).values())
                    .allMatch(outcome -> outcome instanceof MachineOutcome.Made);
            assertThat(server.network("networkInterfaces/cluster11-nic")
                            .at("/properties/ipConfigurations/0/properties/subnet/id")
                            .asText())
                    .isEqualTo(id());
        }
        List<ResourceId> made = new ArrayList<>(log.announced);
        Collections.reverse(made);
        made.forEach(resource -> azure.delete(AzureFixture.ID, resource));

        assertThat(made).noneMatch(resource -> resource.name().contains("net-rg"));
        assertThat(server.requests())
                .filteredOn(request -> request.contains("/net-rg") && !request.startsWith("GET"))
                .as("made by this test")
                .hasSize(2);
        JsonNode after = server.get(group + "/providers/Microsoft.Network/virtualNetworks/hub");
        assertThat(after.path("tags")).isEqualTo(before.path("tags"));
    }

    @Test
    void aSubnetByItsIdNeedsNoAddressSpace() {
        subnet("");
        String text = """
                name: cluster
                region: westeurope
                nodes: {count: 2, size: Standard_HB120rs_v3, prefix: cluster, firstIndex: 11}
                placement: {kind: availability-set}
                network: {subnet: {id: %s, range: 10.46.0.0/24}, firstAddress: 10.46.0.11, ssh: {external: none}}
                """.formatted(id());
        ClusterSpec spec = SpecReader.read(text, "hub.yaml");
        assertThat(spec.network().addressSpace()).hasToString("10.46.0.0/24");
        assertThat(codes(spec)).as("no way in from outside").containsExactly("CW-AZURE-011");
        assertThat(Planner.offline().plan(spec).steps())
                .anySatisfy(
                        step -> assertThat(step.description()).isEqualTo("use the existing hub with hpc 10.46.0.0/24"));

        AzureFixture.Log log = new AzureFixture.Log();
        azure.createNetwork(spec, log);
        assertThat(AzureFixture.create(azure, spec, log).values())
                .allMatch(outcome -> outcome instanceof MachineOutcome.Made);
        assertThat(server.network("networkInterfaces/cluster12-nic")
                        .at("/properties/ipConfigurations/0/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.46.0.12");
    }

    @Test
    void aGoodSubnetHasNoFindings() {
        subnet("");

        assertThat(codes(spec(SshAccess.External.HEAD))).isEmpty();
    }

    @Test
    void aPrivateSubnetHasNoWayOutUnlessThereIsAGateway() {
        subnet(",'defaultOutboundAccess':false");

        assertThat(findings(spec(SshAccess.External.HEAD))).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-AZURE-040");
            assertThat(finding.message())
                    .isEqualTo("hpc is a private subnet without a NAT gateway, so nodes without a public"
                            + " address cannot download packages, drivers or extensions");
            assertThat(finding.remedy()).contains("attach a NAT gateway", "portPrefix: 101");
        });
        ClusterSpec balanced = spec(SshAccess.External.HEAD).toBuilder()
                .network(n -> n.ssh(ssh -> ssh.portPrefix(101)))
                .build();
        assertThat(codes(balanced)).as("the load balancer is a way out").isEmpty();
    }

    @Test
    void routesToAnApplianceTakeAnswersWithThem() {
        server.put(
                group + "/providers/Microsoft.Network/routeTables/firewall",
                "{'location':'westeurope','properties':{'routes':[{'name':'all','properties':{'addressPrefix':"
                        + "'0.0.0.0/0','nextHopType':'VirtualAppliance','nextHopIpAddress':'10.46.255.4'}}]}}");
        subnet(",'defaultOutboundAccess':false,'routeTable':{'id':'" + group
                + "/providers/Microsoft.Network/routeTables/firewall'}");

        assertThat(findings(spec(SshAccess.External.HEAD))).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-AZURE-041");
            assertThat(finding.message())
                    .isEqualTo("the route table of hpc sends all traffic to VirtualAppliance, including the answers to"
                            + " SSH from outside");
        });
        assertThat(codes(spec(SshAccess.External.NONE))).containsExactly("CW-AZURE-011");
    }

    @Test
    void aSecurityGroupOfTheSubnetMayRefuseSsh() {
        server.put(
                group + "/providers/Microsoft.Network/networkSecurityGroups/strict",
                "{'location':'westeurope','properties':{'securityRules':[{'name':'office','properties':{'priority':200,"
                        + "'direction':'Inbound','access':'Allow','protocol':'Tcp','sourcePortRange':'*',"
                        + "'destinationPortRange':'20-25','sourceAddressPrefix':'198.51.100.0/24',"
                        + "'destinationAddressPrefix':'*'}}]}}");
        subnet(",'networkSecurityGroup':{'id':'" + group
                + "/providers/Microsoft.Network/networkSecurityGroups/strict'}");

        assertThat(findings(spec(SshAccess.External.HEAD))).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-AZURE-042");
            assertThat(finding.message())
                    .isEqualTo("security group strict of subnet hpc blocks SSH from 203.0.113.7/32");
        });
        ClusterSpec office = spec(SshAccess.External.HEAD).toBuilder()
                .network(n -> n.ssh(ssh -> ssh.allowFrom(List.of()).addAllowFrom("198.51.100.17/32")))
                .build();
        assertThat(codes(office)).isEmpty();
    }

    @Test
    void aDelegatedSubnetAndOtherAddressesAreErrors() {
        subnet(",'delegations':[{'name':'batch','properties':{'serviceName':'Microsoft.Netapp/volumes'}}]");
        ClusterSpec other = spec(SshAccess.External.HEAD).toBuilder()
                .network(n -> n.subnet(subnet -> subnet.range("10.46.1.0/24")))
                .build();

        assertThat(findings(other))
                .extracting(Finding::code, Finding::message)
                .containsExactlyInAnyOrder(
                        tuple(
                                "CW-AZURE-007",
                                "hpc has the addresses 10.46.0.0/24, and network.subnet.range of the spec is 10.46.1.0/24"),
                        tuple(
                                "CW-AZURE-007",
                                "hpc is delegated to Microsoft.Netapp/volumes, and only that service can use it"));
    }

    @Test
    void anIdOfSomethingElseIsRefusedInTheSpec() {
        assertThatThrownBy(() -> AzureFixture.builder(1)
                        .network(n -> n.subnet(
                                subnet -> subnet.id(group + "/providers/Microsoft.Network/virtualNetworks/hub")))
                        .build())
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid id of a subnet ")
                .hasMessageContaining("/virtualNetworks/NETWORK/subnets/SUBNET");
    }

    private String id() {
        return group + "/providers/Microsoft.Network/virtualNetworks/hub/subnets/hpc";
    }

    private void subnet(String more) {
        server.put(
                group + "/providers/Microsoft.Network/virtualNetworks/hub",
                "{'location':'westeurope','tags':{'owner':'it'},'properties':{'addressSpace':{'addressPrefixes':"
                        + "['10.46.0.0/16']},'subnets':[{'name':'hpc','properties':{'addressPrefix':'10.46.0.0/24'"
                        + more + "}}]}}");
    }

    private ClusterSpec spec(SshAccess.External external) {
        return AzureFixture.builder(2)
                .network(n -> n.subnet(subnet -> subnet.id(id()).range("10.46.0.0/24"))
                        .ssh(ssh -> ssh.external(external).addAllowFrom("203.0.113.7/32")))
                .build();
    }

    private List<Finding> findings(ClusterSpec spec) {
        return azure.inspect(spec).findings();
    }

    private List<String> codes(ClusterSpec spec) {
        return findings(spec).stream().map(Finding::code).toList();
    }
}
