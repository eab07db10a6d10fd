package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The load balancers, routes and security rules that hold for a network interface. */
final class EffectiveRules {
    private static final List<String> SHOWN =
            List.of(("protocol sourcePortRange sourcePortRanges destinationPortRange destinationPortRanges"
                            + " sourceAddressPrefix sourceAddressPrefixes destinationAddressPrefix"
                            + " destinationAddressPrefixes access priority direction")
                    .split(" "));

    private final Cloud cloud;
    private final Subnets subnets;

    EffectiveRules(Cloud cloud, Subnets subnets) {
        this.cloud = cloud;
        this.subnets = subnets;
    }

    Reply balancers(Call call, Resource networkInterface) {
        Set<String> ids = new HashSet<>();
        for (ObjectNode configuration : configurations(networkInterface)) {
            for (String array : List.of(NatPorts.POOLS, NatPorts.RULES)) {
                Bodies.objects(configuration, "properties." + array)
                        .forEach(part -> ids.add(ResourcePath.of(Bodies.text(part, "id"))
                                .parent()
                                .key()));
            }
        }
        List<ObjectNode> balancers = cloud.store()
                .ofType(ResourceType.LOAD_BALANCERS)
                .filter(balancer -> ids.contains(balancer.id().key()))
                .map(balancer -> balancer.body().deepCopy())
                .toList();
        return Pages.of(call, cloud, balancers);
    }

    private static List<ObjectNode> configurations(Resource networkInterface) {
        return networkInterface.objects("properties.ipConfigurations");
    }

    private void requireRunning(Resource networkInterface) {
        boolean running = networkInterface
                .hidden(Interfaces.OWNER)
                .flatMap(owner -> cloud.store().find(owner, ResourceType.MACHINES))
                .flatMap(machine -> machine.hidden(Resource.POWER))
                .filter("running"::equals)
                .isPresent();
        refuse(!running, "NetworkInterfaceNotAttachedToRunningVm", networkInterface.id());
    }

    private Reply later(Call call, Resource networkInterface, ArrayNode value) {
        ObjectNode result = Json.object();
        result.set("value", value);
        return cloud.accept(call, networkInterface, Work.NETWORK_QUERY, ResourceType.NO_MACHINES, failure -> result);
    }

    private ObjectNode subnet(Resource networkInterface) {
        String id = Bodies.text(configurations(networkInterface).get(0), "properties.subnet.id");
        return subnets.find(id).orElseThrow(() -> ArmException.badReference(id, networkInterface.id()));
    }

    /** The routes of the system and of the table of the subnet; a route of the system that the table replaces is invalid. */
    Reply routes(Call call, Resource networkInterface) {
        requireRunning(networkInterface);
        ObjectNode subnet = subnet(networkInterface);
        Resource network =
                cloud.store().require(ResourcePath.of(Bodies.text(subnet, "id")).parent());
        ArrayNode value = Json.array();
        List<ObjectNode> own = cloud.store()
                .find(Bodies.text(subnet, "properties.routeTable.id"), ResourceType.ROUTE_TABLES)
                .map(table -> table.objects("properties.routes"))
                .orElse(List.of());
        Set<String> replaced = new HashSet<>();
        own.forEach(route -> replaced.add(Bodies.text(route, "properties.addressPrefix")));
        for (JsonNode prefix : network.at("properties.addressSpace.addressPrefixes")) {
            route(value, "Default", prefix.asText(), "VnetLocal", replaced);
        }
        route(value, "Default", "0.0.0.0/0", "Internet", replaced);
        for (ObjectNode each : own) {
            ObjectNode entry = route(
                    value,
                    "User",
                    Bodies.text(each, "properties.addressPrefix"),
                    Bodies.text(each, "properties.nextHopType"),
                    Set.of());
            entry.put("name", Bodies.text(each, "name"));
            String hop = Bodies.text(each, "properties.nextHopIpAddress");
            if (!hop.isEmpty()) {
                Bodies.array(entry, "nextHopIpAddress").add(hop);
            }
        }
        return later(call, networkInterface, value);
    }

    private static ObjectNode route(ArrayNode value, String source, String prefix, String hop, Set<String> replaced) {
        ObjectNode entry = value.addObject()
                .put("source", source)
                .put("state", replaced.contains(prefix) ? "Invalid" : "Active")
                .put("nextHopType", hop);
        entry.putArray("addressPrefix").add(prefix);
        entry.putArray("nextHopIpAddress");
        return entry;
    }

    /** The rules of the security groups of the subnet and of the interface. */
    Reply groups(Call call, Resource networkInterface) {
        requireRunning(networkInterface);
        ArrayNode value = Json.array();
        ObjectNode subnet = subnet(networkInterface);
        group(value, subnet, "subnet", Bodies.text(subnet, "id"));
        group(
                value,
                networkInterface.body(),
                "networkInterface",
                networkInterface.id().toString());
        return later(call, networkInterface, value);
    }

    private void group(ArrayNode value, ObjectNode holder, String kind, String holderId) {
        cloud.store()
                .find(Bodies.text(holder, "properties.networkSecurityGroup.id"), ResourceType.SECURITY_GROUPS)
                .ifPresent(group -> {
                    ObjectNode entry = value.addObject();
                    entry.set("networkSecurityGroup", Bodies.reference(group.id()));
                    entry.putObject("association").set(kind, Bodies.reference(holderId));
                    ArrayNode rules = entry.putArray("effectiveSecurityRules");
                    for (String array : List.of("securityRules", "defaultSecurityRules")) {
                        group.objects("properties." + array).forEach(rule -> rules.add(rule(array, rule)));
                    }
                });
    }

    private static ObjectNode rule(String array, ObjectNode rule) {
        ObjectNode shown = Json.object().put("name", array + "/" + Bodies.text(rule, "name"));
        for (String name : SHOWN) {
            JsonNode given = rule.path("properties").path(name);
            if (name.endsWith("PortRange") && given.asText().equals("*")) {
                shown.put(name, "0-65535");
            } else if (!given.isMissingNode()) {
                shown.set(name, given.deepCopy());
            }
        }
        if (shown.path("protocol").asText().equals("*")) {
            shown.put("protocol", "All");
        }
        return shown;
    }
}
