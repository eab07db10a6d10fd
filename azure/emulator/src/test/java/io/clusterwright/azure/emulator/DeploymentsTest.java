package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The template language, and deployments as a client sees them. */
class DeploymentsTest {
    /** What stands at # is the rest of the one resource. */
    private static final String ONE = """
            {"properties":{"mode":"Incremental","template":{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json","contentVersion":"1.0.0.0",
              "resources":[{"type":"Microsoft.Compute/availabilitySets","apiVersion":"2024-07-01",
                "location":"[resourceGroup().location]","sku":{"name":"Aligned"}#}]}}}""";

    private ArmEmulator emulator;
    private ArmClient arm;

    @BeforeEach
    void start() {
        emulator = ArmEmulator.start();
        arm = new ArmClient(emulator);
        arm.prepare();
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private String id() {
        return arm.group("/providers/Microsoft.Resources/deployments/d");
    }

    /** Sends a deployment, whose template gets what every template must have. */
    private ArmClient.Reply send(String method, String path, String body) {
        String head =
                "\"template\":{\"$schema\":\"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json\","
                        + "\"contentVersion\":\"1.0.0.0\",";
        String whole = body.contains("$schema") ? body : body.replace("\"template\":{", head);
        return arm.send(method, path, whole);
    }

    private JsonNode deploy(String body) {
        arm.finish(send("PUT", id(), body));
        return arm.get(id()).body().path("properties");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "concat('a', 1, 'b')                         | \"a1b\"",
                "concat(createArray(1), createArray(2, 3))   | [1,2,3]",
                "format('{0}-{1}{{}}', 'x', 7)               | \"x-7{}\"",
                "createArray('it''s', true(), null())        | [\"it's\",true,null]",
                "union(createObject('a', 1), createObject('b', createArray(2)))  | {\"a\":1,\"b\":[2]}",
                "createObject('a', createObject('b', 5)).A.b | 5",
                "split('a,b', ',')[1]                        | \"b\"",
                "if(equals(1, 1), 'yes', parameters('none')) | \"yes\"",
                "add(mul(2, 3), sub(1, -4))                  | 11",
                "base64ToString(base64('text'))              | \"text\"",
                "json('[1.5]')[0] | 1.5",
                "length(range(3, 4))                         | 4",
                "padLeft(7, 3, '0')                          | \"007\"",
                "resourceGroup().name                        | \"rg\"",
                "toUpper(substring('template', 0, 4))        | \"TEMP\"",
                "length(uniqueString(resourceGroup().id))    | 13",
                "contains(createArray('a', 'b'), 'b')        | true",
                "coalesce(null(), 'x')                       | \"x\"",
                "dateTimeAdd('2026-02-27 23:10:05Z', 'P1M2DT3H', 'HHmm')         | \"0210\"",
                "dateTimeAdd('2026-02-27T23:10:05Z', '-PT15M')                   | \"2026-02-27T22:55:05Z\"",
                "dateTimeAdd('2026-02-27 23:10:05Z', 'P10Y', 'yyyy-MM-ddTHH:mm:ssZ') | \"2036-02-27T23:10:05Z\"",
            })
    void evaluatesExpressions(String expression, String value) throws Exception {
        ObjectNode body = (ObjectNode)
                ArmClient.JSON.readTree(
                        "{\"properties\":{\"mode\":\"Incremental\",\"template\":{\"$schema\":\"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\",\"contentVersion\":\"1.0.0.0\",\"resources\":[]}}}");
        ((ObjectNode) body.at("/properties/template"))
                .putObject("outputs")
                .putObject("o")
                .put("type", "array")
                .put("value", "[createArray(" + expression.trim() + ")]");

        arm.finish(send("PUT", id(), body.toString()));

        assertThat(arm.get(id()).body().at("/properties/outputs/o/value/0")).isEqualTo(ArmClient.JSON.readTree(value));
    }

