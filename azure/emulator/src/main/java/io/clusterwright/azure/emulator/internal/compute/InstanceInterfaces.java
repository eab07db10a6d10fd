package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.network.Outbound;
import io.clusterwright.azure.emulator.internal.network.PublicAddresses;
import io.clusterwright.azure.emulator.internal.network.Subnets;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The interfaces and public addresses that a scale set gives to its instances. */
final class InstanceInterfaces {
    private static final String POOLS = "loadBalancerBackendAddressPools";
    private static final String CONFIGURATIONS = "properties.ipConfigurations";
    private static final int SHORTEST_IDLE = 4;
    private static final int LONGEST_IDLE = 30;
    private static final int FIRST_ADDRESS = 0x8000;

    private InstanceInterfaces() {}

    /** The types of the parts of instances, which no request can write or delete. */
    static List<ResourceType> types(Row notWritten) {
        return List.of(
                fixed(ResourceType.INSTANCE_INTERFACES, notWritten).shown("ipConfigurations"),
                fixed(ResourceType.INSTANCE_ADDRESSES, notWritten));
    }

    private static ResourceType fixed(String name, Row notWritten) {
        return ResourceType.of(name).rows(notWritten).deleteCheck(part -> {
            throw ArmException.of("OperationNotAllowed.instanceInterface");
        });
    }

    /** Refuses descriptions of interfaces by which no instance can be made. */
    static void check(Draft set) {
        List<Draft> interfaces = set.parts(MachineProfile.OF_SET + ".networkProfile.networkInterfaceConfigurations");
        refuse(interfaces.isEmpty(), "InvalidParameter.networkProfile");
        refuse(!hasOnePrimary(interfaces), "VirtualMachineMustHaveOneNetworkInterfaceAsPrimary", set.name());
        requireDistinct(set.id().toString(), interfaces);
        Set<String> networks = new TreeSet<>();
        for (Draft each : interfaces) {
            String name = each.text("name");
            List<Draft> configurations = each.parts(CONFIGURATIONS);
            requireDistinct(name, configurations);
            refuse(!hasOnePrimary(configurations), "NetworkInterfaceMustHaveOneOneIPConfigAsPrimary", name, "none");
            refuseMissing(name.isEmpty(), "networkInterfaceConfiguration.name");
            refuse(configurations.isEmpty(), "NetworkInterfaceMustHaveOneIPConfiguration", name);
            for (Draft configuration : configurations) {
                if (configuration.at("properties.publicIPAddressConfiguration").isObject()) {
                    requireAddress(configuration.part("properties.publicIPAddressConfiguration"));
                }
                networks.add(configuration
                        .text("properties.subnet.id")
                        .toLowerCase(Locale.ROOT)
                        .replaceFirst("/subnets/.*", ""));
            }
        }
        refuse(networks.size() > 1, "SubnetsNotInSameVnet", set.id(), String.join(", ", networks));
        for (Draft each : interfaces) {
            for (Draft configuration : each.parts(CONFIGURATIONS)) {
                String subnet = configuration.text("properties.subnet.id");
                requireEntry(set, subnet, ResourceType.VIRTUAL_NETWORKS, "properties.subnets");
                Subnets.requireVersion(set.id(), configuration.body());
                new Subnets(set.cloud()).requireUndelegated(set.id(), subnet);
                configuration
                        .objects("properties." + POOLS)
                        .forEach(pool -> requireEntry(
                                set,
                                Bodies.text(pool, "id"),
                                ResourceType.LOAD_BALANCERS,
                                "properties.backendAddressPools"));
            }
        }
    }

    private static void requireAddress(Draft address) {
        refuse(!address.text("sku.name").startsWith("Standard"), "IPv4BasicSkuPublicIpCountLimitReached", 0);
        Row.range("properties.idleTimeoutInMinutes", SHORTEST_IDLE, LONGEST_IDLE, "InvalidIdleTimeout")
                .apply(address);
    }

