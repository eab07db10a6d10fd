package io.clusterwright.azure.internal.network;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import com.azure.resourcemanager.network.models.NatRulePortMapping;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.type.Ipv4Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * By which port of a load balancer each instance of a scale set answers SSH. Azure gives an instance one of the range of its rule.
 *
 * @param isOpen whether there is such a rule
 * @param ports by the instance's number, or by its private address where Azure tells no more
 */
public record InstancePorts(boolean isOpen, Map<String, Integer> ports) {
    public static final InstancePorts NONE = new InstancePorts(false, Map.of());

    /** Copies the map. */
    public InstancePorts {
        ports = Map.copyOf(ports);
    }

    /** What the load balancer says now, read in one go; {@link #NONE} where there is none. */
    static InstancePorts read(Clients clients, ArmId balancer) {
        return clients.arm()
                .find(
                        "look for load balancer " + balancer.name(),
                        () -> clients.network()
                                .getLoadBalancers()
                                .getByResourceGroup(balancer.group(), balancer.name()))
                .map(InstancePorts::of)
                .orElse(NONE);
    }

    private static InstancePorts of(LoadBalancerInner balancer) {
        Map<String, Integer> ports = new HashMap<>();
        boolean open = false;
        for (BackendAddressPoolInner pool : orEmpty(balancer.backendAddressPools())) {
            open |= Names.POOL.equals(pool.name());
            for (LoadBalancerBackendAddress address : orEmpty(pool.loadBalancerBackendAddresses())) {
                orEmpty(address.inboundNatRulesPortMapping()).stream()
                        .filter(mapping -> Names.PORT_RANGE.equals(mapping.inboundNatRuleName()))
                        .map(NatRulePortMapping::frontendPort)
                        .findFirst()
                        .ifPresent(port -> ports.put(key(address), port));
            }
        }
        return new InstancePorts(open, ports);
    }

    private static String key(LoadBalancerBackendAddress address) {
        SubResource configuration = address.networkInterfaceIpConfiguration();
        return Optional.ofNullable(configuration)
                .flatMap(one -> InstanceId.find(one.id()))
                .map(InstanceId::instance)
                .orElseGet(() -> String.valueOf(address.ipAddress()));
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    public Optional<Integer> of(String instance, Ipv4Address address) {
        Integer port = ports.get(instance);
        return Optional.ofNullable(port != null ? port : ports.get(address.toString()));
    }
}
