package io.clusterwright.azure.emulator.python;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Microsoft's clients for Python, as Debian ships them, and the emulator. */
@Tag("breadth")
class PythonClientsTest {
    /** Where {@code .ci/install-test-packages} puts them. */
    private static final String CLIENTS = "/usr/local/lib/azure-clients/python";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GROUP = "/subscriptions/c1057e40-0000-4000-8000-000000000001/resourceGroups/python";

    private static JsonNode seen;

    @BeforeAll
    static void journey(@TempDir Path folder) throws Exception {
        Path script = folder.resolve("journey.py");
        try (InputStream in = PythonClientsTest.class.getResourceAsStream("journey.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        try (ArmEmulator emulator = ArmEmulator.builder()
                .pageSize(2)
                .retryAfter(Duration.ZERO)
                .faults(List.of(Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/unlucky")))
                .start()) {
            seen = JSON.readTree(run(folder, script, emulator));
            assertThat(emulator.requests())
                    .hasSizeGreaterThan(80)
                    .noneMatch(request ->
                            request.status() >= 500 && !request.path().endsWith("/moveResources"));
        }
    }

    private static byte[] run(Path folder, Path script, ArmEmulator emulator) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path errors = folder.resolve("err");
        ProcessBuilder python = new ProcessBuilder(
                        "/usr/bin/python3", script.toString(), emulator.url().toString(), emulator.subscriptionId())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        python.environment().merge("PYTHONPATH", CLIENTS, (given, ours) -> given + ":" + ours);
        Process process = python.start();
        boolean ended = process.waitFor(240, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended && process.waitFor() == 0)
                .as("%s; the clients are unpacked by .ci/install-test-packages", Files.readString(errors))
                .isTrue();
        return Files.readAllBytes(out);
    }

    private static String at(String pointer) {
        JsonNode node = seen.at(pointer);
        return node.isTextual() ? node.asText() : node.toString();
    }

    @Test
    void serveGroupsAndTags() {
        assertThat(at("/group"))
                .isEqualTo("{\"state\":\"Succeeded\",\"exists\":true,\"other\":false,"
                        + "\"tags\":{\"owner\":\"tests\",\"stage\":\"one\"},\"tagged\":[\"python\"]}");
    }

    @Test
    void serveNetworksGatewaysAndInterfacesInPages() {
        assertThat(at("/network/address")).matches("[\\d.]+");
        assertThat(at("/network/gateway"))
                .isEqualTo(GROUP + "/providers/Microsoft.Network/virtualNetworks/net/subnets/nodes");
        assertThat(at("/network/privateAddresses")).isEqualTo("[\"10.45.0.4\",\"10.45.0.5\",\"10.45.0.6\"]");
        assertThat(at("/network/listed")).isEqualTo("[\"a\",\"b\",\"c\"]");
        assertThat(at("/network/usage")).isEqualTo("[[1,\"Count\"]]");
    }

    @Test
    void serveMachinesInAllStatesAndTheirImages() {
        assertThat(at("/machine/states"))
                .isEqualTo("[\"PowerState/running\",\"PowerState/stopped\",\"PowerState/running\","
                        + "\"PowerState/running\",\"PowerState/deallocated\"]");
        assertThat(at("/machine/run")).isEqualTo("[\"ProvisioningState/succeeded\"]");
        assertThat(at("/machine/tags")).isEqualTo("{\"role\":\"node\"}");
        assertThat(at("/machine/again")).isEqualTo("{\"role\":\"node\",\"again\":\"yes\"}");
        assertThat(at("/machine/listed")).isEqualTo("[\"a\",\"b\"]");
        assertThat(at("/machine/everywhere")).isEqualTo("2");
        assertThat(at("/machine/disk")).isEqualTo("Succeeded");
        assertThat(at("/machine/usages")).isEqualTo("true");
        assertThat(at("/image"))
                .isEqualTo("{\"state\":\"Succeeded\",\"version\":\"Succeeded\",\"versions\":[\"1.0.0\"]}");
    }

    @Test
    void serveScaleSetsWithInstances() {
        assertThat(at("/scaleSet"))
                .isEqualTo("{\"state\":\"Succeeded\",\"names\":[\"node000000\",\"node000001\",\"node000002\"],"
                        + "\"stopped\":\"PowerState/deallocated\",\"capacity\":4,\"after\":[\"1\",\"2\",\"3\",\"4\"]}");
    }

    @Test
    void serveDeploymentsOfATemplate() {
        assertThat(at("/deployment/state")).isEqualTo("Succeeded");
        assertThat(at("/deployment/output")).isEqualTo("near");
        assertThat(at("/deployment/operations")).isEqualTo("1");
        refused("/deployment/refused", "HttpResponseError", 400, "InvalidTemplate", "'name' is not provided");
    }

    @Test
    void getTypedErrors() {
        refused("/refusals/absent", "ResourceNotFoundError", 404, "ResourceNotFound", "virtualMachines/nobody");
        refused("/refusals/absentGroup", "ResourceNotFoundError", 404, "ResourceGroupNotFound", "'nobody'");
        refused("/refusals/inUse", "HttpResponseError", 400, "NicInUse", "networkInterfaces/b");
        refused(
                "/refusals/basic",
                "HttpResponseError",
                400,
                "IPv4BasicSkuPublicIpCountLimitReached",
                "more than 0 IPv4 Basic SKU");
        refused("/refusals/size", "HttpResponseError", 400, "InvalidParameter", "Standard_None");
        refused("/refusals/tag", "HttpResponseError", 400, "InvalidTagNameCharacters", "'a/b'");
        assertThat(at("/refusals/allocation/message")).contains("AllocationFailed");
    }

    private static void refused(String pointer, String type, int status, String code, String message) {
        assertThat(at(pointer + "/type")).isEqualTo(type);
        assertThat(at(pointer + "/status")).isEqualTo(Integer.toString(status));
        assertThat(at(pointer + "/code")).isEqualTo(code);
        assertThat(at(pointer + "/message")).contains(message);
    }

    @Test
    void listResourcesByTagWithoutTheirTags() {
        assertThat(at("/lists/byTag")).isEqualTo("[[\"b\",null]]");
        assertThat(at("/lists/byType")).isEqualTo("[\"captured\"]");
        assertThat(at("/lists/inGroup")).isEqualTo("true");
    }

    @Test
    void readTheBytesOfDisksAndSnapshots() {
        assertThat(at("/disks"))
                .isEqualTo("{\"snapshot\":32,\"granted\":[true,true],\"states\":[\"ActiveSAS\",\"Unattached\"]}");
    }

    @Test
    void changeTheInstancesOfASet() {
        assertThat(at("/instances/extension")).isEqualTo("[\"script\",[\"script\"]]");
        assertThat(at("/instances/latest")).isEqualTo("false");
        assertThat(at("/instances/guarded")).isEqualTo("true");
        assertThat(at("/instances/left")).isEqualTo("[true]");
        assertThat(at("/instances/history")).isEqualTo("0");
        assertThat(at("/instances/sizes")).isEqualTo("true");
        assertThat(at("/instances/byRegion")).isEqualTo("[[\"set\"],[\"a\",\"b\",\"unlucky\"]]");
        assertThat(at("/instances/addresses")).isEqualTo("1");
        refused("/instances/rolling", "ResourceNotFoundError", 404, "NotFound", "no rolling upgrade");
        refused("/instances/maintenance", "ResourceExistsError", 409, "OperationNotAllowed", "is not eligible");
        refused("/instances/converted", "ResourceExistsError", 409, "OperationNotAllowed", "already using managed");
        refused("/instances/moved", "HttpResponseError", 501, "NotImplemented", "'moveResources'");
    }

    @Test
    void askForWhatHolds() {
        assertThat(at("/questions"))
                .isEqualTo(
                        "{\"routes\":[\"VnetLocal\",\"Internet\"],\"rules\":7,\"balancers\":0,\"configurations\":[\"ip\"],"
                                + "\"tags\":true,\"free\":true,\"used\":[\"SubnetSpace\"],"
                                + "\"template\":[\"$schema\",\"contentVersion\",\"parameters\"],"
                                + "\"names\":[\"again\",\"owner\",\"role\",\"stage\"],\"mode\":\"Complete\",\"sizes\":true}");
    }

    @Test
    void findNoDeletedResources() {
        assertThat(at("/after")).isEqualTo("{\"interface\":true,\"group\":false}");
    }
}
