package io.clusterwright.azure.emulator.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.node.NodeProgram;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Microsoft's clients for JavaScript, unchanged, and the emulator. {@code package-lock.json} pins them. */
@Tag("breadth")
class JavaScriptClientsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GROUP = "/subscriptions/c1057e40-0000-4000-8000-000000000001/resourceGroups/javascript";

    private static JsonNode seen;

    @BeforeAll
    static void journey() throws IOException {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .pageSize(2)
                .faults(List.of(
                        Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/unlucky"),
                        Fault.of(Fault.Kind.TOO_MANY_REQUESTS, "GET", "**/networkInterfaces")))
                .start()) {
            byte[] out = new NodeProgram("azure-clients", JavaScriptClientsTest.class, "journey.mjs")
                    .run(new byte[0], List.of(), emulator.url().toString(), emulator.subscriptionId());
            seen = JSON.readTree(out);
            assertThat(emulator.requests()).hasSizeGreaterThan(80).noneMatch(request -> request.status() >= 500);
        }
    }

    private static String at(String pointer) {
        JsonNode node = seen.at(pointer);
        return node.isTextual() ? node.asText() : node.toString();
    }

    @Test
    void serveGroupsAndTags() {
        assertThat(at("/group"))
                .isEqualTo("{\"state\":\"Succeeded\",\"exists\":true,\"other\":false,"
                        + "\"tags\":{\"owner\":\"tests\",\"stage\":\"one\"},"
                        + "\"tagsAtScope\":{\"owner\":\"tests\",\"stage\":\"one\"},\"tagged\":1}");
    }

    @Test
    void serveNetworksInterfacesAndAddressesInPages() {
        assertThat(at("/network/address")).matches("[\\d.]+");
        assertThat(at("/network/allocated")).isEqualTo("Succeeded");
        assertThat(at("/network/privateAddresses")).isEqualTo("[\"10.45.0.4\",\"10.45.0.5\",\"10.45.0.6\"]");
        assertThat(at("/network/listed")).isEqualTo("[\"a\",\"b\",\"c\"]");
        assertThat(at("/network/later")).isEqualTo("{\"name\":\"net\",\"version\":\"2999-01-01\"}");
        assertThat(at("/network/usedAddress"))
                .isEqualTo(GROUP + "/providers/Microsoft.Network/networkInterfaces/a/ipConfigurations/ip");
    }

    @Test
    void serveMachinesInAllStates() {
        assertThat(at("/machine/polls")).isEqualTo("true");
        assertThat(at("/machine/status")).isEqualTo("succeeded");
        assertThat(at("/machine/state")).isEqualTo("Succeeded");
        assertThat(at("/machine/id")).hasSize(36);
        assertThat(at("/machine/listed")).isEqualTo("[\"a\",\"b\"]");
        assertThat(at("/machine/everywhere")).isEqualTo("2");
        assertThat(at("/machine/states"))
                .isEqualTo("[\"PowerState/running\",\"PowerState/stopped\",\"PowerState/running\","
                        + "\"PowerState/running\",\"PowerState/deallocated\"]");
        assertThat(at("/machine/run")).isEqualTo("[\"ProvisioningState/succeeded\"]");
        assertThat(at("/machine/extension")).isEqualTo("Succeeded");
        assertThat(at("/machine/tags/role")).isEqualTo("node");
        assertThat(at("/machine/expanded")).isEqualTo("PowerState/running");
        assertThat(at("/image")).isEqualTo("{\"state\":\"Succeeded\",\"os\":\"Linux\"}");
    }

    @Test
    void serveScaleSetsWithInstances() {
        assertThat(at("/scaleSet/state")).isEqualTo("Succeeded");
        assertThat(at("/scaleSet/names")).isEqualTo("[\"node000000\",\"node000001\",\"node000002\"]");
        assertThat(at("/scaleSet/stopped")).isEqualTo("PowerState/deallocated");
        assertThat(at("/scaleSet/summary")).contains("ProvisioningState/succeeded", "PowerState/running");
        assertThat(at("/scaleSet/interfaces")).isEqualTo("4");
        assertThat(at("/scaleSet/capacity")).isEqualTo("4");
        assertThat(at("/scaleSet/after")).isEqualTo("[\"1\",\"2\",\"3\",\"4\"]");
    }

    @Test
    void serveDeploymentsOfATemplate() {
        assertThat(at("/deployment/state")).isEqualTo("Succeeded");
        assertThat(at("/deployment/output")).isEqualTo(GROUP + "/providers/Microsoft.Compute/availabilitySets/near");
        assertThat(at("/deployment/sets")).isEqualTo("[2]");
        assertThat(at("/deployment/exists")).isEqualTo("true");
        assertThat(at("/deployment/listed")).isEqualTo("1");
        refused("/deployment/refused", 400, "InvalidTemplate", "'name' is not provided");
    }

    @Test
    void getTypedErrors() {
        refused("/refusals/absent", 404, "ResourceNotFound", "virtualMachines/nobody");
        refused("/refusals/absentGroup", 404, "ResourceGroupNotFound", "'nobody'");
        refused("/refusals/inUse", 400, "NicInUse", "networkInterfaces/b");
        refused("/refusals/size", 400, "InvalidParameter", "Standard_None");
        assertThat(at("/refusals/allocation/message")).contains("AllocationFailed");
    }

    private static void refused(String pointer, int status, String code, String message) {
        assertThat(at(pointer + "/name")).isEqualTo("RestError");
        assertThat(at(pointer + "/status")).isEqualTo(Integer.toString(status));
        assertThat(at(pointer + "/code")).isEqualTo(code);
        assertThat(at(pointer + "/message")).contains(message);
    }

    @Test
    void findNoDeletedResources() {
        assertThat(at("/left"))
                .contains("\"address\"", "\"captured\"", "\"near\"", "\"net\"")
                .doesNotContain("\"b\"", "\"set\"");
        assertThat(at("/after")).isEqualTo("false");
    }
}
