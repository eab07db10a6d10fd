package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Network security groups with their rules. */
final class SecurityGroups {
    private static final int LOWEST = 100;
    private static final int HIGHEST = 4096;
    private static final String[][] DEFAULTS = {
        {"AllowVnetInBound", "65000", "Inbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
        {"AllowAzureLoadBalancerInBound", "65001", "Inbound", "Allow", "AzureLoadBalancer", "*"},
        {"DenyAllInBound", "65500", "Inbound", "Deny", "*", "*"},
        {"AllowVnetOutBound", "65000", "Outbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
        {"AllowInternetOutBound", "65001", "Outbound", "Allow", "*", "Internet"},
        {"DenyAllOutBound", "65500", "Outbound", "Deny", "*", "*"},
    };

    private SecurityGroups() {}

    static ResourceType type(Cloud cloud) {
        return NetworkTypes.of(ResourceType.SECURITY_GROUPS)
                .children("securityRules", SecurityGroups::checkRule)
                .rows(SecurityGroups::requireDistinct, SecurityGroups::addDefaults)
                .deleteCheck(group -> requireUnused(cloud, group));
    }

    private static void checkRule(Draft rule) {
        for (String required : List.of("protocol", "access", "direction")) {
            if (rule.text("properties." + required).isEmpty()) {
                throw ArmException.of("SecurityRuleParameterMissing", rule.text("name"), required);
            }
        }
        int priority = rule.properties().path("priority").asInt();
        if (priority < LOWEST || priority > HIGHEST) {
            throw ArmException.of("SecurityRuleInvalidPriority", rule.text("name"), priority);
        }
    }

    private static void requireDistinct(Draft group) {
        Map<String, String> byPriority = new HashMap<>();
        for (ObjectNode rule : group.objects("properties.securityRules")) {
            String name = Bodies.text(rule, "name");
            String place = Bodies.text(rule, "properties.direction") + Bodies.text(rule, "properties.priority");
            String other = byPriority.put(place, name);
            if (other != null) {
                throw ArmException.of("SecurityRuleConflict", name, other);
            }
        }
    }

    private static void addDefaults(Draft group) {
        ArrayNode rules = group.properties().putArray("defaultSecurityRules");
        for (String[] row : DEFAULTS) {
            ObjectNode rule = rules.addObject()
                    .put("name", row[0])
                    .put("id", group.id().child("defaultSecurityRules", row[0]).toString())
                    .put("etag", group.text("etag"))
                    .put("type", ResourceType.SECURITY_GROUPS + "/defaultSecurityRules");
            Bodies.properties(rule)
                    .put("provisioningState", "Succeeded")
                    .put("protocol", "*")
                    .put("sourcePortRange", "*")
                    .put("destinationPortRange", "*")
                    .put("sourceAddressPrefix", row[4])
                    .put("destinationAddressPrefix", row[5])
                    .put("access", row[3])
                    .put("priority", Integer.parseInt(row[1]))
                    .put("direction", row[2]);
        }
    }

    private static void requireUnused(Cloud cloud, Resource group) {
        Stream<ObjectNode> interfaces =
                cloud.store().ofType(ResourceType.INTERFACES).map(Resource::body);
        Stream<ObjectNode> subnets = cloud.store().parts(ResourceType.VIRTUAL_NETWORKS, "properties.subnets");
        List<String> users = Stream.concat(interfaces, subnets)
                .filter(each -> Bodies.text(each, "properties.networkSecurityGroup.id")
                        .equalsIgnoreCase(group.id().toString()))
                .map(each -> Bodies.text(each, "id"))
                .toList();
        if (!users.isEmpty()) {
            throw ArmException.of("InUseNetworkSecurityGroupCannotBeDeleted", group.id(), String.join(", ", users));
        }
    }
}
