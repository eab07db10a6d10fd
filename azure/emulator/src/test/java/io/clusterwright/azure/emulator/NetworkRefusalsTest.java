package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import io.clusterwright.core.internal.json.Json;
import java.util.Map;
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

    /** A valid request of each type. */
    private static final Map<String, String> VALID = Map.of(
            "publicIPAddresses",
            "'sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'}",
            "loadBalancers",
            "'sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'f','properties':{$address}}],"
                    + "'backendAddressPools':[{'name':'p'}]}",
            "virtualNetworks",
            "'properties':{'addressSpace':{'addressPrefixes':['10.0.0.0/16']},'subnets':[{'name':'s','properties':{"
                    + "'addressPrefix':'10.0.0.0/24'}}]}",
            "networkInterfaces",
            "'properties':{'ipConfigurations':[{'name':'i','properties':{$subnet}}]}",
            "networkSecurityGroups",
            "'properties':{'securityRules':[{'name':'r','properties':{'protocol':'Tcp','access':'Allow','direction':"
                    + "'Inbound','priority':100,'sourcePortRange':'*','destinationPortRange':'22','sourceAddressPrefix':"
                    + "'*','destinationAddressPrefix':'*'}}]}",
            "natGateways",
            "'sku':{'name':'Standard'},'properties':{}",
            "routeTables",
            "'properties':{'routes':[{'name':'r','properties':{'addressPrefix':'10.0.0.0/8','nextHopType':'None'}}]}");

    /** Parts of valid requests that the tables name. */
    private static final Map<String, String> PARTS = Map.of(
            "rule", "/properties/securityRules/0/properties",
            "ip", "/properties/ipConfigurations/0/properties",
            "subnet", "/properties/subnets/0/properties",
            "route", "/properties/routes/0/properties",
            "front", "/properties/frontendIPConfigurations/0/properties");

    /** What stands for a word in a body; @ is the start of an id in Microsoft.Network. */
    private static final String[][] WORDS = {
        {"$rule", "$front,$pool,'protocol':'Tcp','frontendPort':80,'backendPort':80"},
        {"$both", "$front,$pool"},
        {"$outbound", "'protocol':'All','frontendIPConfigurations':[{'id':'$lb/frontendIPConfigurations/f'}],$pool"},
        {"$front", "'frontendIPConfiguration':{'id':'$lb/frontendIPConfigurations/f'}"},
        {"$pool", "'backendAddressPool':{'id':'$lb/backendAddressPools/p'}"},
        {"$lb", "@loadBalancers/lb"},
        {"$address", "'publicIPAddress':{'id':'@publicIPAddresses/ip'}"},
        {"$subnet", "'subnet':{'id':'@virtualNetworks/vn/subnets/s'}"},
    };

    private ArmEmulator emulator;
    private ArmClient arm;

    @BeforeEach
    void start() {
        emulator = ArmEmulator.builder().publicAddresses(3).start();
        arm = new ArmClient(emulator);
        arm.prepare();
        done(arm.put(arm.network("publicIPAddresses/ip"), STANDARD));
        done(arm.put(arm.network("loadBalancers/lb"), changed("loadBalancers", "")));
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private void done(Reply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isLessThan(300);
        assertThat(arm.done(reply).path("status").asText()).isEqualTo("Succeeded");
    }

    /**
     * The request is the valid one of its type, with other values at paths, or with nothing there. A path starts at the properties, at a part of
     * {@link #PARTS}, or with ^ at the body.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "publicIPAddresses/b | ^sku/name='Basic' & publicIPAllocationMethod= | IPv4BasicSkuPublicIpCountLimitReached | Cannot create more than 0 IPv4 Basic SKU",
                "publicIPAddresses/b | ^sku= | IPv4BasicSkuPublicIpCountLimitReached | more than 0 IPv4 Basic SKU",
                "publicIPAddresses/b | publicIPAllocationMethod='Dynamic' | PublicIPAndSkuDontSupportAllocationMethod | must have AllocationMethod set to Static",
                "publicIPAddresses/-b | `` | InvalidResourceName | Resource name -b is invalid",
                "publicIPAddresses/b | ^zones=['4'] | InvalidAvailabilityZone | The supported zones for location 'westeurope' are '1,2,3'",
                "publicIPAddresses/ip | ^zones=['1'] | ResourceAvailabilityZonesCannotBeModified | Zones cannot be added",
                "publicIPAddresses/b | dnsSettings={'domainNameLabel':'Upper'} | InvalidDomainNameLabel | The domain name label Upper is invalid",
                "loadBalancers/b | ^sku= & frontendIPConfigurations= & backendAddressPools= | BasicSkuLoadBalancerNotSupported | retired on September 30, 2025",
                "loadBalancers/b | front/publicIPAddress/id='@x/ip' | InvalidResourceReference | was not found",
                "loadBalancers/b | `` | PublicIPAddressInUse | already allocated",
                "loadBalancers/lb | backendAddressPools= & outboundRules=[{'name':'o','properties':{$outbound,'backendAddressPool':{'id':'@loadBalancers/lb/backendAddressPools/gone'}}}] | InvalidResourceReference | backendAddressPools/gone",
                "loadBalancers/b | frontendIPConfigurations= & backendAddressPools= & loadBalancingRules=[{'name':'r','properties':{'frontendPort':1,'backendPort':1,'protocol':'Tcp'}}] | LoadBalancerWithoutFrontendIPCantHaveChildResources | does not have Frontend IP",
                "virtualNetworks/b | addressSpace/addressPrefixes=['10.0.0.1/16'] | InvalidCIDRNotation | the address prefix should be 10.0.0.0/16",
                "virtualNetworks/b | addressSpace/addressPrefixes=['10.0.0.0'] | InvalidAddressPrefixFormat | CIDR notation",
                "virtualNetworks/b | addressSpace/addressPrefixes=['169.254.0.0/24'] | AddressPrefixReserved | reserved",
                "virtualNetworks/b | addressSpace/addressPrefixes=['10.0.0.0/16','10.0.1.0/24'] | AddressPrefixesOverlap | 10.0.1.0/24",
                "virtualNetworks/b | subnet/addressPrefix='10.0.0.0/30' | NetcfgInvalidIPAddressPrefix | /29",
                "virtualNetworks/b | subnet/networkSecurityGroup={'id':'@networkSecurityGroups/gone'} | InvalidResourceReference | networkSecurityGroups/gone",
                "virtualNetworks/b | subnet/routeTable={'id':'@routeTables/gone'} | InvalidResourceReference | routeTables/gone",
                "virtualNetworks/b | subnets/0/name='a b' | InvalidResourceName | a b",
                "networkInterfaces/b | ^location='eastus' | InvalidResourceReference | both resources are in the same region",
                "networkInterfaces/b | ip/subnet/id='@virtualNetworks/vn/subnets/gone' | InvalidResourceReference | subnets/gone",
                "networkInterfaces/b | ip/loadBalancerBackendAddressPools=[{'id':'@loadBalancers/lb/backendAddressPools/gone'}] | InvalidResourceReference | backendAddressPools/gone",
                "networkInterfaces/b | networkSecurityGroup={'id':'b'} | InvalidResourceReference | referenced by",
                "networkSecurityGroups/b | rule/destinationPortRange='22,80' | SecurityRuleInvalidPortRange | Value provided: 22,80",
                "networkSecurityGroups/b | rule/sourceAddressPrefix='10.0.0.0/40' | SecurityRuleInvalidAddressPrefix | 10.0.0.0/40",
                "networkSecurityGroups/b | rule/sourceAddressPrefix= | SecurityRuleParameterMissing | sourceAddressPrefix",
                "networkSecurityGroups/b | rule/priority=99 | SecurityRuleInvalidPriority | between 100 and 4096",
                "natGateways/b | ^sku= | NatGatewaySkuNotSupported | must be Standard",
                "natGateways/b | idleTimeoutInMinutes=200 | InvalidIdleTimeout | between 4 and 120",
                "natGateways/b | publicIpAddresses=[{'id':'@publicIPAddresses/ip'}] | PublicIPAddressInUse | already allocated",
                "routeTables/b | route/addressPrefix='0.0.0.0/0' & route/nextHopType='VirtualAppliance' | RouteNextHopIpAddressMissing | no next hop IP address",
                "routeTables/b | route/nextHopIpAddress='10.0.0.4' | RouteNextHopIpAddressNotAllowed | None",
                "routeTables/b | routes/1={'name':'q','properties':{'addressPrefix':'10.0.0.0/8','nextHopType':'None'}} | RouteConflictsWithOtherRoute | q conflicts with route r",
                "networkSecurityGroups/b | rule/sourceAddressPrefix='Foo' | SecurityRuleInvalidAddressPrefix | Value provided: Foo",
                "networkSecurityGroups/b | rule/sourceAddressPrefix= & rule/sourceAddressPrefixes=['*'] | SecurityRuleParameterContainsUnsupportedValue | Unsupported value used: *",
                "networkSecurityGroups/b | rule/sourceAddressPrefixes=['10.0.0.0/8'] | InvalidRequestFormat | has both sourceAddressPrefix and sourceAddressPrefixes",
                "loadBalancers/lb | loadBalancingRules=[{'name':'a','properties':{$rule}},{'name':'b','properties':{$rule,'backendPort':81}}] | RulesUseSameFrontendPortProtocolAndIPConfig | a and b",
                "loadBalancers/lb | loadBalancingRules=[{'name':'a','properties':{$rule}},{'name':'b','properties':{$rule,'frontendPort':81}}] | RulesUseSameBackendPortProtocolAndPool | backend port 80",
                "loadBalancers/lb | loadBalancingRules=[{'name':'a','properties':{$rule,'idleTimeoutInMinutes':200}}] | InvalidIdleTimeout | between 4 and 100",
                "loadBalancers/lb | loadBalancingRules=[{'name':'a','properties':{$rule}}] & outboundRules=[{'name':'o','properties':{$outbound}}] | LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule | must have disableOutboundSNAT set to true",
                "loadBalancers/lb | outboundRules=[{'name':'o','properties':{$outbound,'allocatedOutboundPorts':7}}] | InvalidRequestFormat | multiple of 8",
                "loadBalancers/lb | probes=[{'name':'q','properties':{'protocol':'Http','port':80}}] | InvalidRequestFormat | needs a requestPath",
                "loadBalancers/b | front/subnet={'id':'@virtualNetworks/vn/subnets/s'} | FrontendIPConfigHasBothSubnetAndPublicIP | must not reference both",
                "loadBalancers/b | front/publicIPAddress= | FrontendIPConfigHasNoSubnetOrPublicIP | must reference either",
                "publicIPAddresses/b | idleTimeoutInMinutes=31 | InvalidIdleTimeout | between 4 and 30",
                "networkInterfaces/b | ipConfigurations/1={'name':'j','properties':{$subnet}} | NetworkInterfaceMustHaveOneOneIPConfigAsPrimary | specifies multiple IPConfigurations but none of the IPConfigurations is specified as Primary",
                "networkInterfaces/b | dnsSettings={'dnsServers':['x']} | InvalidIPAddressFormat | 'x'",
                "virtualNetworks/b | dhcpOptions={'dnsServers':['x']} | InvalidIPAddressFormat | 'x'",
                "virtualNetworks/b | subnets/0/name='AzureBastionSubnet' & subnet/addressPrefix='10.0.0.0/27' | NetcfgInvalidIPAddressPrefix | must be 26 or less",
                "natGateways/b | ^zones=['1','2'] | InvalidParameter | one availability zone only",
                "networkSecurityGroups/b | rule/sourceAddressPrefix= & rule/sourceAddressPrefixes=['10.0.0.0/8','10.1.0.0/16'] | OverlappingSubnetsNotPermittedInSecurityRule | contains overlapping subnets [10.0.0.0/8, 10.1.0.0/16]",
                "virtualNetworks/b | subnet/serviceEndpoints=[{'service':'Microsoft.Foo'}] | SubnetHasServiceEndpointWithInvalidServiceName | Microsoft.Foo",
                "virtualNetworks/b | subnet/delegations=[{'name':'d','properties':{'serviceName':'Microsoft.Sql/servers'}}] | InvalidServiceNameOnDelegation | The service name Microsoft.Sql/servers specified on delegation",
                "virtualNetworks/b | subnet/addressPrefix= & subnet/addressPrefixes=['10.0.0.0/24','10.0.0.128/25'] | NetcfgSubnetRangesOverlap | overlaps",
                "virtualNetworks/b | subnet/addressPrefix= & subnet/addressPrefixes=['10.0.0.0/24','10.9.0.0/16'] | NetcfgInvalidSubnet | s",
                "networkInterfaces/b | ip/privateIPAddressVersion='IPv6' & ip/primary=true | InvalidRequestFormat | cannot be primary with the private IP address version IPv6",
                "networkInterfaces/b | ip/primary=true & ipConfigurations/1={'name':'j','properties':{'privateIPAddressVersion':'IPv6',$subnet}} | InvalidRequestFormat | has no IPv6 address prefix",
                "networkInterfaces/b | ip/privateIPAddress='fd00::4' | InvalidIPAddressFormat | 'fd00::4'",
                "networkInterfaces/b | ^extendedLocation={'type':'EdgeZone','name':'z'} | InvalidExtendedLocation | The extended location 'z' is not available",
                "loadBalancers/lb | loadBalancingRules=[{'name':'r','properties':{$both,'frontendPort':80,'backendPort':80}}] | InvalidRequestFormat | it needs a protocol",
                "loadBalancers/lb | loadBalancingRules=[{'name':'r','properties':{$rule,'protocol':'All'}}] | InvalidRequestFormat | its ports must be 0",
                "loadBalancers/lb | loadBalancingRules=[{'name':'r','properties':{$rule,'enableFloatingIP':true,'backendPort':81}}] | InvalidRequestFormat | its frontend and backend ports must be equal",
                "loadBalancers/lb | probes=[{'name':'q','properties':{'protocol':'Tcp','port':22,'numberOfProbes':0}}] | InvalidRequestFormat | its number of probes must be at least 1",
                "loadBalancers/b | front={$subnet} & outboundRules=[{'name':'o','properties':{$outbound,'frontendIPConfigurations':[{'id':'@loadBalancers/b/frontendIPConfigurations/f'}],'backendAddressPool':{'id':'@loadBalancers/b/backendAddressPools/p'}}}] | InvalidRequestFormat | its frontends must be public",
                "loadBalancers/lb | frontendIPConfigurations/0/zones=['1'] | InvalidRequestFormat | cannot have zones",
                "loadBalancers/lb | frontendIPConfigurations/1={'name':'g','properties':{$address}} | PublicIPAddressInUse | already allocated",
                "natGateways/b | publicIpAddresses=[{'id':'@publicIPAddresses/ip'},{'id':'@publicIPAddresses/ip'}] | InvalidRequestFormat | cannot have a public IP address twice",
                "virtualNetworks/b | addressSpace/addressPrefixes=['10.0.0.0/30'] | NetcfgInvalidIPAddressPrefix | /29",
                "virtualNetworks/b | virtualNetworkPeerings=[{'name':'p','properties':{'remoteVirtualNetwork':{'id':'@virtualNetworks/none'}}}] | InvalidResourceReference | virtualNetworks/none",
                "networkSecurityGroups/b | rule/sourceAddressPrefix='10.0.0.1/8' | SecurityRuleInvalidAddressPrefix | Value provided: 10.0.0.1/8",
                "networkSecurityGroups/b | rule/sourceAddressPrefix='zz:yy' | SecurityRuleInvalidAddressPrefix | Value provided: zz:yy",
                "networkSecurityGroups/b | rule/sourceAddressPrefix='10.0.0.0/8' & rule/destinationAddressPrefix='fd00::/8' | InvalidRequestFormat | has addresses of IPv6 and 10.0.0.0/8, which is of IPv4",
                "networkInterfaces/b | ip/primary=true & ip/privateIPAllocationMethod='Static' & ip/privateIPAddress='10.45.0.9' & ipConfigurations/1={'name':'j','properties':{$subnet,'privateIPAllocationMethod':'Static','privateIPAddress':'10.45.0.9'}} | PrivateIPAddressIsAllocated | 10.45.0.9",
                "networkInterfaces/b | dnsSettings={'internalDnsNameLabel':'a b'} | InvalidDomainNameLabel | a b",
                "virtualNetworks/b | ^location='atlantis' | LocationNotAvailableForResourceType | The provided location 'atlantis' is not available for resource type 'Microsoft.Network/virtualNetworks'",
            })
    void refuses(String path, String changes, String code, String message) {
        Reply reply = put(path, changes.trim());

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    private Reply put(String path, String changes) {
        return arm.put(arm.network(path), changed(path.replaceFirst("/.*", ""), changes));
    }

    private String changed(String type, String changes) {
        ObjectNode body = (ObjectNode) json("{'location':'westeurope'," + VALID.get(type) + "}");
        for (String change : changes.isEmpty() ? new String[0] : changes.split(" & ")) {
            String[] words = change.split("=", 2);
            String first = words[0].replaceFirst("/.*", "");
            String path = words[0].startsWith("^")
                    ? "/" + words[0].substring(1)
                    : PARTS.getOrDefault(first, "/properties/" + first) + words[0].substring(first.length());
            JsonNode holder = body.at(path.substring(0, path.lastIndexOf('/')));
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (holder instanceof ArrayNode array) {
                array.add(json(words[1]));
            } else if (words[1].isEmpty()) {
                ((ObjectNode) holder).remove(name);
            } else {
                ((ObjectNode) holder).set(name, json(words[1]));
            }
        }
        return body.toString();
    }

    private JsonNode json(String text) {
        String whole = text;
        for (String[] word : WORDS) {
            whole = whole.replace(word[0], word[1]);
        }
        try {
            return Json.MAPPER.readTree(whole.replace("@", arm.network("")).replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
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
        Reply reply = put("networkInterfaces/n", "ip/publicIPAddress={'id':'@publicIPAddresses/six'}");
        assertThat(reply.error()).isEqualTo("IPVersionForPublicIpAndNicIpConfigurationMustMatch");
        assertThat(reply.message())
                .isEqualTo("IP version for publicIPAddress '" + arm.network("publicIPAddresses/six")
                        + "', version 'IPv6' and network interface ipConfiguration '"
                        + arm.network("networkInterfaces/n/ipConfigurations/i") + "', version 'IPv4' must match.");
    }

    @Test
    void subnetsOfGatewaysHoldNoInterfaces() {
        subnet("GatewaySubnet", "10.45.1.0/24", "", "2025-03-01");
        Reply reply = put("networkInterfaces/n", "ip/subnet/id='@virtualNetworks/vn/subnets/GatewaySubnet'");
        assertThat(reply.error()).isEqualTo("SubnetWithExternalResourcesCannotBeUsedByOtherResources");
        assertThat(reply.message()).contains("is delegated to GatewaySubnet and cannot be used by");
    }

    @Test
    void theInterfaceOfARunningMachineKeepsItsNetworkAndItsAcceleration() {
        done(arm.virtualNetwork("far", "10.46"));
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
        String rule = "{'name':'%s','properties':{$front,'protocol':'Tcp','frontendPort':%d,'backendPort':22}}";
        done(put(
                "loadBalancers/lb",
                "inboundNatRules=[" + rule.formatted("a", 50_001) + "," + rule.formatted("b", 50_002) + "]"));
        String rules = "ip/loadBalancerInboundNatRules=[%s]";
        String a = "{'id':'$lb/inboundNatRules/a'}";
        String b = "{'id':'$lb/inboundNatRules/b'}";
        done(put("networkInterfaces/first", rules.formatted(a)));
        assertThat(put("networkInterfaces/second", rules.formatted(a)).message())
                .contains("inboundNatRules/a is already used by");
        Reply both = put("networkInterfaces/second", rules.formatted(b + "," + b));
        assertThat(both.error()).isEqualTo("RulesUseSameBackendPortProtocolAndIPConfig");
        assertThat(both.message()).contains("use the same backend port 22 and protocol Tcp");
    }

    @Test
    void aDelegatedSubnetHoldsNoInterfacesOfOthers() {
        String delegated = "{'properties':{'addressPrefix':'10.45.1.0/24','delegations':[{'name':'d','properties':{"
                + "'serviceName':'Microsoft.Netapp/volumes'}}]}}";
        done(arm.put(arm.network("virtualNetworks/vn/subnets/d"), delegated));
        Reply reply = put("networkInterfaces/n", "ip/subnet/id='@virtualNetworks/vn/subnets/d'");
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
        Reply reply = put("networkInterfaces/n", "ipConfigurations=[{'name':'other','properties':{$subnet}}]");
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

    /** By a time that only who waits moves on, so that the first change is not over before the second one comes. */
    @Test
    void partsOfOneNetworkAreChangedOneAfterTheOther() {
        try (ArmEmulator slow = ArmEmulator.builder().realistic().virtualTime().start()) {
            ArmClient client = new ArmClient(slow);
            client.prepare();
            Reply first = client.put(
                    client.network("virtualNetworks/vn/subnets/a"), "{'properties':{'addressPrefix':'10.45.1.0/24'}}");
            Reply second = client.put(
                    client.network("virtualNetworks/vn/subnets/b"), "{'properties':{'addressPrefix':'10.45.2.0/24'}}");
            assertThat(first.status()).isEqualTo(201);
            assertThat(second.status()).isEqualTo(429);
            assertThat(second.error()).isEqualTo("AnotherOperationInProgress");
            assertThat(second.header("Retry-After")).isEqualTo("10");
        }
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
        assertThat(arm.text(arm.network("natGateways/gate"), "/properties/subnets/0/id"))
                .endsWith("/subnets/s");
        assertThat(arm.text(arm.network("routeTables/table/routes/out"), "/properties/nextHopIpAddress"))
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
        assertThat(arm.at(arm.network("networkSecurityGroups/g/defaultSecurityRules"), "/value"))
                .hasSize(6);
        assertThat(arm.text(
                        arm.network("networkSecurityGroups/g/defaultSecurityRules/DenyAllInBound"),
                        "/properties/access"))
                .isEqualTo("Deny");
        assertThat(arm.delete(arm.network("networkSecurityGroups/g/defaultSecurityRules/DenyAllInBound"))
                        .error())
                .isEqualTo("MethodNotAllowed");
        assertThat(arm.at(arm.network("loadBalancers/lb/probes"), "/value")).isEmpty();
        done(arm.networkInterface("n", ""));
        assertThat(arm.text(
                        arm.network("networkInterfaces/n/ipConfigurations/primary"), "/properties/privateIPAddress"))
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
        done(put("loadBalancers/lb", "outboundRules=[{'name':'o','properties':{$outbound}}]"));
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
        return arm.text(arm.network("virtualNetworks/vn/subnets/" + subnet), "/properties/defaultOutboundAccess");
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
