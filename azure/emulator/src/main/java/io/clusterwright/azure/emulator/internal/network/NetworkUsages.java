package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.List;
import java.util.Map;

/** The use and the limits of Microsoft.Network in a region. */
public final class NetworkUsages {
    private static final int MOST = 1000;
    private static final String NONE = "Microsoft.Network/none";
    private static final Map<String, Integer> LIMITS = Map.of(
            ResourceType.SECURITY_GROUPS,
            5 * MOST,
            ResourceType.INTERFACES,
            65_536,
            ResourceType.ROUTE_TABLES,
            200,
            NONE,
            0);

    /** Name and shown name of each usage, and the type that it counts. */
    private static final List<String[]> KINDS = List.of(
            new String[] {"VirtualNetworks", "Virtual Networks", ResourceType.VIRTUAL_NETWORKS},
            new String[] {"StaticPublicIPAddresses", "Static Public IP Addresses", ResourceType.PUBLIC_ADDRESSES},
            new String[] {"NetworkSecurityGroups", "Network Security Groups", ResourceType.SECURITY_GROUPS},
            new String[] {"PublicIPAddresses", "Public IP Addresses", ResourceType.PUBLIC_ADDRESSES},
            new String[] {"NetworkInterfaces", "Network Interfaces", ResourceType.INTERFACES},
            new String[] {"LoadBalancers", "Load Balancers", ResourceType.LOAD_BALANCERS},
            new String[] {"RouteTables", "Route Tables", ResourceType.ROUTE_TABLES},
            new String[] {"NatGateways", "Nat Gateways", ResourceType.NAT_GATEWAYS},
            new String[] {
                "StandardSkuPublicIpAddresses", "Public IPv4 Addresses - Standard", ResourceType.PUBLIC_ADDRESSES
            },
            new String[] {"IPv4BasicSkuPublicIpAddresses", "Public IPv4 Addresses - Basic", NONE});

    private NetworkUsages() {}

    /** The answer to a GET of the usages of a region. */
    public static Reply list(Call call, Cloud cloud, String location) {
        String region = cloud.region(location);
        List<ObjectNode> usages = KINDS.stream()
                .map(kind -> usage(cloud, region, kind[0], kind[1], kind[2]))
                .toList();
        return Pages.of(call, cloud, usages);
    }

    /** Whether a name for a public address is free in a region. */
    public static Reply name(Call call, Cloud cloud, String location) {
        String region = cloud.region(location);
        String label = call.query("domainnamelabel");
        PublicAddresses.requireLabel(label);
        boolean taken = cloud.store()
                .ofType(ResourceType.PUBLIC_ADDRESSES)
                .filter(address -> address.location().equals(region))
                .anyMatch(address ->
                        address.text("properties.dnsSettings.domainNameLabel").equals(label));
        return Reply.ok(Json.object().put("available", !taken));
    }

    /** The service tags that rules can name; their ranges are reserved for documentation, since the real ranges change each week. */
    public static Reply tags(Cloud cloud, String location) {
        cloud.region(location);
        ObjectNode body = Json.object()
                .put("name", "Public")
                .put(
                        "id",
                        "/subscriptions/" + cloud.settings().subscription()
                                + "/providers/Microsoft.Network/serviceTags/Public")
                .put("type", "Microsoft.Network/serviceTags")
                .put("changeNumber", "1")
                .put("cloud", "Public");
        ArrayNode values = body.putArray("values");
        SecurityGroups.TAGS.stream().sorted().forEach(tag -> {
            ObjectNode value =
                    values.addObject().put("name", tag).put("id", tag).put("serviceTagChangeNumber", "1");
            ObjectNode properties = value.putObject("properties")
                    .put("changeNumber", "1")
                    .put("region", "")
                    .put("systemService", tag);
            properties.putArray("addressPrefixes").add("203.0.113.0/24");
            properties.put("state", "GA");
        });
        body.put("nextLink", "");
        return Reply.ok(body);
    }

    /** The number of resources of a type in a region. */
    static long count(Cloud cloud, String region, String type) {
        return cloud.store()
                .ofType(type)
                .map(Resource::location)
                .filter(region::equals)
                .count();
    }

    private static ObjectNode usage(Cloud cloud, String region, String name, String shown, String type) {
        int limit = type.equals(ResourceType.PUBLIC_ADDRESSES)
                ? cloud.settings().publicAddresses()
                : LIMITS.getOrDefault(type, MOST);
        ObjectNode usage = Json.object()
                .put(
                        "id",
                        "/subscriptions/" + cloud.settings().subscription() + "/providers/Microsoft.Network/locations/"
                                + region + "/usages/" + name)
                .put("unit", "Count")
                .put("currentValue", count(cloud, region, type))
                .put("limit", limit);
        usage.putObject("name").put("value", name).put("localizedValue", shown);
        return usage;
    }
}
