package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.network.Subnets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Rules for the interfaces that a scale set gives to its instances. */
final class ScaleSetInterfaces {
    private static final int SHORTEST_IDLE = 4;
    private static final int LONGEST_IDLE = 30;

    private ScaleSetInterfaces() {}

    static void check(Draft set) {
        List<ObjectNode> interfaces =
                set.objects(UniformScaleSets.PROFILE + ".networkProfile.networkInterfaceConfigurations");
        refuse(interfaces.isEmpty(), "InvalidParameter.networkProfile");
        long primary = interfaces.stream()
                .filter(each -> Bodies.isTrue(each, "properties.primary"))
                .count();
        refuse(
                primary > 1 || interfaces.size() > 1 && primary == 0,
                "VirtualMachineMustHaveOneNetworkInterfaceAsPrimary",
                set.name());
        requireDistinct(set.id().toString(), interfaces);
        Set<String> networks = new HashSet<>();
        for (ObjectNode each : interfaces) {
            List<ObjectNode> inner = Bodies.objects(each, "properties.ipConfigurations");
            requireDistinct(Bodies.text(each, "name"), inner);
            inner.forEach(configuration -> networks.add(Bodies.text(configuration, "properties.subnet.id")
                    .toLowerCase(Locale.ROOT)
                    .replaceFirst("/subnets/.*", "")));
            refuse(
                    inner.size() > 1
                            && inner.stream()
                                            .filter(configuration -> Bodies.isTrue(configuration, "properties.primary"))
                                            .count()
                                    != 1,
                    "NetworkInterfaceMustHaveOneOneIPConfigAsPrimary",
                    Bodies.text(each, "name"),
                    "none");
            refuse(
                    Bodies.text(each, "name").isEmpty(),
                    "InvalidParameter.missing",
                    "networkInterfaceConfiguration.name");
            refuse(
                    Bodies.objects(each, "properties.ipConfigurations").isEmpty(),
                    "NetworkInterfaceMustHaveOneIPConfiguration",
                    Bodies.text(each, "name"));
            for (ObjectNode configuration : Bodies.objects(each, "properties.ipConfigurations")) {
                JsonNode address = Bodies.at(configuration, "properties.publicIPAddressConfiguration");
                refuse(
                        address.isObject() && !Bodies.text(address, "sku.name").startsWith("Standard"),
                        "IPv4BasicSkuPublicIpCountLimitReached",
                        0);
                int idle = Bodies.at(address, "properties.idleTimeoutInMinutes").asInt(SHORTEST_IDLE);
                refuse(
                        idle < SHORTEST_IDLE || idle > LONGEST_IDLE,
                        "InvalidIdleTimeout",
                        idle,
                        SHORTEST_IDLE,
                        LONGEST_IDLE);
            }
        }
        refuse(networks.size() > 1, "SubnetsNotInSameVnet", set.id(), String.join(", ", networks));
        interfaces.stream()
                .flatMap(each -> Bodies.objects(each, "properties.ipConfigurations").stream())
                .map(configuration -> requireSubnet(set, configuration))
                .flatMap(
                        configuration -> Bodies.objects(configuration, "properties." + UniformScaleSets.POOLS).stream())
                .forEach(pool -> requirePool(set, Bodies.text(pool, "id")));
    }

    private static void requireDistinct(String holder, List<ObjectNode> entries) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (ObjectNode entry : entries) {
            refuse(
                    !names.add(Bodies.text(entry, "name")),
                    "InvalidRequestFormat.twice",
                    holder,
                    Bodies.text(entry, "name"));
        }
    }

    private static ObjectNode requireSubnet(Draft set, ObjectNode configuration) {
        String subnet = Bodies.text(configuration, "properties.subnet.id");
        if (!ArmId.isResource(subnet)) {
            throw ArmException.badReference(subnet, set.id());
        }
        Resource network = set.require(ArmId.of(subnet).parent().toString(), ResourceType.VIRTUAL_NETWORKS);
        if (Bodies.withId(network.body(), "properties.subnets", subnet).isEmpty()) {
            throw ArmException.badReference(subnet, set.id());
        }
        Subnets.requireVersion(set.id(), configuration);
        new Subnets(set.cloud()).requireUndelegated(set.id(), subnet);
        return configuration;
    }

    private static void requirePool(Draft set, String pool) {
        if (!ArmId.isResource(pool)) {
            throw ArmException.badReference(pool, set.id());
        }
        Resource balancer = set.require(ArmId.of(pool).parent().toString(), ResourceType.LOAD_BALANCERS);
        if (Bodies.withId(balancer.body(), "properties.backendAddressPools", pool)
                .isEmpty()) {
            throw ArmException.badReference(pool, set.id());
        }
    }
}
