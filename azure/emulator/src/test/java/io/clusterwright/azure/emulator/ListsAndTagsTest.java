package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of resources with their filters, and the limits of tags. */
class ListsAndTagsTest {
    private ArmEmulator emulator;
    private ArmClient arm;

    @BeforeEach
    void start() {
        emulator = ArmEmulator.start();
        arm = new ArmClient(emulator);
        arm.prepare();
        arm.put(
                arm.compute("availabilitySets/first-set"),
                "{'location':'westeurope','sku':{'name':'Aligned'},'tags':{'owner':'a','Stage':'one'}}");
        arm.put(arm.compute("availabilitySets/second-set"), "{'location':'eastus','sku':{'name':'Aligned'}}");
        emulator.advance(Duration.ofSeconds(5));
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    private Reply list(String query) {
        return arm.get(arm.subscription("/resources?" + query));
    }

    private static String filter(String filter) {
        return "%24filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static List<String> names(Reply reply) {
        return StreamSupport.stream(reply.body().path("value").spliterator(), false)
                .map(each -> each.path("name").asText())
                .toList();
    }

    @Test
    void aListFilteredByATagShowsNoTags() {
        assertThat(list("").body().path("value").findValues("tags")).hasSize(1);
        for (String filter :
                List.of("tagName eq 'owner'", "tagname eq 'OWNER' and tagvalue eq 'a'", "tagName eq 'stage'")) {
            JsonNode found = list(filter(filter)).body().path("value");
            assertThat(found).hasSize(1);
            assertThat(found.path(0).path("name").asText()).isEqualTo("first-set");
            assertThat(found.path(0).has("tags")).isFalse();
        }
        assertThat(list(filter("tagName eq 'owner' and tagValue eq 'A'")).body().path("value"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "resourceType eq 'Microsoft.Compute/availabilitySets'        | first-set,second-set",
                "resourceType ne 'microsoft.compute/availabilitysets'        | vn",
                "resourceGroup eq 'RG' and name eq 'vn'                      | vn",
                "substringof('SET', name)                                    | first-set,second-set",
                "substringof('first', name) or substringof('vn', name)       | vn,first-set",
                "substringof('rg', resourceGroup) and location eq 'East US'  | second-set",
                "location ne 'westeurope'                                    | second-set",
                "resourceGroup eq 'other'                                    | ``",
            })
    void filtersResources(String filter, String names) {
        assertThat(String.join(",", names(list(filter(filter.trim()))))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tagName eq 'owner' and resourceType eq 'Microsoft.Compute/availabilitySets'",
                "resourceGroup eq 'rg' and tagName eq 'owner' and tagValue eq 'a'",
                "tagName ne 'owner'",
                "tagValue eq 'a'",
                "color eq 'red'",
                "name gt 'a'",
                "substringof('a', location)",
                "name eq first-set",
            })
    void refusesOtherFilters(String filter) {
        Reply reply = list(filter(filter.trim()));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("InvalidFilterInQueryString");
        assertThat(reply.message()).contains("Invalid $filter '" + filter.trim() + "' specified in the query string");
    }

    @Test
    void aListOfGroupsIsFilteredByTagsOnlyAndShowsThem() {
        arm.put(arm.group(""), "{'location':'westeurope','tags':{'owner':'a'}}");
        JsonNode groups = arm.get(arm.subscription("/resourceGroups?" + filter("tagName eq 'owner'")))
                .body()
                .path("value");
        assertThat(groups.at("/0/tags/owner").asText()).isEqualTo("a");
        assertThat(arm.get(arm.subscription("/resourceGroups?" + filter("location eq 'westeurope'")))
                        .error())
                .isEqualTo("InvalidFilterInQueryString");
    }

    @Test
    void showsAsManyAsAskedForAndTheTimesThatAreAskedFor() {
        assertThat(list("%24top=2").body().path("value")).hasSize(2);
        JsonNode one =
                list("%24top=1&%24expand=createdTime,provisioningState").body().at("/value/0");
        assertThat(one.path("createdTime").asText()).startsWith("20");
        assertThat(one.path("provisioningState").asText()).isEqualTo("Succeeded");
        assertThat(list("%24expand=owner").error()).isEqualTo("InvalidExpandInQueryString");
    }

    @Test
    void showsExtensionsAsResources() {
        arm.finish(arm.machine("m"));
        arm.finish(arm.put(
                arm.compute("virtualMachines/m/extensions/script"),
                "{'location':'westeurope','properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript',"
                        + "'typeHandlerVersion':'2.1','settings':{'commandToExecute':'true'}}}"));
        emulator.advance(Duration.ofSeconds(5));
        assertThat(names(list(filter("resourceType eq 'Microsoft.Compute/virtualMachines/extensions'"))))
                .containsExactly("m/script");
    }

    private Reply tagged(String tags) {
        return arm.put(
                arm.compute("availabilitySets/tagged"),
                "{'location':'westeurope','sku':{'name':'Aligned'},'tags':" + tags + "}");
    }

    @Test
    void refusesTagsThatAzureDoesNotHave() {
        refused(tagged("{'a/b':'c'}"), "InvalidTagNameCharacters", "'a/b'");
        refused(tagged("{'a?':'c'}"), "InvalidTagNameCharacters", "'<,>,%,&,\\,?,/'");
        refused(tagged("{'" + "n".repeat(513) + "':'c'}"), "InvalidTagName", "'512' characters");
        refused(tagged("{'':'c'}"), "InvalidTagName", "non-empty");
        refused(tagged("{'a':'" + "v".repeat(257) + "'}"), "InvalidTagValueLength", "'256' characters");
        refused(tagged("{'a':1}"), "InvalidRequestContent", "'a' is not a string");
        refused(tagged("{'a':'1','A':'2'}"), "InvalidRequestContent", "'A' is given twice");
        refused(tagged(many(51)), "InvalidTagCount", "51 exceeds the maximum of 50");
        assertThat(tagged(many(50)).status()).isEqualTo(200);
        refused(
                arm.send(
                        "PATCH",
                        arm.compute("availabilitySets/tagged/providers/Microsoft.Resources/tags/default"),
                        "{\"operation\":\"Merge\",\"properties\":{\"tags\":{\"one\":\"more\"}}}"),
                "InvalidTagCount",
                "51");
        assertThat(arm.get(arm.compute("availabilitySets/tagged")).body().path("tags"))
                .hasSize(50);
    }

    private static String many(int count) {
        return IntStream.range(0, count).mapToObj(i -> "'t" + i + "':'v'").collect(Collectors.joining(",", "{", "}"));
    }

    private static void refused(Reply reply, String code, String message) {
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }
}
