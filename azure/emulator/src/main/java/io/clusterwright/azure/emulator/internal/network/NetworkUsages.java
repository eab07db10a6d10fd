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
import java.util.ArrayList;
import java.util.List;

/** The use and the limits of Microsoft.Network in a region. */
public final class NetworkUsages {
    private static final int MOST = 1000;

    private NetworkUsages() {}

    /** The answer to a GET of the usages of a region. */
    public static Reply list(Call call, Cloud cloud, String location) {
        String region = cloud.region(location);
        List<ObjectNode> usages = new ArrayList<>();
        int addresses = cloud.settings().publicAddresses();
        add(usages, cloud, region, "VirtualNetworks", "Virtual Networks", ResourceType.VIRTUAL_NETWORKS, MOST);
        add(
                usages,
                cloud,
                region,
                "StaticPublicIPAddresses",
                "Static Public IP Addresses",
                ResourceType.PUBLIC_ADDRESSES,
                addresses);
        add(
                usages,
                cloud,
                region,
                "NetworkSecurityGroups",
                "Network Security Groups",
                ResourceType.SECURITY_GROUPS,
                5 * MOST);
        add(
                usages,
                cloud,
                region,
                "PublicIPAddresses",
                "Public IP Addresses",
                ResourceType.PUBLIC_ADDRESSES,
                addresses);
        add(usages, cloud, region, "NetworkInterfaces", "Network Interfaces", ResourceType.INTERFACES, 65_536);
        add(usages, cloud, region, "LoadBalancers", "Load Balancers", ResourceType.LOAD_BALANCERS, MOST);
        add(usages, cloud, region, "RouteTables", "Route Tables", ResourceType.ROUTE_TABLES, 200);
        add(usages, cloud, region, "NatGateways", "Nat Gateways", ResourceType.NAT_GATEWAYS, MOST);
        add(
                usages,
                cloud,
                region,
                "StandardSkuPublicIpAddresses",
                "Public IPv4 Addresses - Standard",
                ResourceType.PUBLIC_ADDRESSES,
                addresses);
        add(usages, cloud, region, "IPv4BasicSkuPublicIpAddresses", "Public IPv4 Addresses - Basic", "", 0);
        return Pages.of(call, cloud, usages);
    }

    /** Whether a name for a public address is free in a region. */
    public static Reply name(Call call, Cloud cloud, String location) {
        String region = cloud.region(location);
        String label = call.query("domainnamelabel");
        PublicAddresses.requireLabel(label);
        return Reply.ok(Json.object()
                .put(
                        "available",
                        cloud.store()
                                .ofType(ResourceType.PUBLIC_ADDRESSES)
                                .filter(address -> address.location().equals(region))
                                .noneMatch(address -> address.text("properties.dnsSettings.domainNameLabel")
                                        .equals(label))));
    }

    /** The service tags that rules can name; their ranges are those of documentation, since the real ones change each week. */
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

    private static void add(
            List<ObjectNode> usages, Cloud cloud, String region, String name, String shown, String type, int limit) {
        ObjectNode usage = Json.object()
                .put(
                        "id",
                        "/subscriptions/" + cloud.settings().subscription() + "/providers/Microsoft.Network/locations/"
                                + region + "/usages/" + name)
                .put("unit", "Count")
                .put("currentValue", type.isEmpty() ? 0 : count(cloud, region, type))
                .put("limit", limit);
        usage.putObject("name").put("value", name).put("localizedValue", shown);
        usages.add(usage);
    }
}
