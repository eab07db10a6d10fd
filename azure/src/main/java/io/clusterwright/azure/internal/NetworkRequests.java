package io.clusterwright.azure.internal;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.FrontendIpConfigurationInner;
import com.azure.resourcemanager.network.fluent.models.InboundNatRuleInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.fluent.models.NetworkInterfaceInner;
import com.azure.resourcemanager.network.fluent.models.NetworkInterfaceIpConfigurationInner;
import com.azure.resourcemanager.network.fluent.models.NetworkSecurityGroupInner;
import com.azure.resourcemanager.network.fluent.models.OutboundRuleInner;
import com.azure.resourcemanager.network.fluent.models.PublicIpAddressInner;
import com.azure.resourcemanager.network.fluent.models.SecurityRuleInner;
import com.azure.resourcemanager.network.fluent.models.SubnetInner;
import com.azure.resourcemanager.network.fluent.models.VirtualNetworkInner;
import com.azure.resourcemanager.network.models.AddressSpace;
import com.azure.resourcemanager.network.models.DhcpOptions;
import com.azure.resourcemanager.network.models.IpAllocationMethod;
import com.azure.resourcemanager.network.models.LoadBalancerOutboundRuleProtocol;
import com.azure.resourcemanager.network.models.LoadBalancerSku;
import com.azure.resourcemanager.network.models.LoadBalancerSkuName;
import com.azure.resourcemanager.network.models.PublicIpAddressSku;
import com.azure.resourcemanager.network.models.PublicIpAddressSkuName;
import com.azure.resourcemanager.network.models.SecurityRuleAccess;
import com.azure.resourcemanager.network.models.SecurityRuleDirection;
import com.azure.resourcemanager.network.models.SecurityRuleProtocol;
import com.azure.resourcemanager.network.models.TransportProtocol;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the network service is asked to make. */
final class NetworkRequests {
    private static final int FIRST_PRIORITY = 1000;

    private NetworkRequests() {}

    /** SSH from the callers' ranges and nothing else; what is inside of the network may talk freely by Azure's own rules. */
    static NetworkSecurityGroupInner securityGroup(ClusterSpec spec, List<AddressRange> callers) {
        List<SecurityRuleInner> rules = new ArrayList<>();
        if (spec.network().ssh().external() != SshAccess.External.NONE) {
            rules.add(new SecurityRuleInner()
                    .withName("ssh")
                    .withDescription("SSH from the ranges of network.ssh.allowFrom")
                    .withPriority(FIRST_PRIORITY)
                    .withDirection(SecurityRuleDirection.INBOUND)
                    .withAccess(SecurityRuleAccess.ALLOW)
                    .withProtocol(SecurityRuleProtocol.TCP)
                    .withSourceAddressPrefixes(
                            callers.stream().map(AddressRange::toString).toList())
                    .withSourcePortRange("*")
                    .withDestinationAddressPrefix("*")
                    .withDestinationPortRange(String.valueOf(Names.SSH)));
        }
        return new NetworkSecurityGroupInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(Tags.of(spec))
                .withSecurityRules(rules);
    }

    /** The subnet may open connections to the outside, as nodes fetch packages and drivers. */
    static VirtualNetworkInner network(ClusterSpec spec) {
        SubnetInner subnet = new SubnetInner()
                .withName(spec.network().subnet().name())
                .withAddressPrefix(spec.network().subnet().range().toString())
                .withDefaultOutboundAccess(true);
        VirtualNetworkInner network = new VirtualNetworkInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(Tags.of(spec))
                .withAddressSpace(new AddressSpace()
                        .withAddressPrefixes(
                                List.of(spec.network().addressSpace().toString())))
                .withSubnets(List.of(subnet));
        List<String> servers =
                spec.network().dnsServers().stream().map(Ipv4Address::toString).toList();
        return servers.isEmpty() ? network : network.withDhcpOptions(new DhcpOptions().withDnsServers(servers));
    }

