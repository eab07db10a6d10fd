package io.clusterwright.azure.internal.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.type.Ipv4Address;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * By which port of a load balancer each instance of a scale set answers SSH. Azure gives an instance one of the range of its rule.
 *
 * @param isOpen whether there is such a rule
 * @param ports by the instance's number, or by its private address where Azure tells no more
 */
public record InstancePorts(boolean isOpen, Map<String, Integer> ports) {
    public static final InstancePorts NONE = new InstancePorts(false, Map.of());

    /** What the load balancer says now, read in one go; {@link #NONE} where there is none. */
    static InstancePorts read(Clients clients, ArmId balancer) {
        Map<String, Integer> ports = new HashMap<>();
        boolean open = false;
        for (JsonNode pool : clients.properties("look for load balancer " + balancer.name(), balancer)
                .path("backendAddressPools")) {
            open |= Names.POOL.equals(pool.path("name").asText());
            for (JsonNode address : pool.at("/properties/loadBalancerBackendAddresses")) {
                for (JsonNode mapping : address.at("/properties/inboundNatRulesPortMapping")) {
                    if (Names.PORT_RANGE.equals(
                            mapping.path("inboundNatRuleName").asText())) {
                        ports.put(
                                key(address.path("properties")),
                                mapping.path("frontendPort").asInt());
                    }
                }
            }
        }
        return new InstancePorts(open, ports);
    }

    private static String key(JsonNode address) {
        return InstanceId.find(address.at("/networkInterfaceIPConfiguration/id").asText())
                .map(InstanceId::instance)
                .orElseGet(() -> address.path("ipAddress").asText());
    }

    public Optional<Integer> of(String instance, Ipv4Address address) {
        Integer port = ports.get(instance);
        return Optional.ofNullable(port != null ? port : ports.get(address.toString()));
    }
}