    @Test
    void listsTheKeysOfWhatTheTemplateMakesBefore() {
        String keys = "listKeys(resourceId(`Microsoft.Storage/storageAccounts`, `keys1`), `2023-01-01`).keys";
        String account = "{'type':'Microsoft.Storage/storageAccounts','apiVersion':'2023-01-01','name':'keys1',"
                + "'location':'westeurope','kind':'StorageV2','sku':{'name':'Standard_LRS'}}";
        String tagged = "{'type':'Microsoft.Network/networkSecurityGroups','apiVersion':'2024-05-01','name':'n',"
                + "'location':'westeurope','dependsOn':['keys1'],'tags':{'length':'[string(length(" + keys + "))]'}}";
        String template = ("{'properties':{'mode':'Incremental','template':{'resources':[" + tagged + "," + account
                        + "],'outputs':{'key':{'type':'string','value':'[" + keys + "[0].value]'}}}}}")
                .replace('\'', '"')
                .replace('`', '\'');

        ArmClient.Reply refused = send("PUT", id(), template.replace(",\"dependsOn\":[\"keys1\"]", ""));
        assertThat(arm.done(refused).at("/error/details/0/code").asText()).isEqualTo("ResourceNotFound");

        assertThat(deploy(template).at("/outputs/key/value").asText())
                .isEqualTo(arm.post(arm.group("/providers/Microsoft.Storage/storageAccounts/keys1/listKeys"), "")
                        .body()
                        .at("/keys/0/value")
                        .asText())
                .hasSize(88);
        assertThat(arm.get(arm.network("networkSecurityGroups/n"))
                        .body()
                        .at("/tags/length")
                        .asText())
                .isEqualTo("2");
        assertThat(send("PUT", id(), template.replace("listKeys", "listSecrets"))
                        .body()
                        .toString())
                .contains("NotImplemented", "listSecrets");
    }

    @Test
    void knowsTheTimeOnlyInDefaultValuesOfParameters() {
        String template = "{'properties':{'mode':'Incremental','template':{'parameters':{'at':{'type':'string',"
                + "'defaultValue':'[utcNow(#)]'}},'resources':[],'outputs':{'at':{'type':'string','value':'[@]'}}}}}";

        JsonNode deployment =
                deploy(template.replace('\'', '"').replace("#", "'yyyy-MM'").replace("@", "parameters('at')"));
        assertThat(deployment.at("/outputs/at/value").asText()).matches("20\\d{2}-\\d{2}");

        ArmClient.Reply refused =
                send("PUT", id(), template.replace('\'', '"').replace("#", "").replace("@", "utcNow()"));
        assertThat(refused.message()).contains("The template function 'utcNow' is not expected at this location.");
    }

    @ParameterizedTest
    @CsvSource({"[[x] y, [[x] y", "[x] y, [x] y", "[[x], [x]", "[[[x], [[x]", "[[, [[", "[x, [x", "x], x]"})
    void takesOnlyTextBetweenBracketsForAnEscapedExpression(String written, String meant) {
        JsonNode deployment = deploy(ArmClient.JSON
                .createObjectNode()
                .set(
                        "properties",
                        ArmClient.JSON
                                .createObjectNode()
                                .put("mode", "Incremental")
                                .<ObjectNode>set(
                                        "template",
                                        ArmClient.JSON.valueToTree(Map.of(
                                                "resources",
                                                List.of(),
                                                "outputs",
                                                Map.of("o", Map.of("type", "string", "value", written))))))
                .toString());

        assertThat(deployment.at("/outputs/o/value").asText()).isEqualTo(meant);
    }

