package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies and versions that Azure refuses before it looks at anything else. */
class RequestBodiesTest extends WithEmulator {
    @ParameterizedTest
    @CsvSource({
        "text/plain, text/plain",
        "application/xml; charset=utf-8, application/xml",
    })
    void refusesWhatIsNotSentAsJson(String type, String named) {
        ArmClient.Reply reply = arm.send("PUT", arm.group(""), "{\"location\":\"westeurope\"}", "Content-Type", type);

        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.error()).isEqualTo("UnsupportedMediaType");
        assertThat(reply.message())
                .isEqualTo("The content media type '" + named
                        + "' is not supported. Only 'application/json' is supported.");
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /resourceGroups",
        "PUT, /locations",
        "DELETE, ''",
        "GET, /providers/Microsoft.Compute/register",
        "PUT, /resourceGroups/rg/providers/Microsoft.Network/virtualNetworks",
        "POST, /resourceGroups/rg/resources",
    })
    void listsAreOnlyRead(String method, String path) {
        ArmClient.Reply reply = arm.send(method, arm.subscription(path), method.equals("GET") ? "" : "{}");
        assertThat(reply.status()).isBetween(400, 499);
        assertThat(arm.get(arm.network("virtualNetworks/vn")).status()).isEqualTo(200);
    }

    @Test
    void anIdOfASubscriptionThatIsNoneIsMalformed() {
        assertThat(arm.get("/subscriptions/mine/resourceGroups").message())
                .isEqualTo("The provided subscription identifier 'mine' is malformed or invalid.");
        assertThat(arm.get("/subscriptions/00000000-0000-0000-0000-0000000000ff/resourceGroups")
                        .error())
                .isEqualTo("SubscriptionNotFound");
    }

    @Test
    void nothingIsMadeInAGroupThatIsBeingDeleted() {
        try (ArmEmulator still = ArmEmulator.builder().standingTime().start()) {
            ArmClient client = new ArmClient(still);
            client.put(client.group(""), "{'location':'westeurope'}");
            client.delete(client.group(""));
            for (String target : List.of(client.group(""), client.compute("proximityPlacementGroups/p"))) {
                ArmClient.Reply reply = client.put(target, "{'location':'westeurope'}");
                assertThat(reply.status()).isEqualTo(409);
                assertThat(reply.error()).isEqualTo("ResourceGroupBeingDeleted");
            }
        }
    }

    @Test
    void refusesPropertiesThatComputeDoesNotKnow() {
        ArmClient.Reply reply = arm.put(
                arm.compute("availabilitySets/set"),
                "{'location':'westeurope','properties':{'platformFaultDomains':1}}");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("BadRequest");
        assertThat(reply.message())
                .isEqualTo("Could not find member 'platformFaultDomains' on object of type 'Properties'. Path"
                        + " 'properties.platformFaultDomains', line 1, position 62.");
        assertThat(reply.body().at("/error/target").asText())
                .isEqualTo("availabilitySet.properties.platformFaultDomains");
        assertThat(emulator.resources()).noneMatch(id -> id.contains("availabilitySets"));
    }

    @Test
    void refusesPropertiesThatNetworkDoesNotKnow() {
        ArmClient.Reply reply = arm.put(
                arm.network("publicIPAddresses/ip"),
                "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'allocation':'Static'}}");

        assertThat(reply.error()).isEqualTo("InvalidRequestFormat");
        assertThat(reply.message()).isEqualTo("Cannot parse the request.");
        assertThat(reply.body().at("/error/details/0/code").asText()).isEqualTo("InvalidJson");
        assertThat(reply.body().at("/error/details/0/message").asText())
                .startsWith("Could not find member 'allocation' on object of type 'Properties'. Path"
                        + " 'properties.allocation', line 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size: Standard_LRS | InvalidRequestContent | Could not find member 'size' on object of type 'ResourceDefinition'. Path 'size'",
                "properties: {diskSizeGB: big, creationData: {createOption: Empty}} | BadRequest | Could not convert string to integer: big. Path 'properties.diskSizeGB'",
                "properties: {diskSizeGB: {}, creationData: {createOption: Empty}} | BadRequest | Could not convert object to integer: {}. Path 'properties.diskSizeGB'",
                "properties: {osType: Plan9, creationData: {createOption: Empty}} | BadRequest | Error converting value \"Plan9\" to type 'osType'. Path 'properties.osType'",
                "properties: {creationData: Empty} | BadRequest | Error converting value \"Empty\" to type 'CreationData'. Path 'properties.creationData'",
                "properties: {burstingEnabled: often, creationData: {createOption: Empty}} | BadRequest | Could not convert string to boolean: often. Path 'properties.burstingEnabled'",
                "properties: {osType: Linux} | InvalidParameter | Required parameter 'disk.properties.creationData' is missing (null).",
                "properties: {creationData: {}} | InvalidParameter | Required parameter 'creationData.createOption' is missing (null).",
            })
    void refusesValuesThatAreNotAsDescribed(String yaml, String code, String message) throws IOException {
        ArmClient.Reply reply = arm.send(
                "PUT",
                arm.compute("disks/d"),
                Json.yaml().readTree("location: westeurope\n" + yaml).toString());

        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    @Test
    void aPropertyNeedsAVersionThatHasIt() {
        String body = "{'location':'westeurope','properties':{'scheduledEventsPolicy':{}}}";

        ArmClient.Reply old = arm.put(arm.compute("availabilitySets/set?api-version=2023-09-01"), body);

        assertThat(old.message())
                .startsWith("Could not find member 'scheduledEventsPolicy' on object of type 'Properties'.");
        assertThat(arm.put(arm.compute("availabilitySets/set?api-version=2024-07-01"), body)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void readsNamesAndValuesWithoutRegardToCase() {
        ArmClient.Reply reply = arm.put(
                arm.network("publicIPAddresses/ip"),
                "{'Location':'westeurope','SKU':{'Name':'standard'},'Properties':{'publicIpAllocationMethod':'static',"
                        + "'idleTimeoutInMinutes':'5'}}");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.body().at("/sku/name").asText()).isEqualTo("Standard");
        assertThat(reply.body().at("/properties/publicIPAllocationMethod").asText())
                .isEqualTo("Static");
        assertThat(reply.body().at("/properties/idleTimeoutInMinutes").intValue())
                .isEqualTo(5);
    }

    @Test
    void takesBackEveryBodyThatItAnswers() {
        arm.finish(arm.machine("m"));
        arm.put(
                arm.compute("disks/d"),
                "{'location':'westeurope','properties':{'diskSizeGB':4,'creationData':{'createOption':'Empty'}}}");
        arm.put(arm.compute("availabilitySets/set"), "{'location':'westeurope'}");
        arm.put(arm.compute("galleries/g"), "{'location':'westeurope'}");
        List<String> ids = List.of(
                arm.network("virtualNetworks/vn"),
                arm.network("networkInterfaces/m"),
                arm.compute("virtualMachines/m"),
                arm.compute("disks/d"),
                arm.compute("availabilitySets/set"),
                arm.compute("galleries/g"));

        assertThat(ids).allSatisfy(id -> {
            JsonNode body = arm.get(id).body();
            ((ObjectNode) body).remove("etag");
            ArmClient.Reply again = arm.send("PUT", id, body.toString());
            assertThat(again.status()).as(again.body().toString()).isLessThan(300);
            arm.finish(again);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"2999-01-01", "2999-01-01-preview", "2999-12-31-PREVIEW"})
    void aVersionThatIsNewerThanAllKnownBehavesAsTheNewest(String version) {
        String query = "?api-version=" + version;
        assertThat(arm.get(arm.group(query)).status()).isEqualTo(200);
        assertThat(arm.get(arm.subscription("/providers/Microsoft.Compute/skus" + query))
                        .status())
                .isEqualTo(200);
        assertThat(arm.get(arm.subscription("/providers/Microsoft.Compute/locations/westeurope/usages" + query))
                        .status())
                .isEqualTo(200);
        assertThat(arm.put(
                                arm.compute("availabilitySets/set" + query),
                                "{'location':'westeurope','sku':{'name':'Aligned'},'properties':"
                                        + "{'platformFaultDomainCount':2,'scheduledEventsPolicy':{}}}")
                        .status())
                .isEqualTo(200);
        assertThat(arm.put(
                                arm.compute("availabilitySets/other" + query),
                                "{'location':'westeurope','properties':{'faults':2}}")
                        .message())
                .contains("Could not find member 'faults' on object of type 'Properties'");
        assertThat(arm.put(
                                arm.network("virtualNetworks/vn" + query),
                                "{'location':'westeurope','properties':{'addressSpace':{'addressPrefixes':"
                                        + "['10.45.0.0/16']},'subnets':[{'name':'nodes','properties':"
                                        + "{'addressPrefix':'10.45.0.0/24'}}]}}")
                        .body()
                        .at("/properties/subnets/0/properties/defaultOutboundAccess")
                        .asText())
                .as("a new subnet is private in the newest version")
                .isEqualTo("false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2999-13-01", "2999-02-30", "2999-1-1", "latest", "2999-01-01-later", "2999-01-01T00:00Z", "2999"
            })
    void aVersionThatIsNoDateIsRefused(String version) {
        String query = "?api-version=" + version;
        ArmClient.Reply get = arm.get(arm.network("virtualNetworks/vn" + query));
        assertThat(get.status()).isEqualTo(400);
        assertThat(get.error()).isEqualTo("NoRegisteredProviderFound");
        assertThat(get.message())
                .contains("API version '" + version + "' for type 'virtualNetworks'. The supported api");
        assertThat(arm.get(arm.group(query)).error()).isEqualTo("InvalidApiVersionParameter");
    }

    @Test
    void anUnknownDateBehavesAsTheNextOlderVersion() {
        String policy = "{'location':'westeurope','properties':{'scheduledEventsPolicy':{}}}";

        assertThat(arm.get(arm.network("virtualNetworks/vn?api-version=2024-05-02"))
                        .status())
                .isEqualTo(200);
        assertThat(arm.get(arm.group("?api-version=2021-12-31")).status()).isEqualTo(200);
        assertThat(arm.put(arm.compute("availabilitySets/a?api-version=2024-06-30"), policy)
                        .message())
                .as("it came with 2024-07-01")
                .startsWith("Could not find member 'scheduledEventsPolicy'");
        assertThat(arm.put(arm.compute("availabilitySets/a?api-version=2024-07-02"), policy)
                        .status())
                .isEqualTo(200);
        assertThat(arm.put(
                                arm.compute("availabilitySets/old?api-version=1999-01-01"),
                                "{'location':'westeurope','properties':{'platformFaultDomainCount':2}}")
                        .status())
                .as("as the oldest version")
                .isEqualTo(200);
        assertThat(arm.put(arm.compute("availabilitySets/older?api-version=1999-01-01"), policy)
                        .message())
                .startsWith("Could not find member 'scheduledEventsPolicy'");
        assertThat(arm.get(arm.compute("disks/d?api-version=2026-04-01")).error())
                .as("a version of machines, and not of disks")
                .isEqualTo("ResourceNotFound");
    }

    @Test
    void aDeploymentHoldsItsResourcesAgainstTheDescriptions() {
        String template = "{'properties':{'mode':'Incremental','template':{'$schema':"
                + "'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',"
                + "'contentVersion':'1.0.0.0','resources':[{'type':'Microsoft.Compute/availabilitySets','apiVersion':'%s','name':'set','location':'westeurope',"
                + "'properties':{%s}}]}}}";

        assertThat(deploy(template.formatted("2025-04-01", "'faults':1")))
                .contains("Could not find member 'faults' on object of type 'Properties'");
        assertThat(deploy(template.formatted("later", "")))
                .contains("No registered resource provider found for location 'westeurope' and API version 'later'");
    }

    @Test
    void onlyADeploymentOfASubscriptionHasARegion() {
        String body = "{'location':'westeurope','properties':{'mode':'Incremental','template':{}}}";
        ArmClient.Reply group = arm.put(arm.group("/providers/Microsoft.Resources/deployments/d"), body);
        ArmClient.Reply subscription = arm.put(
                arm.subscription("/providers/Microsoft.Resources/deployments/d"),
                body.replace("'location':'westeurope',", ""));

        assertThat(group.error()).isEqualTo("InvalidDeployment");
        assertThat(group.message())
                .startsWith("The 'location' property is not allowed for 'd' at resource group scope.");
        assertThat(subscription.error()).isEqualTo("InvalidDeployment");
        assertThat(subscription.message()).startsWith("The 'location' property must be specified for 'd'.");
        assertThat(arm.put(arm.subscription("/providers/Microsoft.Resources/deployments/d"), body)
                        .message())
                .isEqualTo("Deployments of a subscription are not emulated; those of resource groups are.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'foo':1, | `` | InvalidRequestContent | Could not find member 'foo' on object of type 'ResourceDefinition'",
                "'tags':{'a/b':'c'}, | `` | InvalidTagNameCharacters | a/b",
                "`` | ,'outputs':{'o':{'type':'number','value':1}} | InvalidTemplate | The type 'number' of the template output 'o' is not valid.",
                "`` | ,'outputs':{'o':{'type':'int','value':'x'}} | InvalidTemplate | Expected a value of type 'int', but received 'STRING'",
                "`` | ,'parameters':{'p':{'type':'int','defaultValue':1},'P':{'type':'int','defaultValue':1}} | InvalidTemplate | The template parameter 'P' is defined twice",
                "`` | ,'resources':[{'type':'Microsoft.Compute/availabilitySets','apiVersion':'2024-07-01','name':'a','location':'westeurope','condition':'maybe'}] | InvalidTemplate | is not of the type boolean",
            })
    void refusesDeploymentsThatResourceManagerDoesNotRead(String top, String template, String code, String message) {
        String resources = template.contains("'resources'") ? "" : ",'resources':[]";
        ArmClient.Reply reply = arm.put(
                arm.group("/providers/Microsoft.Resources/deployments/d"),
                "{" + top + "'properties':{'mode':'Incremental','template':{'$schema':"
                        + "'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',"
                        + "'contentVersion':'1.0.0.0'" + resources + template + "}}}");

        assertThat(reply.error()).as(reply.body().toString()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    private String deploy(String template) {
        ArmClient.Reply reply = arm.put(arm.group("/providers/Microsoft.Resources/deployments/d"), template);
        return reply.status() < 300 ? arm.done(reply).toString() : reply.body().toString();
    }
}
