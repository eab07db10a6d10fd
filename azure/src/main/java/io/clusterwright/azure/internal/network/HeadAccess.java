package io.clusterwright.azure.internal.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lets SSH from outside through to single machines, where ports of a load balancer lead to all instances of a scale set and only one of
 * them, the head, is meant. Elsewhere it does nothing: only machines with a way in have an address or a port there.
 */
public final class HeadAccess {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final Clients clients;
    private final ClusterId cluster;
    private final List<AddressRange> callers;
    private final ResourceNames names;

    public HeadAccess(Clients clients, ResourceNames names, ClusterId cluster, List<AddressRange> callers) {
        this.clients = clients;
        this.cluster = cluster;
        this.callers = callers;
        this.names = names;
    }

    /** Lets SSH through to the head alone. */
    public void only(Ipv4Address head) {
        if (names.ports().ofHeadOnly()) {
            admit(Set.of(head.toString()), admitted());
        }
    }

    /** Lets SSH through to this machine as well, which serves an image. */
    public void also(Ipv4Address machine) {
        if (names.ports().ofHeadOnly()) {
            Set<String> now = admitted();
            Set<String> all = new TreeSet<>(now);
            all.add(machine.toString());
            admit(all, now);
        }
    }

    private void admit(Set<String> wanted, Set<String> now) {
        if (wanted.equals(now)) {
            return;
        }
        ArrayNode ranges = Json.array();
        callers.forEach(range -> ranges.add(range.toString()));
        clients.put(
                "let SSH through to " + String.join(", ", wanted),
                LIMIT,
                ClusterResources.requests(names, cluster).securityGroup(ranges, List.copyOf(wanted)));
    }

    private Set<String> admitted() {
        ArmId group = names.securityGroup();
        Set<String> machines = new TreeSet<>();
        for (JsonNode rule :
                clients.properties("read security group " + group.name(), group).path("securityRules")) {
            String single = rule.at("/properties/destinationAddressPrefix").asText();
            if (!single.isEmpty()) {
                machines.add(single);
            }
            rule.at("/properties/destinationAddressPrefixes").forEach(one -> machines.add(one.asText()));
        }
        return machines;
    }
}