    /** Of several exactly one is primary; one alone is in any case. */
    private static boolean hasOnePrimary(List<Draft> parts) {
        long primary =
                parts.stream().filter(each -> each.isTrue("properties.primary")).count();
        return primary == 1 || parts.size() < 2;
    }

    private static void requireDistinct(String holder, List<Draft> entries) {
        Bodies.requireUnique(
                entries.stream().map(Draft::body).toList(),
                entry -> Bodies.text(entry, "name"),
                (first, second) -> ArmException.of("InvalidRequestFormat.twice", holder, Bodies.text(second, "name")));
    }

    private static void requireEntry(Draft set, String id, String type, String array) {
        if (!ResourcePath.isResource(id)
                || Bodies.withId(
                                set.require(ResourcePath.of(id).parent().toString(), type)
                                        .body(),
                                array,
                                id)
                        .isEmpty()) {
            throw ArmException.badReference(id, set.id());
        }
    }

    /** Gives a new instance the first interface of the model of its set. */
    static void add(Cloud cloud, Resource instance, ObjectNode profile) {
        ObjectNode wanted = Bodies.objects(profile, "networkProfile.networkInterfaceConfigurations")
                .get(0);
        ResourcePath id = instance.id().child("networkInterfaces", Bodies.text(wanted, "name"));
        ObjectNode body = body(cloud, id).put("location", instance.location());
        ObjectNode properties = Bodies.properties(body)
                .put("provisioningState", "Succeeded")
                .put("primary", true)
                .put("enableAcceleratedNetworking", Bodies.isTrue(wanted, "properties.enableAcceleratedNetworking"));
        properties.set("virtualMachine", Bodies.reference(instance.id()));
        copy(wanted, properties, "networkSecurityGroup");
        ObjectNode from = Bodies.objects(wanted, CONFIGURATIONS).get(0);
        ResourcePath configurationId = id.child("ipConfigurations", Bodies.text(from, "name"));
        ObjectNode configuration = properties
                .putArray("ipConfigurations")
                .addObject()
                .put("name", configurationId.name())
                .put("id", configurationId.toString());
        ObjectNode details =
                Bodies.properties(configuration).put("primary", true).put("provisioningState", "Succeeded");
        copy(from, details, "subnet");
        copy(from, details, POOLS);
        new Subnets(cloud).allocate(instance.id(), configuration);
        Resource made = cloud.store().add(id, cloud.clock().now(), body);
        if (Bodies.at(from, "properties.publicIPAddressConfiguration") instanceof ObjectNode wish) {
            made.hide(Outbound.PUBLIC, "");
            address(cloud, configurationId, wish, details);
        }
        instance.array("properties.networkProfile.networkInterfaces").add(Bodies.reference(id));
    }

    private static ObjectNode body(Cloud cloud, ResourcePath id) {
        return Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("etag", cloud.store().nextEtag());
    }

    private static void copy(ObjectNode from, ObjectNode properties, String name) {
        if (from.path("properties").has(name)) {
            properties.set(name, from.path("properties").get(name).deepCopy());
        }
    }

    private static void address(Cloud cloud, ResourcePath configuration, ObjectNode wish, ObjectNode details) {
        ResourcePath id = configuration.child("publicIPAddresses", Bodies.text(wish, "name"));
        ObjectNode body = body(cloud, id);
        body.putObject("sku").put("name", "Standard").put("tier", "Regional");
        ObjectNode properties = Bodies.properties(body)
                .put("provisioningState", "Succeeded")
                .put("ipAddress", PublicAddresses.free(cloud, FIRST_ADDRESS))
                .put("publicIPAddressVersion", "IPv4")
                .put("publicIPAllocationMethod", "Static")
                .put(
                        "idleTimeoutInMinutes",
                        Bodies.at(wish, "properties.idleTimeoutInMinutes").asInt(SHORTEST_IDLE));
        properties.set("ipConfiguration", Bodies.reference(configuration));
        details.set("publicIPAddress", Bodies.reference(id));
        cloud.store().add(id, cloud.clock().now(), body);
    }
}