    @Test
    void createsResourcesInOrderOfTheirDependencies() {
        JsonNode deployment = deploy("""
                {"properties":{"mode":"Incremental","parameters":{"secret":{"value":"hidden"}},"template":{
                  "parameters":{"secret":{"type":"secureString"},"count":{"type":"int","defaultValue":2,"maxValue":3}},
                  "variables":{"prefix":"[concat(variables('set'), '-')]","set":"s"},
                  "resources":[
                    {"type":"Microsoft.Compute/availabilitySets","apiVersion":"2024-07-01","name":"last",
                     "location":"westeurope","sku":{"name":"Aligned"},"dependsOn":["sets"],
                     "tags":{"first":"[reference(resourceId('Microsoft.Compute/availabilitySets', 's-1')).provisioningState]"}},
                    {"type":"Microsoft.Compute/availabilitySets","apiVersion":"2024-07-01",
                     "name":"[concat(variables('prefix'), copyIndex(1))]","location":"westeurope","sku":{"name":"Aligned"},
                     "copy":{"name":"sets","count":"[parameters('count')]"}},
                    {"type":"Microsoft.Compute/availabilitySets","apiVersion":"2024-07-01","name":"never",
                     "location":"westeurope","condition":"[equals(1, 2)]"}],
                  "outputs":{"secret":{"type":"secureString","value":"[parameters('secret')]"}}}}}""");

        assertThat(deployment.path("provisioningState").asText()).isEqualTo("Succeeded");
        assertThat(deployment.toString()).doesNotContain("hidden");
        assertThat(arm.get(id() + "/operations").body().path("value"))
                .extracting(operation ->
                        operation.at("/properties/targetResource/resourceName").asText())
                .containsExactly("s-1", "s-2", "last");
        assertThat(arm.get(arm.compute("availabilitySets/last"))
                        .body()
                        .at("/tags/first")
                        .asText())
                .isEqualTo("Succeeded");
        assertThat(arm.get(arm.compute("availabilitySets/never")).status()).isEqualTo(404);
        assertThat(arm.get(arm.group("/resources")).body().toString()).doesNotContain("deployments");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"name\":\"[guess('a')]\" | [guess('a')] | function 'guess' is not valid",
                "\"name\":\"[concat('a']\" | [concat('a'] | is not expected at position",
                "\"name\":\"[parameters('x')]\" | [parameters('x')] | parameter 'x' is not found",
                "\"name\":\"a\",\"dependsOn\":[\"b\"] | 'b' | is not defined in the template",
                "\"name\":\"a\",\"tags\":{\"t\":\"[resourceGroup().none]\"} | [resourceGroup().none] | resource 'a' of type",
                "\"name\":\"a\",\"scope\":\"b\" | 'scope' | is not emulated",
                "\"name\":\"a\",\"copy\":{\"name\":\"c\",\"count\":1,\"batchSize\":1} | 'batchSize' | is not emulated",
            })
    void namesUnsupportedParts(String rest, String named, String why) {
        ArmClient.Reply reply = send("PUT", id(), ONE.replace("#", "," + rest));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("InvalidTemplate");
        assertThat(reply.message()).contains(named, why);
        assertThat(send("POST", id() + "/validate", ONE.replace("#", "," + rest))
                        .error())
                .isEqualTo("InvalidTemplate");
        assertThat(arm.get(arm.group("/resources")).body().path("value")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"name\":\"[concat('a', copyIndex())]\",\"copy\":{\"name\":\"c\",\"count\":2000000000} | not a number from 0 to 800",
                "\"name\":\"a\",\"x\":{\"copy\":[{\"name\":\"y\",\"count\":2000000000,\"input\":1}]} | not a number from 0 to 800",
                "\"name\":\"a\",\"x\":{\"copy\":[{\"name\":\"y\",\"count\":-1,\"input\":1}]} | not a number from 0 to 800",
                "\"name\":\"[padLeft('a', 2000000000)]\" | longer than 4194304",
                "\"name\":\"[range(0, 2000000000)[0]]\" | of 'range' is more than 10000",
                "\"name\":\"[base64ToString('*')]\" | arguments of the template function 'base64ToString' are not valid",
            })
    void refusesHugeExpansionsBeforeTheyAreMade(String rest, String why) {
        ArmClient.Reply reply = send("PUT", id(), ONE.replace("#", "," + rest));

        assertThat(reply.error()).isEqualTo("InvalidTemplate");
        assertThat(reply.message()).contains(why);
    }

    @Test
    void refusesTextsThatGrowWithEachVariable() {
        String body =
                "{\"properties\":{\"mode\":\"Incremental\",\"template\":{\"resources\":[],\"variables\":{\"v0\":\"aaaaaaaaaa\""
                        + IntStream.rangeClosed(1, 60)
                                .mapToObj(i -> ",\"v" + i + "\":\"[FUNCTION(variables('v" + (i - 1) + "'), variables('v"
                                        + (i - 1) + "'))]\"")
                                .collect(Collectors.joining())
                        + "}}}}";
        for (String function : List.of("concat", "createArray")) {
            ArmClient.Reply reply = send("PUT", id(), body.replace("FUNCTION", function));
            assertThat(reply.error()).as(reply.message()).isEqualTo("InvalidTemplate");
            assertThat(reply.message()).contains("are larger than 134217728 bytes");
        }
        String loops = "1";
        for (int i = 0; i < 6; i++) {
            loops = "{\"copy\":[{\"name\":\"y\",\"count\":800,\"input\":" + loops + "}]}";
        }
        assertThat(send("PUT", id(), ONE.replace("#", ",\"name\":\"a\",\"x\":" + loops))
                        .message())
                .contains("are larger than 134217728 bytes");
    }

    @Test
    void refusesExpressionsThatAreTooDeepOrTooLong() {
        String deep = "[" + "concat(".repeat(3000) + "'a'" + ")".repeat(3000) + "]";
        assertThat(send("PUT", id(), ONE.replace("#", ",\"name\":\"" + deep + "\""))
                        .message())
                .contains("deeper than 100 levels");
        String longest = "[concat('" + "a".repeat(30_000) + "')]";
        assertThat(send("PUT", id(), ONE.replace("#", ",\"name\":\"" + longest + "\""))
                        .message())
                .contains("longer than 24576 characters");
        String nested = "[".repeat(900) + "1" + "]".repeat(900);
        assertThat(send("PUT", id(), ONE.replace("#", ",\"name\":\"a\",\"x\":" + nested))
                        .status())
                .isBetween(200, 499);
    }

    @Test
    void namesParametersWithoutValue() {
        ArmClient.Reply reply = send(
                "PUT",
                id(),
                "{\"properties\":{\"mode\":\"Incremental\",\"template\":{\"resources\":[],\"parameters\":{\"who\":{\"type\":"
                        + "\"string\"}}}}}");

        assertThat(reply.error()).isEqualTo("InvalidTemplate");
        assertThat(reply.message()).contains("The value for the template parameter 'who'");
    }

    @Test
    void validatesWithoutCreatingResources() {
        ArmClient.Reply reply = send("POST", id() + "/validate", ONE.replace("#", ",\"name\":\"a\""));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().at("/properties/validatedResources/0/id").asText())
                .endsWith("/availabilitySets/a");
        assertThat(arm.get(arm.compute("availabilitySets/a")).status()).isEqualTo(404);
        assertThat(arm.get(id()).error()).isEqualTo("DeploymentNotFound");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'location':'atlantis' | LocationNotAvailableForResourceType | `` | The provided location 'atlantis' is not available",
                "'location':'westeurope','tags':{'a/b':'c'} | InvalidTagNameCharacters | `` | a/b",
                "'location':'westeurope','properties':{'foo':1} | InvalidTemplateDeployment | BadRequest | Could not find member 'foo'",
                "'location':'westeurope','dependsOn':['q'] | InvalidTemplate | `` | Circular dependency detected on resource",
            })
    void aTemplateIsCheckedBeforeAnythingIsMade(String part, String code, String inner, String message) {
        String template =
                ("{'properties':{'mode':'Incremental','template':{'$schema':'https://schema.management.azure.com/"
                                + "schemas/2019-04-01/deploymentTemplate.json#','contentVersion':'1.0.0.0','resources':[{'type':"
                                + "'Microsoft.Compute/proximityPlacementGroups','apiVersion':'2024-07-01','name':'p',"
                                + part
                                + "},{'type':'Microsoft.Compute/proximityPlacementGroups','apiVersion':'2024-07-01','name':'q',"
                                + "'location':'westeurope','dependsOn':['p']}]}}}")
                        .replace('\'', '"');
        for (String request : List.of("PUT " + id(), "POST " + id() + "/validate", "POST " + id() + "/whatIf")) {
            ArmClient.Reply reply = arm.send(request.split(" ")[0], request.split(" ")[1], template);
            assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
            assertThat(reply.error()).isEqualTo(code);
            assertThat(reply.body().at("/error/details/0/code").asText("")).isEqualTo(inner == null ? "" : inner);
            assertThat(reply.body().toString()).contains(message);
        }
        assertThat(arm.get(arm.compute("proximityPlacementGroups/q")).status()).isEqualTo(404);
    }

    @Test
    void tellsWhatATemplateWouldMake() {
        String template =
                "{'properties':{'mode':'Incremental','template':{'$schema':'https://schema.management.azure.com/schemas/"
                        + "2019-04-01/deploymentTemplate.json#','contentVersion':'1.0.0.0','resources':[{'type':"
                        + "'Microsoft.Compute/proximityPlacementGroups','apiVersion':'2024-07-01','name':'p','location':"
                        + "'westeurope'}]}}}";
        assertThat(arm.post(id() + "/whatIf", template)
                        .body()
                        .at("/properties/changes/0/changeType")
                        .asText())
                .isEqualTo("Create");
        arm.put(id(), template);
        arm.get(id());
        assertThat(arm.post(id() + "/exportTemplate", "")
                        .body()
                        .at("/template/contentVersion")
                        .asText())
                .isEqualTo("1.0.0.0");
    }

    @Test
    void readsWhatPeopleWriteAndFindsDependenciesByTypeAndName() {
        ArmClient.Reply reply = send("PUT", id(), """
                {"properties":{"mode":"Incremental","template":{
                  // comments, names without quotes, and a last comma
                  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
                  contentVersion: '1.0.0.0', /* here too */
                  resources: [
                    {type: "Microsoft.Compute/availabilitySets", apiVersion: "2024-07-01", name: "last", location: "westeurope",
                     sku: {name: "Aligned"},
                     dependsOn: ["Microsoft.Compute/availabilitySets/first", "Microsoft.Compute/availabilitySets/never"]},
                    {type: "Microsoft.Compute/availabilitySets", apiVersion: "2024-07-01", name: "first", location: "westeurope",
                     sku: {name: "Aligned"}},
                    {type: "Microsoft.Compute/availabilitySets", apiVersion: "2024-07-01", name: "never", condition: false},
                  ]}}}""");

        assertThat(arm.finish(reply)).isEqualTo("Succeeded");
        assertThat(arm.get(id() + "/operations").body().path("value"))
                .extracting(operation ->
                        operation.at("/properties/targetResource/resourceName").asText())
                .containsExactly("first", "last");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"contentVersion\":\"1\",\"resources\":[] | InvalidTemplate | Required property '$schema' not found",
                "\"$schema\":\"https://example.org/x#\",\"contentVersion\":\"1\",\"resources\":[] | InvalidTemplate | Supported versions are '2014-04-01-preview,2015-01-01,2018-05-01,2019-04-01,2019-08-01'",
                "\"$schema\":\"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\",\"resources\":[] | InvalidTemplate | Required property 'contentVersion' not found",
            },
            quoteCharacter = '`')
    void refusesTemplatesWithoutTheirHead(String template, String code, String message) {
        ArmClient.Reply reply = arm.send(
                "PUT", id(), "{\"properties\":{\"mode\":\"Incremental\",\"template\":{" + template.trim() + "}}}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }

    @Test
    void refusesNamesThatDeploymentsCannotHave() {
        String body = ONE.replace("#", ",\"name\":\"a\"");
        assertThat(arm.send("PUT", id() + "d".repeat(64), body).error()).isEqualTo("DeploymentNameLengthLimitExceeded");
        assertThat(arm.send("PUT", id() + "%20x", body).error()).isEqualTo("InvalidDeploymentName");
    }
}