    static PublicIpAddressInner address(ClusterSpec spec, Map<String, String> tags) {
        return new PublicIpAddressInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(tags)
                .withSku(new PublicIpAddressSku().withName(PublicIpAddressSkuName.STANDARD))
                .withPublicIpAllocationMethod(IpAllocationMethod.STATIC);
    }

    static LoadBalancerInner loadBalancer(ClusterSpec spec, Names names) {
        SubResource frontend =
                new SubResource().withId(names.loadBalancer() + "/frontendIPConfigurations/" + Names.FRONTEND);
        List<InboundNatRuleInner> rules = new ArrayList<>();
        Map<NodeName, Integer> ports = names.ports();
        List<NodeName> nodes = spec.nodes().names();
        ports.forEach((node, port) -> {
            if (!names.portRange() || !nodes.contains(node)) {
                rules.add(rule(Names.natRule(node), frontend).withFrontendPort(port));
            }
        });
        LoadBalancerInner balancer = new LoadBalancerInner();
        if (names.portRange()) {
            balancer.withBackendAddressPools(List.of(new BackendAddressPoolInner().withName(Names.POOL)))
                    .withOutboundRules(List.of(outbound(names, frontend)));
            rules.add(rule(Names.PORT_RANGE, frontend)
                    .withFrontendPortRangeStart(ports.get(nodes.get(0)))
                    .withFrontendPortRangeEnd(ports.get(nodes.get(nodes.size() - 1)))
                    .withBackendAddressPool(new SubResource().withId(names.pool())));
        }
        return balancer.withLocation(spec.region().orElseThrow())
                .withTags(Tags.of(spec))
                .withSku(new LoadBalancerSku().withName(LoadBalancerSkuName.STANDARD))
                .withFrontendIpConfigurations(List.of(new FrontendIpConfigurationInner()
                        .withName(Names.FRONTEND)
                        .withPublicIpAddress(new PublicIpAddressInner()
                                .withId(names.address().toString()))))
                .withInboundNatRules(rules);
    }

    /** Machines in a pool of a Standard balancer open connections to the outside by its rules only. */
    private static OutboundRuleInner outbound(Names names, SubResource frontend) {
        return new OutboundRuleInner()
                .withName(Names.OUTBOUND)
                .withProtocol(LoadBalancerOutboundRuleProtocol.ALL)
                .withFrontendIpConfigurations(List.of(frontend))
                .withBackendAddressPool(new SubResource().withId(names.pool()))
                .withAllocatedOutboundPorts(0)
                .withEnableTcpReset(true);
    }

    private static InboundNatRuleInner rule(String name, SubResource frontend) {
        return new InboundNatRuleInner()
                .withName(name)
                .withFrontendIpConfiguration(frontend)
                .withProtocol(TransportProtocol.TCP)
                .withBackendPort(Names.SSH)
                .withEnableTcpReset(true);
    }

    static NetworkInterfaceInner nic(
            ClusterSpec spec, Names names, MachineRequest request, Map<String, String> tags, boolean accelerated) {
        NetworkInterfaceIpConfigurationInner address = new NetworkInterfaceIpConfigurationInner()
                .withName("primary")
                .withPrimary(true)
                .withSubnet(new SubnetInner().withId(names.subnet()))
                .withPrivateIpAllocationMethod(IpAllocationMethod.STATIC)
                .withPrivateIpAddress(request.address().toString());
        if (names.ownAddress(request.name())) {
            address.withPublicIpAddress(new PublicIpAddressInner()
                    .withId(Names.address(names.machine(request.name())).toString()));
        }
        names.rule(request.name())
                .ifPresent(rule -> address.withLoadBalancerInboundNatRules(
                        List.of(new InboundNatRuleInner().withId(names.loadBalancer() + "/inboundNatRules/" + rule))));
        NetworkInterfaceInner nic = new NetworkInterfaceInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(tags)
                .withEnableAcceleratedNetworking(accelerated)
                .withIpConfigurations(List.of(address));
        return nic.withNetworkSecurityGroup(
                new NetworkSecurityGroupInner().withId(names.securityGroup().toString()));
    }
}
