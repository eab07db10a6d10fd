package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Deployments that take the place of a group, templates of what is there, names of tags, and questions about networks. */
class GroupsAndNetworksTest extends WithEmulator {
    private static final String SET = "{\"type\":\"Microsoft.Compute/availabilitySets\",\"apiVersion\":\"2024-07-01\","
            + "\"name\":\"%s\",\"location\":\"westeurope\",\"sku\":{\"name\":\"Aligned\"}}";

    private static String deployment(String mode, String resources) {
        return "{\"properties\":{\"mode\":\"" + mode + "\",\"template\":{\"$schema\":"
                + "\"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\","
                + "\"contentVersion\":\"1.0.0.0\",\"resources\":[" + resources + "]}}}";
    }

    private static String placed(String mode) {
        return deployment(mode, "").replaceFirst("\\{", "{\"location\":\"westeurope\",");
    }

    private String id() {
        return arm.group("/providers/Microsoft.Resources/deployments/d");
    }

    private List<String> resources() {
        return emulator.resources().stream()
                .map(each -> each.replaceFirst(".*/", ""))
                .toList();
    }

    private static List<String> texts(JsonNode list, String pointer) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(each -> each.at(pointer).asText())
                .toList();
    }

    @Test
    void aDeploymentOfModeCompleteDeletesWhatItsTemplateDoesNotHave() {
        finished(arm.machine("m"));
        String body = deployment("Complete", SET.formatted("kept"));

        JsonNode changes = arm.send("POST", id() + "/whatIf", body).body().at("/properties/changes");
        assertThat(texts(changes, "/changeType")).contains("Create").contains("Delete");
        finished(arm.send("PUT", id(), body));

        assertThat(resources()).containsExactly("rg", "kept");
        assertThat(arm.text(id(), "/properties/mode")).isEqualTo("Complete");
        finished(arm.send("PUT", id(), deployment("Incremental", SET.formatted("more"))));
        assertThat(resources()).containsExactly("rg", "kept", "more");
    }

    @Test
    void aDeploymentOfModeCompleteKeepsWhatIsLockedAndFailsWhereSomethingStaysInUse() {
        String lock =
                arm.network("virtualNetworks/vn") + "/providers/Microsoft.Authorization/locks/l?api-version=2020-05-01";
        assertThat(arm.put(lock, "{'properties':{'level':'CanNotDelete'}}").status())
                .isEqualTo(201);
        finished(arm.send("PUT", id(), deployment("Complete", SET.formatted("kept"))));
        assertThat(resources()).containsExactly("rg", "vn", "kept");

        arm.delete(lock);
        arm.put("/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/other", "{'location':'westeurope'}");
        String other = arm.network("networkInterfaces/n").replace("/rg/", "/other/");
        finished(arm.put(
                other,
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'ip','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/s") + "'}}}]}}"));
        ArmClient.Reply reply = arm.send("PUT", id(), deployment("Complete", SET.formatted("kept")));
        assertThat(arm.finish(reply)).isEqualTo("Failed");
        JsonNode error = arm.at(id(), "/properties/error");
        assertThat(error.path("code").asText()).isEqualTo("DeploymentFailedCleanUp");
        assertThat(error.at("/details/0/code").asText()).isEqualTo("InUseSubnetCannotBeDeleted");
    }

    @Test
    void refusesOtherModesAndScopesOfDeployments() {
        refused(
                arm.send("PUT", id(), deployment("Partial", "")),
                400,
                "InvalidRequestContent",
                "Error converting value \"Partial\" to type 'mode'");
        String wide = arm.subscription("/providers/Microsoft.Resources/deployments");
        refused(
                arm.send("PUT", wide + "/d", placed("Complete")),
                400,
                "InvalidDeployment",
                "Specified deployment mode 'Complete' is not supported for deployment at the current scope.");
        refused(arm.send("PUT", wide + "/d", placed("Incremental")), 501, "NotImplemented", "not emulated");
        refused(arm.get(wide + "/d"), 404, "DeploymentNotFound", "'d' could not be found");
        assertThat(arm.at(wide, "/value")).isEmpty();
    }

    @Test
    void anExportedTemplateDeploysTheSameResources() throws Exception {
        finished(arm.networkInterface("n", ""));
        finished(arm.put(arm.compute("availabilitySets/a-b"), "{'location':'westeurope','sku':{'name':'Aligned'}}"));
        ArmClient.Reply exported =
                arm.post(arm.group("/exportTemplate"), "{'resources':['*'],'options':'IncludeParameterDefaultValue'}");

        assertThat(exported.status()).isEqualTo(202);
        ArmClient.Reply result = arm.get(exported.header("Location"));
        for (int i = 0; i < 200 && result.status() == 202; i++) {
            result = arm.get(exported.header("Location"));
        }
        JsonNode template = result.body().path("template");
        assertThat(template.at("/parameters/availabilitySets_a_b_name/defaultValue")
                        .asText())
                .isEqualTo("a-b");
        assertThat(texts(template.path("resources"), "/name"))
                .containsExactly(
                        "[parameters('virtualNetworks_vn_name')]",
                        "[parameters('networkInterfaces_n_name')]",
                        "[parameters('availabilitySets_a_b_name')]");
        assertThat(template.at("/resources/1/dependsOn/0").asText())
                .isEqualTo("[resourceId('Microsoft.Network/virtualNetworks', parameters('virtualNetworks_vn_name'))]");

        ObjectNode again = (ObjectNode) ArmClient.JSON.readTree(deployment("Complete", ""));
        ((ObjectNode) again.path("properties")).set("template", template);
        finished(arm.send("PUT", id(), again.toString()));
        assertThat(resources()).containsExactly("rg", "vn", "n", "a-b");
        refused(arm.post(arm.group("/exportTemplate"), "{}"), 400, "InvalidRequestContent", "'resources' not found");
        refused(
                arm.post(arm.group("/exportTemplate"), "{'resources':['" + arm.network("natGateways/no") + "']}"),
                404,
                "ResourceNotFound",
                "natGateways/no");
        refused(
                arm.post(arm.group("/moveResources"), "{'resources':[],'targetResourceGroup':'x'}"),
                501,
                "NotImplemented",
                "The operation 'moveResources' of 'Microsoft.Resources/resourceGroups' is not emulated.");
    }

    @Test
    void namesOfTagsAreMadeCountedAndDeleted() {
        String names = arm.subscription("/tagNames");
        assertThat(arm.put(names + "/team", "").status()).isEqualTo(201);
        assertThat(arm.put(names + "/team/tagValues/blue", "").status()).isEqualTo(201);
        assertThat(arm.put(names + "/team/tagValues/blue", "").status()).isEqualTo(200);
        refused(arm.put(names + "/none/tagValues/x", ""), 404, "TagNameNotFound", "'none' could not be found");
        finished(arm.put(
                arm.compute("availabilitySets/a"),
                "{'location':'westeurope','sku':{'name':'Aligned'},'tags':{'Team':'blue'}}"));

        JsonNode team = arm.at(names, "/value/0");
        assertThat(team.path("tagName").asText()).isEqualTo("team");
        assertThat(team.at("/values/0/count/value").asInt()).isEqualTo(1);
        refused(arm.delete(names + "/team/tagValues/blue"), 409, "CannotDeleteTagValue", "is in use");
        arm.delete(arm.compute("availabilitySets/a"));
        assertThat(arm.delete(names + "/team/tagValues/blue").status()).isEqualTo(200);
        assertThat(arm.delete(names + "/team").status()).isEqualTo(200);
        assertThat(arm.delete(names + "/team").status()).isEqualTo(204);
        assertThat(arm.at(names, "/value")).isEmpty();
    }

    @Test
    void theSubscriptionAndEachResourceHaveTags() {
        for (String scope : List.of(arm.subscription(""), arm.group(""), arm.network("virtualNetworks/vn"))) {
            String tags = scope + "/providers/Microsoft.Resources/tags/default?api-version=2025-04-01";
            assertThat(arm.put(tags, "{'properties':{'tags':{'a':'b'}}}").status())
                    .isEqualTo(200);
            assertThat(arm.text(tags, "/properties/tags/a")).isEqualTo("b");
        }
    }

    @Test
    void aRegionHasServiceTags() {
        JsonNode tags = arm.get(arm.subscription("/providers/Microsoft.Network/locations/westeurope/serviceTags"))
                .body();
        assertThat(texts(tags.path("values"), "/name")).contains("storage", "internet");
        assertThat(tags.at("/values/0/properties/addressPrefixes")).hasSize(1);
    }

    private JsonNode result(String path) {
        ArmClient.Reply reply = arm.post(path, "");
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(202);
        assertThat(arm.finish(reply)).isEqualTo("Succeeded");
        return arm.at(reply.header("Location"), "/value");
    }

    @Test
    void anInterfaceOfARunningMachineShowsItsRoutesAndRules() {
        String rule = "{'name':'ssh','properties':{'protocol':'Tcp','sourcePortRange':'*','destinationPortRange':'22',"
                + "'sourceAddressPrefix':'*','destinationAddressPrefix':'*','access':'Allow','priority':100,'direction':'Inbound'}}";
        finished(arm.put(
                arm.network("networkSecurityGroups/g"),
                "{'location':'westeurope','properties':{'securityRules':[" + rule + "]}}"));
        finished(arm.put(
                arm.network("routeTables/t"),
                "{'location':'westeurope','properties':{'routes':[{'name':'out','properties':{'addressPrefix':'0.0.0.0/0',"
                        + "'nextHopType':'VirtualAppliance','nextHopIpAddress':'10.45.0.9'}}]}}"));
        finished(arm.put(
                arm.network("virtualNetworks/vn/subnets/s"),
                "{'properties':{'addressPrefix':'10.45.0.0/24','networkSecurityGroup':{'id':'"
                        + arm.network("networkSecurityGroups/g") + "'},'routeTable':{'id':'"
                        + arm.network("routeTables/t") + "'}}}"));
        finished(arm.networkInterface("m", ""));
        String nic = arm.network("networkInterfaces/m");
        refused(
                arm.post(nic + "/effectiveRouteTable", ""),
                409,
                "NetworkInterfaceNotAttachedToRunningVm",
                "must be attached to a running virtual machine");
        finished(arm.machine("m"));

        JsonNode routes = result(nic + "/effectiveRouteTable");
        assertThat(texts(routes, "/nextHopType")).containsExactly("VnetLocal", "Internet", "VirtualAppliance");
        assertThat(texts(routes, "/state")).containsExactly("Active", "Invalid", "Active");
        JsonNode groups = result(nic + "/effectiveNetworkSecurityGroups");
        assertThat(groups.at("/0/association/subnet/id").asText())
                .isEqualTo(arm.network("virtualNetworks/vn/subnets/s"));
        assertThat(texts(groups.at("/0/effectiveSecurityRules"), "/name"))
                .hasSize(7)
                .startsWith("securityRules/ssh");
        assertThat(arm.at(nic + "/loadBalancers", "/value")).isEmpty();
        assertThat(texts(arm.at(nic + "/ipConfigurations", "/value"), "/name")).containsExactly("primary");
        assertThat(arm.at(arm.network("virtualNetworks/vn/usages"), "/value/0/currentValue")
                        .asInt())
                .isEqualTo(1);
        assertThat(arm.get(arm.network("virtualNetworks/vn/CheckIPAddressAvailability?ipAddress=10.45.0.4"))
                        .body()
                        .path("available")
                        .asBoolean())
                .isFalse();
    }
}
