package io.clusterwright.azure.internal.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterName;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Resolves the SSH endpoints of machines: a port of the cluster's load balancer, the machine's public address, or else its private
 * address. Read from Azure once for each machine, so that a process that did not create them finds them too.
 */
public final class EndpointResolver {
    private final Clients clients;
    private final boolean privateAddresses;
    private final Map<String, Endpoint> known = new ConcurrentHashMap<>();
    private final Map<String, InstancePorts> sets = new ConcurrentHashMap<>();
    private final Map<String, Boolean> seen = new ConcurrentHashMap<>();
    private final Map<String, String> addresses = new ConcurrentHashMap<>();

    public EndpointResolver(Clients clients, boolean privateAddresses) {
        this.clients = clients;
        this.privateAddresses = privateAddresses;
    }

    public Endpoint of(ClusterName cluster, Machine machine) {
        if (privateAddresses) {
            return inside(machine);
        }
        return known.computeIfAbsent(
                machine.resource().name(),
                id -> InstanceId.find(id)
                        .map(instance -> learn(cluster, machine, instance))
                        .orElseGet(() -> learn(cluster, machine)));
    }

    /** The ports of the instances as they are now; what was known of them is forgotten. */
    public InstancePorts ports(ArmId balancer) {
        InstancePorts ports = InstancePorts.read(clients, balancer);
        sets.put(balancer.plain(), ports);
        return ports;
    }

    private Endpoint learn(ClusterName cluster, Machine machine, InstanceId instance) {
        ArmId balancer = instance.set().sibling(ArmId.LOAD_BALANCER, cluster + "-lb");
        InstancePorts ports = sets.get(balancer.plain());
        Optional<Integer> port = ports == null ? Optional.empty() : ports.of(instance.instance());
        if (port.isEmpty() && seen.computeIfAbsent(balancer.plain(), id -> InstancePorts.isOpen(clients, balancer))) {
            port = Optional.of(
                    InstancePorts.ask(clients, balancer, instance).orElseThrow(() -> noRule(machine, balancer)));
        }
        if (port.isEmpty() && !exists(instance.set())) {
            throw gone(machine);
        }
        return port.map(own -> new Endpoint(address(balancer.sibling(ArmId.ADDRESS, cluster + "-ip")), own))
                .orElseGet(() -> inside(machine));
    }

    private boolean exists(ArmId set) {
        return seen.computeIfAbsent(
                set.plain(), id -> clients.find("look for " + set.name(), set).isPresent());
    }

    /** Nothing is dialled for it: its private address may belong to another machine of the caller's network. */
    private static AzureException gone(Machine machine) {
        return Errors.of(Reason.GONE, "reach " + machine.name(), "the subscription has no such machine");
    }

    private static AzureException noRule(Machine machine, ArmId balancer) {
        return Errors.of(
                Reason.NOT_FOUND,
                "reach " + machine.name(),
                "load balancer " + balancer.name() + " has no rule for it; run create again");
    }

    public void forget(String machine) {
        known.remove(machine);
        sets.clear();
        seen.clear();
        addresses.clear();
    }

    private Endpoint learn(ClusterName cluster, Machine machine) {
        ArmId id = ArmId.of(machine.resource().name());
        ArmId nic = ResourceNames.nic(id);
        JsonNode configuration = clients.find("look for " + nic.name(), nic)
                .map(Clients::properties)
                .orElseThrow(() -> gone(machine))
                .at("/ipConfigurations/0/properties");
        if (configuration.hasNonNull("publicIPAddress")) {
            return new Endpoint(address(ResourceNames.address(id)), ResourceNames.SSH);
        }
        Set<String> pools = configuration.path("loadBalancerBackendAddressPools").findValues("id").stream()
                .map(pool -> pool.asText().toLowerCase(Locale.ROOT))
                .filter(pool -> !pool.endsWith("/" + ResourceNames.OUTBOUND))
                .collect(Collectors.toSet());
        if (pools.isEmpty()) {
            return inside(machine);
        }
        ArmId balancer = id.sibling(ArmId.LOAD_BALANCER, cluster + "-lb");
        for (JsonNode one : clients.properties("read load balancer " + balancer.name(), balancer)
                .path("inboundNatRules")) {
            if (pools.contains(
                    one.at("/properties/backendAddressPool/id").asText().toLowerCase(Locale.ROOT))) {
                return new Endpoint(
                        address(id.sibling(ArmId.ADDRESS, cluster + "-ip")),
                        one.at("/properties/frontendPortRangeStart").asInt());
            }
        }
        throw noRule(machine, balancer);
    }

    private String address(ArmId id) {
        return addresses.computeIfAbsent(id.plain(), plain -> readAddress(id));
    }

    private String readAddress(ArmId id) {
        String address = clients.properties("read address " + id.name(), id)
                .path("ipAddress")
                .asText();
        if (address.isEmpty()) {
            throw Errors.of(Reason.NOT_FOUND, "reach " + id.name(), "it has no address yet");
        }
        return address;
    }

    private static Endpoint inside(Machine machine) {
        return new Endpoint(machine.address().toString(), ResourceNames.SSH);
    }
}
