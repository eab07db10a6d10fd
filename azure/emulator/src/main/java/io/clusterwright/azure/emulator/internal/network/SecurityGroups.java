package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.http.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Network security groups with their rules. */
public final class SecurityGroups extends NetworkKind {
    private static final int LOWEST = 100;
    private static final int HIGHEST = 4096;

    public SecurityGroups(Cloud cloud) {
        super(cloud, GROUPS);
    }

    @Override
    void fillProperties(ArmId id, ObjectNode properties, ObjectNode body) {
        if (!properties.has("securityRules")) {
            properties.putArray("securityRules");
        }
        stamp(id, properties, "securityRules", body);
        Map<String, String> byPriority = new HashMap<>();
        for (ObjectNode rule : Bodies.objects(properties.path("securityRules"))) {
            String name = Bodies.text(rule, "name");
            ObjectNode details = Bodies.properties(rule);
            for (String required : List.of("protocol", "access", "direction")) {
                if (Bodies.text(details, required).isEmpty()) {
                    throw ArmException.badRequest(
                            "SecurityRuleParameterMissing",
                            "Security rule '" + name + "' has no value for " + required + ".");
                }
            }
            int priority = details.path("priority").asInt();
            if (priority < LOWEST || priority > HIGHEST) {
                throw ArmException.badRequest(
                        "SecurityRuleInvalidPriority",
                        "Security rule '" + name + "' has the invalid priority " + priority
                                + ". The priority must be between 100 and 4096.");
            }
            String other = byPriority.put(Bodies.text(details, "direction") + priority, name);
            if (other != null) {
                throw ArmException.badRequest(
                        "SecurityRuleConflict",
                        "Security rule " + name + " conflicts with rule " + other
                                + ". Rules cannot have the same priority and direction.");
            }
        }
        defaults(id, properties, Bodies.text(body, "etag"));
    }

    private static void defaults(ArmId id, ObjectNode properties, String etag) {
        ArrayNode rules = properties.putArray("defaultSecurityRules");
        String[][] table = {
            {"AllowVnetInBound", "65000", "Inbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
            {"AllowAzureLoadBalancerInBound", "65001", "Inbound", "Allow", "AzureLoadBalancer", "*"},
            {"DenyAllInBound", "65500", "Inbound", "Deny", "*", "*"},
            {"AllowVnetOutBound", "65000", "Outbound", "Allow", "VirtualNetwork", "VirtualNetwork"},
            {"AllowInternetOutBound", "65001", "Outbound", "Allow", "*", "Internet"},
            {"DenyAllOutBound", "65500", "Outbound", "Deny", "*", "*"},
        };
        for (String[] row : table) {
            ObjectNode rule = rules.addObject()
                    .put("name", row[0])
                    .put("id", id.child("defaultSecurityRules", row[0]).toString())
                    .put("etag", etag)
                    .put("type", GROUPS + "/defaultSecurityRules");
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

    @Override
    protected void checkDelete(Call call, Resource resource) {
        List<String> users = users(resource).toList();
        if (!users.isEmpty()) {
            throw ArmException.badRequest(
                    "InUseNetworkSecurityGroupCannotBeDeleted",
                    "Network security group " + resource.id()
                            + " cannot be deleted because it is in use by the following"
                            + " resources: " + String.join(", ", users)
                            + ". In order to delete the Network security group, remove the association with the"
                            + " resource(s). To learn how to do this, see aka.ms/deletensg.");
        }
    }

    private Stream<String> users(Resource group) {
        String id = group.id().toString();
        Stream<String> interfaces = cloud.store()
                .ofType(INTERFACES)
                .filter(each -> Bodies.text(each.body(), "properties", "networkSecurityGroup", "id")
                        .equalsIgnoreCase(id))
                .map(each -> each.id().toString());
        Stream<String> subnets = cloud.store()
                .ofType(NETWORKS)
                .flatMap(network -> Bodies.objects(network.properties().path("subnets")).stream())
                .filter(subnet -> Bodies.text(subnet, "properties", "networkSecurityGroup", "id")
                        .equalsIgnoreCase(id))
                .map(subnet -> Bodies.text(subnet, "id"));
        return Stream.concat(interfaces, subnets);
    }
}
