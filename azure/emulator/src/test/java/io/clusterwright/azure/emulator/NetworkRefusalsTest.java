package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Microsoft.Network refuses. */
class NetworkRefusalsTest {
    private static final String STANDARD =
            "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'}}";
    private static final String DRIVER = "{'location':'westeurope','properties':{'publisher':'Microsoft.HpcCompute',"
            + "'type':'InfiniBandDriverLinux','typeHandlerVersion':'1.2','settings':{}}}";

    private ArmEmulator emulator;
    private ArmClient arm;

    @BeforeEach
    void start() {
        emulator = ArmEmulator.builder().publicAddresses(3).start();
        arm = new ArmClient(emulator);
        arm.prepare();
        done(arm.put(arm.network("publicIPAddresses/ip"), STANDARD));
        done(arm.put(
                arm.network("loadBalancers/lb"),
                "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f',"
                        + "'properties':{'publicIPAddress':{'id':'" + arm.network("publicIPAddresses/ip")
                        + "'}}}],'backendAddressPools':[{'name':'p'}]}}"));
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private void done(Reply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isLessThan(300);
        assertThat(arm.done(reply).path("status").asText()).isEqualTo("Succeeded");
    }

    /** In the bodies, @ stands for the start of an id in Microsoft.Network. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "publicIPAddresses/b | 'sku':{'name':'Basic'},'properties':{} | IPv4BasicSkuPublicIpCountLimitReached | Cannot create more than 0 IPv4 Basic SKU",
                "publicIPAddresses/b | 'properties':{'publicIPAllocationMethod':'Static'} | IPv4BasicSkuPublicIpCountLimitReached | more than 0 IPv4 Basic SKU",
                "publicIPAddresses/b | 'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Dynamic'} | PublicIPAndSkuDontSupportAllocationMethod | must have AllocationMethod set to Static",
                "publicIPAddresses/-b | 'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'} | InvalidResourceName | Resource name -b is invalid",
                "publicIPAddresses/b | 'zones':['4'],'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'} | InvalidAvailabilityZone | The supported zones for location 'westeurope' are '1,2,3'",
                "publicIPAddresses/ip | 'zones':['1'],'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'} | ResourceAvailabilityZonesCannotBeModified | Zones cannot be added",
                "publicIPAddresses/b | 'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static','dnsSettings':{'domainNameLabel':'Upper'}} | InvalidDomainNameLabel | The domain name label Upper is invalid",
                "loadBalancers/b | 'properties':{} | BasicSkuLoadBalancerNotSupported | retired on September 30, 2025",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@x/ip'}}}]} | InvalidResourceReference | was not found",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}]} | PublicIPAddressInUse | already allocated",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'outboundRules':[{'name':'o','properties':{'protocol':'All','frontendIPConfigurations':[{'id':'@loadBalancers/lb/frontendIPConfigurations/f'}],'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/gone'}}}]} | InvalidResourceReference | backendAddressPools/gone",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'loadBalancingRules':[{'name':'r','properties':{'frontendPort':1,'backendPort':1,'protocol':'Tcp'}}]} | LoadBalancerWithoutFrontendIPCantHaveChildResources | does not have Frontend IP",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.1/16']}} | InvalidCIDRNotation | the address prefix should be 10.0.0.0/16",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0']}} | InvalidAddressPrefixFormat | CIDR notation",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['169.254.0.0/24']}} | AddressPrefixReserved | reserved",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16','10.0.1.0/24']}} | AddressPrefixesOverlap | 10.0.1.0/24",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefix':'10.0.0.0/30'}}]} | NetcfgInvalidIPAddressPrefix | /29",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefix':'10.0.0.0/24','networkSecurityGroup':{'id':'@networkSecurityGroups/gone'}}}]} | InvalidResourceReference | networkSecurityGroups/gone",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefix':'10.0.0.0/24','routeTable':{'id':'@routeTables/gone'}}}]} | InvalidResourceReference | routeTables/gone",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'a b','properties':{'addressPrefix':'10.0.0.0/24'}}]} | InvalidResourceName | a b",
                "networkInterfaces/b | 'location':'eastus','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidResourceReference | both resources are in the same region",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/gone'}}}]} | InvalidResourceReference | subnets/gone",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'},'loadBalancerBackendAddressPools':[{'id':'@loadBalancers/lb/backendAddressPools/gone'}]}}]} | InvalidResourceReference | backendAddressPools/gone",
                "networkInterfaces/b | 'properties':{'networkSecurityGroup':{'id':'b'},'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidResourceReference | referenced by",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22,80','sourceAddressPrefix':'*','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidPortRange | Value provided: 22,80",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'10.0.0.0/40','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidAddressPrefix | 10.0.0.0/40",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','destinationAddressPrefix':'*'}}]} | SecurityRuleParameterMissing | sourceAddressPrefix",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':99,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'*','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidPriority | between 100 and 4096",
                "natGateways/b | 'properties':{} | NatGatewaySkuNotSupported | must be Standard",
                "natGateways/b | 'sku':{'name':'Standard'},'properties':{'idleTimeoutInMinutes':200} | InvalidIdleTimeout | between 4 and 120",
                "natGateways/b | 'sku':{'name':'Standard'},'properties':{'publicIpAddresses':[{'id':'@publicIPAddresses/ip'}]} | PublicIPAddressInUse | already allocated",
                "routeTables/b | 'properties':{'routes':[{'name':'r','properties':{'addressPrefix':'0.0.0.0/0','nextHopType':'VirtualAppliance'}}]} | RouteNextHopIpAddressMissing | no next hop IP address",
                "routeTables/b | 'properties':{'routes':[{'name':'r','properties':{'addressPrefix':'10.0.0.0/8','nextHopType':'None','nextHopIpAddress':'10.0.0.4'}}]} | RouteNextHopIpAddressNotAllowed | None",
                "routeTables/b | 'properties':{'routes':[{'name':'r','properties':{'addressPrefix':'10.0.0.0/8','nextHopType':'None'}},{'name':'q','properties':{'addressPrefix':'10.0.0.0/8','nextHopType':'None'}}]} | RouteConflictsWithOtherRoute | q conflicts with route r",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'Foo','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidAddressPrefix | Value provided: Foo",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefixes':['*'],'destinationAddressPrefix':'*'}}]} | SecurityRuleParameterContainsUnsupportedValue | Unsupported value used: *",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'*','sourceAddressPrefixes':['10.0.0.0/8'],'destinationAddressPrefix':'*'}}]} | InvalidRequestFormat | has both sourceAddressPrefix and sourceAddressPrefixes",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'a','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':80,'backendPort':80}},{'name':'b','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':80,'backendPort':81}}]} | RulesUseSameFrontendPortProtocolAndIPConfig | a and b",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'a','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':80,'backendPort':80}},{'name':'b','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':81,'backendPort':80}}]} | RulesUseSameBackendPortProtocolAndPool | backend port 80",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'a','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':80,'backendPort':80,'idleTimeoutInMinutes':200}}]} | InvalidIdleTimeout | between 4 and 100",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'a','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','frontendPort':80,'backendPort':80}}],'outboundRules':[{'name':'o','properties':{'protocol':'All','frontendIPConfigurations':[{'id':'@loadBalancers/lb/frontendIPConfigurations/f'}],'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'}}}]} | LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule | must have disableOutboundSNAT set to true",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'outboundRules':[{'name':'o','properties':{'protocol':'All','frontendIPConfigurations':[{'id':'@loadBalancers/lb/frontendIPConfigurations/f'}],'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'allocatedOutboundPorts':7}}]} | InvalidRequestFormat | multiple of 8",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'probes':[{'name':'q','properties':{'protocol':'Http','port':80}}]} | InvalidRequestFormat | needs a requestPath",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'},'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}]} | FrontendIPConfigHasBothSubnetAndPublicIP | must not reference both",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{}}]} | FrontendIPConfigHasNoSubnetOrPublicIP | must reference either",
                "publicIPAddresses/b | 'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static','idleTimeoutInMinutes':31} | InvalidIdleTimeout | between 4 and 30",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}},{'name':'j','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | NetworkInterfaceMustHaveOneOneIPConfigAsPrimary | specifies multiple IPConfigurations but none of the IPConfigurations is specified as Primary",
                "networkInterfaces/b | 'properties':{'dnsSettings':{'dnsServers':['x']},'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidIPAddressFormat | 'x'",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'dhcpOptions':{'dnsServers':['x']}} | InvalidIPAddressFormat | 'x'",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'AzureBastionSubnet','properties':{'addressPrefix':'10.0.0.0/27'}}]} | NetcfgInvalidIPAddressPrefix | must be 26 or less",
                "natGateways/b | 'sku':{'name':'Standard'},'zones':['1','2'],'properties':{} | InvalidParameter | one availability zone only",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefixes':['10.0.0.0/8','10.1.0.0/16'],'destinationAddressPrefix':'*'}}]} | OverlappingSubnetsNotPermittedInSecurityRule | contains overlapping subnets [10.0.0.0/8, 10.1.0.0/16]",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefix':'10.0.0.0/24','serviceEndpoints':[{'service':'Microsoft.Foo'}]}}]} | SubnetHasServiceEndpointWithInvalidServiceName | Microsoft.Foo",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefix':'10.0.0.0/24','delegations':[{'name':'d','properties':{'serviceName':'Microsoft.Sql/servers'}}]}}]} | InvalidServiceNameOnDelegation | The service name Microsoft.Sql/servers specified on delegation",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefixes':['10.0.0.0/24','10.0.0.128/25']}}]} | NetcfgSubnetRangesOverlap | overlaps",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{'addressPrefixes':['10.0.0.0/24','10.9.0.0/16']}}]} | NetcfgInvalidSubnet | s",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'privateIPAddressVersion':'IPv6','primary':true,'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidRequestFormat | cannot be primary with the private IP address version IPv6",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'primary':true,'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}},{'name':'j','properties':{'privateIPAddressVersion':'IPv6','subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidRequestFormat | has no IPv6 address prefix",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'privateIPAddress':'fd00::4','subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidIPAddressFormat | 'fd00::4'",
                "networkInterfaces/b | 'extendedLocation':{'type':'EdgeZone','name':'z'},'properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidExtendedLocation | The extended location 'z' is not available",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'r','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'frontendPort':80,'backendPort':80}}]} | InvalidRequestFormat | it needs a protocol",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'r','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'All','frontendPort':80,'backendPort':80}}]} | InvalidRequestFormat | its ports must be 0",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'loadBalancingRules':[{'name':'r','properties':{'frontendIPConfiguration':{'id':'@loadBalancers/lb/frontendIPConfigurations/f'},'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/p'},'protocol':'Tcp','enableFloatingIP':true,'frontendPort':80,'backendPort':81}}]} | InvalidRequestFormat | its frontend and backend ports must be equal",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}],'backendAddressPools':[{'name':'p'}],'probes':[{'name':'q','properties':{'protocol':'Tcp','port':22,'numberOfProbes':0}}]} | InvalidRequestFormat | its number of probes must be at least 1",
                "loadBalancers/b | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}],'backendAddressPools':[{'name':'p'}],'outboundRules':[{'name':'o','properties':{'protocol':'All','frontendIPConfigurations':[{'id':'@loadBalancers/b/frontendIPConfigurations/f'}],'backendAddressPool':{'id':'@loadBalancers/b/backendAddressPools/p'}}}]} | InvalidRequestFormat | its frontends must be public",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','zones':['1'],'properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}]} | InvalidRequestFormat | cannot have zones",
                "loadBalancers/lb | 'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}},{'name':'g','properties':{'publicIPAddress':{'id':'@publicIPAddresses/ip'}}}]} | PublicIPAddressInUse | already allocated",
                "natGateways/b | 'sku':{'name':'Standard'},'properties':{'publicIpAddresses':[{'id':'@publicIPAddresses/ip'},{'id':'@publicIPAddresses/ip'}]} | InvalidRequestFormat | cannot have a public IP address twice",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/30']}} | NetcfgInvalidIPAddressPrefix | /29",
                "virtualNetworks/b | 'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'virtualNetworkPeerings':[{'name':'p','properties':{'remoteVirtualNetwork':{'id':'@virtualNetworks/none'}}}]} | InvalidResourceReference | virtualNetworks/none",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'10.0.0.1/8','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidAddressPrefix | Value provided: 10.0.0.1/8",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'zz:yy','destinationAddressPrefix':'*'}}]} | SecurityRuleInvalidAddressPrefix | Value provided: zz:yy",
                "networkSecurityGroups/b | 'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':'10.0.0.0/8','destinationAddressPrefix':'fd00::/8'}}]} | InvalidRequestFormat | has addresses of IPv6 and 10.0.0.0/8, which is of IPv4",
                "networkInterfaces/b | 'properties':{'ipConfigurations':[{'name':'i','properties':{'primary':true,'subnet':{'id':'@virtualNetworks/vn/subnets/s'},'privateIPAllocationMethod':'Static','privateIPAddress':'10.45.0.9'}},{'name':'j','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'},'privateIPAllocationMethod':'Static','privateIPAddress':'10.45.0.9'}}]} | PrivateIPAddressIsAllocated | 10.45.0.9",
                "networkInterfaces/b | 'properties':{'dnsSettings':{'internalDnsNameLabel':'a b'},'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'@virtualNetworks/vn/subnets/s'}}}]} | InvalidDomainNameLabel | a b",
                "virtualNetworks/b | 'location':'atlantis','properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']}} | LocationNotAvailableForResourceType | The provided location 'atlantis' is not available for resource type 'Microsoft.Network/virtualNetworks'",
            })
    void refuses(String path, String body, String code, String message) {
        String location = body.contains("'location'") ? "" : "'location':'westeurope',";
        String whole = "{" + location + body.trim().replace("@", arm.network("")) + "}";

        Reply reply = arm.put(arm.network(path.trim()), whole);

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    @Test
    void aRegionHasALimitOfPublicAddressesAndTellsIt() {
        done(arm.put(arm.network("publicIPAddresses/second"), STANDARD));
        done(arm.put(arm.network("publicIPAddresses/third"), STANDARD));
        Reply reply = arm.put(arm.network("publicIPAddresses/fourth"), STANDARD);
        assertThat(reply.error()).isEqualTo("PublicIPCountLimitReached");
        assertThat(reply.message())
                .isEqualTo("Cannot create more than 3 public IP addresses for this subscription in this region.");
        Reply usages = arm.get(arm.subscription("/providers/Microsoft.Network/locations/westeurope/usages"));
        assertThat(usages.body().path("value"))
                .anyMatch(usage -> usage.at("/name/value").asText().equals("PublicIPAddresses")
                        && usage.path("currentValue").asInt() == 3
                        && usage.path("limit").asInt() == 3);
        assertThat(arm.get(arm.subscription("/providers/Microsoft.Network/locations/atlantis/usages"))
                        .error())
                .isEqualTo("NoRegisteredProviderFound");
    }

    @Test
    void anInterfaceTakesNoAddressOfAnotherVersion() {
        done(arm.put(
                arm.network("publicIPAddresses/six"),
                STANDARD.replace("'Static'", "'Static','publicIPAddressVersion':'IPv6'")));
        Reply reply = arm.put(
                arm.network("networkInterfaces/n"),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/s") + "'},'publicIPAddress':{'id':'"
                        + arm.network("publicIPAddresses/six") + "'}}}]}}");
        assertThat(reply.error()).isEqualTo("IPVersionForPublicIpAndNicIpConfigurationMustMatch");
        assertThat(reply.message())
                .isEqualTo("IP version for publicIPAddress '" + arm.network("publicIPAddresses/six")
                        + "', version 'IPv6' and network interface ipConfiguration '"
                        + arm.network("networkInterfaces/n/ipConfigurations/i") + "', version 'IPv4' must match.");
    }

    @Test
    void subnetsOfGatewaysHoldNoInterfaces() {
        subnet("GatewaySubnet", "10.45.1.0/24", "", "2025-03-01");
        Reply reply = arm.put(
                arm.network("networkInterfaces/n"),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/GatewaySubnet") + "'}}}]}}");
        assertThat(reply.error()).isEqualTo("SubnetWithExternalResourcesCannotBeUsedByOtherResources");
        assertThat(reply.message()).contains("is delegated to GatewaySubnet and cannot be used by");
    }

    @Test
    void theInterfaceOfARunningMachineKeepsItsNetworkAndItsAcceleration() {
        done(arm.put(
                arm.network("virtualNetworks/far"),
                "{'location':'westeurope','properties':{'addressSpace':{'addressPrefixes':['10.46.0.0/16']},"
                        + "'subnets':[{'name':'s','properties':{'addressPrefix':'10.46.0.0/24'}}]}}"));
        done(arm.machine("m"));
        String body = "{'location':'westeurope','properties':{%s'ipConfigurations':[{'name':'primary','properties':{"
                + "'subnet':{'id':'" + arm.network("virtualNetworks/%s/subnets/s") + "'}%s}}]}}";
        String path = arm.network("networkInterfaces/m");
        assertThat(arm.put(path, body.formatted("", "far", "")).message())
                .endsWith("virtualMachines/m cannot be moved to another virtual network.");
        assertThat(arm.put(path, body.formatted("'enableAcceleratedNetworking':true,", "vn", ""))
                        .message())
                .endsWith("cannot be changed while " + arm.compute("virtualMachines/m") + " runs.");
        String pool = ",'loadBalancerBackendAddressPools':[{'id':'"
                + arm.network("loadBalancers/lb/backendAddressPools/p") + "'}]";
        done(arm.put(path, body.formatted("", "vn", pool)));
        assertThat(arm.put(arm.network("networkInterfaces/other"), body.formatted("", "far", pool))
                        .message())
                .contains("but does not use the same VNET");
    }

    @Test
    void anInboundNatRuleHasOneUserAndAPortOneRule() {
        String rule = "{'name':'%s','properties':{'frontendIPConfiguration':{'id':'"
                + arm.network("loadBalancers/lb/frontendIPConfigurations/f")
                + "'},'protocol':'Tcp','frontendPort':%d,'backendPort':22}}";
        done(arm.put(
                arm.network("loadBalancers/lb"),
                "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f',"
                        + "'properties':{'publicIPAddress':{'id':'" + arm.network("publicIPAddresses/ip")
                        + "'}}}],'inboundNatRules':[" + rule.formatted("a", 50_001) + ","
                        + rule.formatted("b", 50_002) + "]}}"));
        String one = "{'id':'" + arm.network("loadBalancers/lb/inboundNatRules/") + "%s'}";
        String body =
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/s") + "'},'loadBalancerInboundNatRules':[%s]}}]}}";
        done(arm.put(arm.network("networkInterfaces/first"), body.formatted(one.formatted("a"))));
        assertThat(arm.put(arm.network("networkInterfaces/second"), body.formatted(one.formatted("a")))
                        .message())
                .contains("inboundNatRules/a is already used by");
        Reply both = arm.put(
                arm.network("networkInterfaces/second"), body.formatted(one.formatted("b") + "," + one.formatted("b")));
        assertThat(both.error()).isEqualTo("RulesUseSameBackendPortProtocolAndIPConfig");
        assertThat(both.message()).contains("use the same backend port 22 and protocol Tcp");
    }

    @Test
    void aDelegatedSubnetHoldsNoInterfacesOfOthers() {
        String delegated = "{'properties':{'addressPrefix':'10.45.1.0/24','delegations':[{'name':'d','properties':{"
                + "'serviceName':'Microsoft.Netapp/volumes'}}]}}";
        done(arm.put(arm.network("virtualNetworks/vn/subnets/d"), delegated));
        Reply reply = arm.put(
                arm.network("networkInterfaces/n"),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'i','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/d") + "'}}}]}}");
        assertThat(reply.message()).contains("is delegated to Microsoft.Netapp/volumes and cannot be used by");
        done(arm.networkInterface("n", ""));
        Reply late = arm.put(arm.network("virtualNetworks/vn/subnets/s"), delegated.replace(".1.0", ".0.0"));
        assertThat(late.error()).isEqualTo("SubnetDelegationsCannotChangeWhenSubnetUsedByResource");
        assertThat(late.message())
                .contains("cannot be changed from [] to [Microsoft.Netapp/volumes] because it is being used by");
    }

    @Test
    void thePrimaryConfigurationOfAnInterfaceKeepsItsName() {
        done(arm.networkInterface("n", ""));
        Reply reply = arm.put(
                arm.network("networkInterfaces/n"),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'other','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/s") + "'}}}]}}");
        assertThat(reply.error()).isEqualTo("IpConfigDeleteNotSupported");
        assertThat(reply.message())
                .isEqualTo(
                        "IP Configuration primary cannot be deleted. Deletion and renaming of primary IP Configuration"
                                + " is not supported");
    }

    @Test
    void theRangeOfASubnetInUseStays() {
        done(arm.networkInterface("n", ""));
        Reply reply =
                arm.put(arm.network("virtualNetworks/vn/subnets/s"), "{'properties':{'addressPrefix':'10.45.0.0/25'}}");
        assertThat(reply.error()).isEqualTo("InUsePrefixCannotBeDeleted");
        assertThat(reply.message())
                .isEqualTo("IpPrefix 10.45.0.0/24 on Subnet s has active allocations and cannot be deleted.");
    }

    @Test
    void partsOfOneNetworkAreChangedOneAfterTheOther() {
        Reply first =
                arm.put(arm.network("virtualNetworks/vn/subnets/a"), "{'properties':{'addressPrefix':'10.45.1.0/24'}}");
        Reply second =
                arm.put(arm.network("virtualNetworks/vn/subnets/b"), "{'properties':{'addressPrefix':'10.45.2.0/24'}}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(429);
        assertThat(second.error()).isEqualTo("AnotherOperationInProgress");
        assertThat(second.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void gatewaysAndTablesInUseStay() {
        done(arm.put(arm.network("publicIPAddresses/way"), STANDARD));
        done(arm.put(
                arm.network("natGateways/gate"),
                "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'publicIpAddresses':[{'id':'"
                        + arm.network("publicIPAddresses/way") + "'}]}}"));
        done(arm.put(
                arm.network("routeTables/table"),
                "{'location':'westeurope','properties':{'routes':[{'name':'out','properties':{'addressPrefix':'0.0.0.0/0',"
                        + "'nextHopType':'VirtualAppliance','nextHopIpAddress':'10.45.9.4'}}]}}"));
        done(arm.put(
                arm.network("virtualNetworks/vn/subnets/s"),
                "{'properties':{'addressPrefix':'10.45.0.0/24','natGateway':{'id':'"
                        + arm.network("natGateways/gate") + "'},'routeTable':{'id':'"
                        + arm.network("routeTables/table") + "'}}}"));
        assertThat(arm.get(arm.network("natGateways/gate"))
                        .body()
                        .at("/properties/subnets/0/id")
                        .asText())
                .endsWith("/subnets/s");
        assertThat(arm.get(arm.network("routeTables/table/routes/out"))
                        .body()
                        .at("/properties/nextHopIpAddress")
                        .asText())
                .isEqualTo("10.45.9.4");
        assertThat(arm.delete(arm.network("natGateways/gate")).error()).isEqualTo("InUseNatGatewayCannotBeDeleted");
        assertThat(arm.delete(arm.network("routeTables/table")).message())
                .isEqualTo("Route table table is in use and cannot be deleted.");
        assertThat(arm.delete(arm.network("publicIPAddresses/way")).error())
                .isEqualTo("PublicIPAddressCannotBeDeleted");
    }

    @Test
    void readsPartsOfResourcesOnTheirOwn() {
        done(arm.put(arm.network("networkSecurityGroups/g"), "{'location':'westeurope'}"));
        assertThat(arm.get(arm.network("networkSecurityGroups/g/defaultSecurityRules"))
                        .body()
                        .path("value"))
                .hasSize(6);
        assertThat(arm.get(arm.network("networkSecurityGroups/g/defaultSecurityRules/DenyAllInBound"))
                        .body()
                        .at("/properties/access")
                        .asText())
                .isEqualTo("Deny");
        assertThat(arm.delete(arm.network("networkSecurityGroups/g/defaultSecurityRules/DenyAllInBound"))
                        .error())
                .isEqualTo("MethodNotAllowed");
        assertThat(arm.get(arm.network("loadBalancers/lb/probes")).body().path("value"))
                .isEmpty();
        done(arm.networkInterface("n", ""));
        assertThat(arm.get(arm.network("networkInterfaces/n/ipConfigurations/primary"))
                        .body()
                        .at("/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.45.0.4");
        JsonNode taken = arm.get(arm.network("virtualNetworks/vn/CheckIPAddressAvailability?ipAddress=10.45.0.4"))
                .body();
        assertThat(taken.path("available").asBoolean()).isFalse();
        assertThat(taken.at("/availableIPAddresses/0").asText()).isEqualTo("10.45.0.5");
        assertThat(arm.get(arm.subscription("/providers/Microsoft.Network/locations/westeurope/CheckDnsNameAvailability"
                                + "?domainNameLabel=mine"))
                        .body()
                        .path("available")
                        .asBoolean())
                .isTrue();
    }

    private void subnet(String name, String range, String more, String version) {
        done(arm.send(
                "PUT",
                arm.network("virtualNetworks/vn/subnets/" + name) + "?api-version=" + version,
                ("{'properties':{'addressPrefix':'" + range + "'" + more + "}}").replace('\'', '"')));
    }

    private String driver(String machine, String subnet, String more) {
        done(arm.put(
                arm.network("networkInterfaces/" + machine),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'primary','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/" + subnet) + "'}" + more + "}}]}}"));
        done(arm.put(
                arm.compute("virtualMachines/" + machine),
                arm.machineBody(machine, "Standard_HB120rs_v3", ArmClient.UBUNTU, "")));
        var status = arm.done(arm.put(arm.compute("virtualMachines/" + machine + "/extensions/ib"), DRIVER));
        return status.path("status").asText() + " "
                + status.at("/error/message").asText();
    }

    @Test
    void aDriverComesOnlyToAMachineWithAWayOut() {
        subnet("open", "10.45.1.0/24", "", "2025-03-01");
        subnet("closed", "10.45.2.0/24", ",'defaultOutboundAccess':false", "2025-03-01");
        done(arm.put(arm.network("publicIPAddresses/own"), STANDARD));
        String pool = ",'loadBalancerBackendAddressPools':[{'id':'"
                + arm.network("loadBalancers/lb/backendAddressPools/p") + "'}]";

        assertThat(driver("a", "open", "")).startsWith("Succeeded");
        assertThat(driver("b", "closed", ""))
                .startsWith("Failed")
                .contains("type 'InfiniBandDriverLinux'", "exit status=14");
        assertThat(driver("c", "open", pool)).startsWith("Failed");
        assertThat(driver("d", "closed", ",'publicIPAddress':{'id':'" + arm.network("publicIPAddresses/own") + "'}"))
                .startsWith("Succeeded");
        done(arm.put(
                arm.network("loadBalancers/lb"),
                "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f',"
                        + "'properties':{'publicIPAddress':{'id':'" + arm.network("publicIPAddresses/ip")
                        + "'}}}],'backendAddressPools':[{'name':'p'}],'outboundRules':[{'name':'o','properties':{'protocol':"
                        + "'All','frontendIPConfigurations':[{'id':'"
                        + arm.network("loadBalancers/lb/frontendIPConfigurations/f")
                        + "'}],'backendAddressPool':{'id':'"
                        + arm.network("loadBalancers/lb/backendAddressPools/p") + "'}}}]}}"));
        assertThat(driver("e", "closed", pool)).startsWith("Succeeded");
    }

    @Test
    void aNewSubnetIsPrivateInNewVersionsOfTheApi() {
        subnet("older", "10.45.1.0/24", "", "2025-05-01");
        subnet("newer", "10.45.2.0/24", "", "2025-07-01");
        subnet("chosen", "10.45.3.0/24", ",'defaultOutboundAccess':true", "2025-07-01");
        assertThat(access("older")).isEmpty();
        assertThat(access("newer")).isEqualTo("false");
        assertThat(access("chosen")).isEqualTo("true");
    }

    private String access(String subnet) {
        return arm.get(arm.network("virtualNetworks/vn/subnets/" + subnet))
                .body()
                .at("/properties/defaultOutboundAccess")
                .asText();
    }

    @Test
    void aGroupStaysInItsRegion() {
        Reply moved = arm.put(arm.group(""), "{'location':'eastus'}");
        assertThat(moved.status()).isEqualTo(409);
        assertThat(moved.error()).isEqualTo("InvalidResourceGroupLocation");
        assertThat(moved.message()).contains("already exists in location 'westeurope'");
        Reply nowhere = arm.put(arm.subscription("/resourceGroups/other"), "{'location':'atlantis'}");
        assertThat(nowhere.error()).isEqualTo("LocationNotAvailableForResourceGroup");
    }
}
