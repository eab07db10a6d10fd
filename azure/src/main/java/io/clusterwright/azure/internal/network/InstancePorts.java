package io.clusterwright.azure.internal.network;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.network.models.InboundNatRulePortMapping;
import com.azure.resourcemanager.network.models.QueryInboundNatRulePortMappingRequest;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.internal.arm.ArmId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * By which port of a load balancer each instance of a scale set answers SSH. Azure gives an instance one of the range of its rule.
 *
 * @param isOpen whether there is such a rule
 * @param ports by the instance's number
 */
public record InstancePorts(boolean isOpen, Map<String, Integer> ports) {
    private static final int PARALLEL = 16;
    private static final String POOLS = "backendAddressPools";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    public static final InstancePorts NONE = new InstancePorts(false, Map.of());

    /** What the load balancer says now; {@link #NONE} where there is none. Its pool names its members only, and each is asked for by itself. */
    static InstancePorts read(Clients clients, ArmId balancer) {
        Map<String, Integer> ports = new ConcurrentHashMap<>();
        boolean open = false;
        List<Runnable> members = new ArrayList<>();
        for (JsonNode pool : clients.properties("look for load balancer " + balancer.name(), balancer)
                .path(POOLS)) {
            if (ResourceNames.POOL.equals(pool.path("name").asText())) {
                open = true;
                for (JsonNode member : pool.at("/properties/backendIPConfigurations")) {
                    String configuration = member.path("id").asText();
                    InstanceId.find(configuration)
                            .ifPresent(instance -> members.add(() -> ask(clients, balancer, configuration)
                                    .ifPresent(port -> ports.put(instance.instance(), port))));
                }
            }
        }
        ArmClient.runAll("ports", PARALLEL, members);
        return new InstancePorts(open, ports);
    }

    /** Whether a load balancer leads to instances of a scale set. */
    static boolean isOpen(Clients clients, ArmId balancer) {
        return Clients.names(clients.properties("look for load balancer " + balancer.name(), balancer)
                        .path(POOLS))
                .contains(ResourceNames.POOL);
    }

    /** The port of one instance now; empty where it has none. */
    static Optional<Integer> ask(Clients clients, ArmId balancer, InstanceId instance) {
        return ask(clients, balancer, instance + ClusterResources.INSTANCE_ADDRESS);
    }

    private static Optional<Integer> ask(Clients clients, ArmId balancer, String configuration) {
        var mappings = clients.arm()
                .ask(
                        "read the ports of load balancer " + balancer.name(),
                        LIMIT,
                        () -> clients.network()
                                .getLoadBalancers()
                                .beginListInboundNatRulePortMappings(
                                        balancer.group(),
                                        balancer.name(),
                                        ResourceNames.POOL,
                                        new QueryInboundNatRulePortMappingRequest()
                                                .withIpConfiguration(new SubResource().withId(configuration))))
                .inboundNatRulePortMappings();
        return mappings == null
                ? Optional.empty()
                : mappings.stream()
                        .filter(mapping -> ResourceNames.PORT_RANGE.equals(mapping.inboundNatRuleName()))
                        .map(InboundNatRulePortMapping::frontendPort)
                        .findFirst();
    }

    public Optional<Integer> of(String instance) {
        return Optional.ofNullable(ports.get(instance));
    }
}
