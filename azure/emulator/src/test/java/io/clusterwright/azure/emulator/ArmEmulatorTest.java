package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArmEmulatorTest {
    /** For this long a list of resources lags. */
    private static final Duration LAG = Duration.ofSeconds(5);

    private ArmEmulator emulator;
    private ArmClient arm;

    @BeforeEach
    void start() {
        emulator = ArmEmulator.builder()
                .realistic()
                .virtualTime()
                .throttling(false)
                .coresPerFamily(600)
                .regionalCores(2000)
                .pageSize(3)
                .start();
        arm = new ArmClient(emulator);
        arm.prepare();
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    @Test
    void itsTextHasItsEndpoint() {
        assertThat(emulator).hasToString("emulated Azure at " + emulator.url());
    }

    @Test
    void refusesRequestsWithoutApiVersion() {
        Reply reply = arm.raw(
                HttpRequest.newBuilder(emulator.url().resolve("/subscriptions")).build());
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("MissingApiVersionParameter");
        assertThat(arm.get("/subscriptions?api-version=latest").error()).isEqualTo("InvalidApiVersionParameter");
    }

    @Test
    void createsMachinesAsLongRunningOperations() {
        Duration before = emulator.elapsed();
        Reply created = arm.machine("cluster11");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Retry-After")).isEqualTo("10");
        assertThat(created.body().at("/properties/provisioningState").asText()).isEqualTo("Creating");
        assertThat(arm.finish(created)).isEqualTo("Succeeded");
        assertThat(emulator.elapsed().minus(before)).isBetween(Duration.ofSeconds(75), Duration.ofSeconds(110));
        JsonNode view = arm.get(arm.compute("virtualMachines/cluster11?$expand=instanceView"))
                .body();
        assertThat(view.at("/properties/provisioningState").asText()).isEqualTo("Succeeded");
        assertThat(view.at("/properties/instanceView/statuses/1/code").asText()).isEqualTo("PowerState/running");
        assertThat(view.at("/properties/storageProfile/imageReference/exactVersion")
                        .asText())
                .isNotEmpty();
    }

    @Test
    void forgetsAnOperationAnHourAfterItsEnd() {
        Reply created = arm.machine("cluster11");
        assertThat(arm.finish(created)).isEqualTo("Succeeded");
        String link = created.header("Azure-AsyncOperation");

        emulator.advance(Duration.ofMinutes(55));
        arm.finish(arm.machine("cluster12"));
        assertThat(arm.text(link, "/status")).isEqualTo("Succeeded");

        emulator.advance(Duration.ofMinutes(10));
        arm.finish(arm.machine("cluster13"));
        assertThat(arm.get(link).status()).isEqualTo(404);
        assertThat(arm.get(link).message()).startsWith("The operation '").endsWith("could not be found.");
    }

    @Test
    void aClientThatIsNotAskedToWaitNeedsFewPolls() {
        try (ArmEmulator own = ArmEmulator.builder()
                .realistic()
                .virtualTime()
                .throttling(false)
                .coresPerFamily(600)
                .regionalCores(600)
                .retryAfter(Duration.ZERO)
                .start()) {
            ArmClient client = new ArmClient(own);
            client.prepare();
            assertThat(client.finish(client.machine("cluster11"))).isEqualTo("Succeeded");
            assertThat(own.elapsed()).isBetween(Duration.ofSeconds(75), Duration.ofSeconds(200));
        }
    }

    @Test
    void listsEverythingThatExists() {
        arm.finish(arm.machine("m"));
        assertThat(emulator.resources())
                .contains(
                        arm.group(""),
                        arm.compute("virtualMachines/m"),
                        arm.network("networkInterfaces/m"),
                        arm.network("virtualNetworks/vn"))
                .anyMatch(id -> id.contains("/disks/"));
        arm.finish(arm.delete(arm.group("")));
        emulator.advance(Duration.ofMinutes(5));
        assertThat(emulator.resources()).isEmpty();
    }

    @Test
    void asksBeforeAndAfterEachRequest() {
        List<String> before = new CopyOnWriteArrayList<>();
        List<Integer> after = new CopyOnWriteArrayList<>();
        try (ArmEmulator own = ArmEmulator.builder()
                .carriesOut(request -> {
                    before.add(request.method() + " " + request.status());
                    return before.size() != 2;
                })
                .answers(request -> {
                    after.add(request.status());
                    return after.size() != 2;
                })
                .start()) {
            ArmClient client = new ArmClient(own);
            String body = "{'location':'westeurope'}";
            assertThat(client.put(client.group(""), body).status()).isEqualTo(201);
            assertThatThrownBy(() -> client.delete(client.group(""))).isInstanceOf(UncheckedIOException.class);
            assertThat(own.resources()).hasSize(1);
            assertThatThrownBy(() -> client.delete(client.group(""))).isInstanceOf(UncheckedIOException.class);
            own.advance(Duration.ofMinutes(1));
            assertThat(own.resources()).isEmpty();
            assertThat(before).containsExactly("PUT 0", "DELETE 0", "DELETE 0");
            assertThat(after).containsExactly(201, 202);
        }
    }

    @Test
    void createsSeveralMachinesInTheEmulatedTimeOfOne() {
        for (int i = 0; i < 5; i++) {
            arm.finish(arm.networkInterface("m" + i, ""));
        }
        Duration before = emulator.elapsed();
        var started = IntStream.range(0, 5)
                .mapToObj(i -> arm.put(
                        arm.compute("virtualMachines/m" + i),
                        arm.machineBody("m" + i, "Standard_HB120rs_v3", ArmClient.UBUNTU, "")))
                .toList();
        assertThat(started).extracting(arm::finish).containsOnly("Succeeded");
        assertThat(emulator.elapsed().minus(before)).isLessThan(Duration.ofSeconds(95));
    }

    @Test
    void refusesMachinesAboveTheFamilyQuota() {
        for (int i = 1; i <= 5; i++) {
            assertThat(arm.finish(arm.machine("m" + i))).isEqualTo("Succeeded");
        }
        Reply refused = arm.machine("m6");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("OperationNotAllowed");
        assertThat(refused.message())
                .contains(
                        "standardHBv3Family Cores",
                        "Current Limit: 600",
                        "Current Usage: 600",
                        "Additional Required: 120");
        assertThat(arm.finish(arm.networkInterface("c", ""))).isEqualTo("Succeeded");
        assertThat(arm.put(
                                arm.compute("virtualMachines/c"),
                                arm.machineBody("c", "Standard_HB120-16rs_v3", ArmClient.UBUNTU, ""))
                        .message())
                .contains("Additional Required: 120");
    }

    @Test
    void skipsReservedAddressesOfTheSubnet() {
        Reply first = arm.networkInterface("a", "");
        assertThat(first.body()
                        .at("/properties/ipConfigurations/0/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.45.0.4");
        assertThat(arm.networkInterface("b", "10.45.0.3").error()).isEqualTo("PrivateIPAddressInReservedRange");
        assertThat(arm.networkInterface("b", "10.45.0.255").error()).isEqualTo("PrivateIPAddressInReservedRange");
        assertThat(arm.networkInterface("b", "10.45.1.4").error()).isEqualTo("PrivateIPAddressNotInSubnet");
        assertThat(arm.networkInterface("b", "10.45.0.4").error()).isEqualTo("PrivateIPAddressIsAllocated");
        assertThat(arm.networkInterface("b", "")
                        .body()
                        .at("/properties/ipConfigurations/0/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.45.0.5");
    }

    @Test
    void refusesToDeleteResourcesInUse() {
        arm.finish(arm.machine("m"));
        assertThat(arm.delete(arm.network("networkInterfaces/m")).error()).isEqualTo("NicInUse");
        assertThat(arm.delete(arm.network("virtualNetworks/vn")).error()).isEqualTo("InUseSubnetCannotBeDeleted");
        assertThat(arm.delete(arm.network("virtualNetworks/vn/subnets/s")).error())
                .isEqualTo("InUseSubnetCannotBeDeleted");
        arm.finish(arm.delete(arm.compute("virtualMachines/m")));
        assertThat(arm.get(arm.compute("virtualMachines/m")).status()).isEqualTo(404);
        emulator.advance(LAG);
        assertThat(arm.at(arm.compute("disks"), "/value")).isEmpty();
        assertThat(arm.finish(arm.delete(arm.network("networkInterfaces/m")))).isEqualTo("Succeeded");
        assertThat(arm.finish(arm.delete(arm.network("virtualNetworks/vn")))).isEqualTo("Succeeded");
        assertThat(arm.delete(arm.network("virtualNetworks/vn")).status()).isEqualTo(204);
    }

    @Test
    void capturesOnlyGeneralizedMachines() {
        arm.finish(arm.machine("template"));
        String machine = arm.compute("virtualMachines/template");
        String image = "{'location':'westeurope','properties':{'sourceVirtualMachine':{'id':'" + machine + "'}}}";
        assertThat(arm.post(machine + "/generalize", "").error()).isEqualTo("OperationNotAllowed");
        assertThat(arm.put(arm.compute("images/i"), image).error()).isEqualTo("OperationNotAllowed");
        assertThat(arm.finish(arm.post(machine + "/deallocate", ""))).isEqualTo("Succeeded");
        assertThat(arm.post(machine + "/generalize", "").status()).isEqualTo(200);
        assertThat(arm.post(machine + "/start", "").error()).isEqualTo("OperationNotAllowed");
        assertThat(arm.finish(arm.put(arm.compute("images/i"), image))).isEqualTo("Succeeded");
        arm.finish(arm.networkInterface("n", ""));
        Reply node = arm.put(
                arm.compute("virtualMachines/n"),
                arm.machineBody("n", "Standard_HB120rs_v3", "{'id':'" + arm.compute("images/i") + "'}", ""));
        assertThat(arm.finish(node)).isEqualTo("Succeeded");
    }

    @Test
    void resizesScaleSets() {
        String set = arm.compute("virtualMachineScaleSets/set");
        assertThat(arm.finish(arm.put(set, scaleSet(3)))).isEqualTo("Succeeded");
        JsonNode instances = arm.at(set + "/virtualMachines", "/value");
        assertThat(instances).hasSize(3);
        assertThat(instances.at("/2/properties/osProfile/computerName").asText())
                .isEqualTo("node000002");
        assertThat(arm.text(
                        set + "/networkInterfaces",
                        "/value/1/properties/ipConfigurations/0/properties/privateIPAddress"))
                .isEqualTo("10.45.0.5");
        assertThat(arm.put(set, scaleSet(6)).message()).contains("Additional Required: 360");
        assertThat(arm.finish(arm.put(set, scaleSet(1)))).isEqualTo("Succeeded");
        assertThat(arm.at(set + "/virtualMachines", "/value")).hasSize(1);
        assertThat(arm.finish(arm.delete(set))).isEqualTo("Succeeded");
        assertThat(arm.delete(arm.network("virtualNetworks/vn/subnets/s")).status())
                .isEqualTo(202);
    }

    private String scaleSet(int capacity) {
        return arm.scaleSetBody("Standard_HB120rs_v3", capacity);
    }

    @Test
    void listsWhatIsNewAfterAWhileAndInPages() {
        for (int i = 0; i < 4; i++) {
            arm.networkInterface("n" + i, "");
        }
        assertThat(arm.at(arm.network("networkInterfaces"), "/value")).isEmpty();
        assertThat(arm.get(arm.network("networkInterfaces/n3")).status()).isEqualTo(200);
        emulator.advance(LAG);
        JsonNode page = arm.get(arm.network("networkInterfaces")).body();
        assertThat(page.path("value")).hasSize(3);
        JsonNode next = arm.get(page.path("nextLink").asText()).body();
        assertThat(next.path("value")).hasSize(1);
        assertThat(next.has("nextLink")).isFalse();
    }

    @Test
    void whatIsDeletedMeanwhileHidesNothingOnLaterPages() {
        for (int i = 0; i < 4; i++) {
            arm.networkInterface("n" + i, "");
        }
        emulator.advance(LAG);
        JsonNode page = arm.get(arm.network("networkInterfaces")).body();
        assertThat(page.at("/value/0/name").asText()).isEqualTo("n0");

        arm.done(arm.delete(arm.network("networkInterfaces/n0")));
        emulator.advance(LAG);

        JsonNode next = arm.get(page.path("nextLink").asText()).body();
        assertThat(next.at("/value/0/name").asText()).isEqualTo("n3");
        assertThat(arm.get(page.path("nextLink").asText() + "x").error()).isEqualTo("InvalidParameter");
    }

    @Test
    void whatIsMadeWhileTimeStandsIsOnLaterPages() {
        try (ArmEmulator still =
                ArmEmulator.builder().standingTime().pageSize(3).start()) {
            ArmClient client = new ArmClient(still);
            for (String letter : List.of("a", "b", "c", "d")) {
                client.put(client.subscription("/resourceGroups/" + letter), "{'location':'westeurope'}");
            }
            JsonNode page = client.get(client.subscription("/resourceGroups")).body();
            assertThat(page.path("value").findValuesAsText("name")).containsExactly("a", "b", "c");
            JsonNode next = client.get(page.path("nextLink").asText()).body();
            assertThat(next.path("value").findValuesAsText("name")).containsExactly("d");
        }
    }

    @Test
    void refusesChangesWithAnOldEtag() {
        Reply first = arm.networkInterface("n", "");
        arm.done(first);
        String etag = first.body().path("etag").asText();
        String body = first.body().toString();
        Reply second = arm.send("PUT", arm.network("networkInterfaces/n"), body, "If-Match", etag);
        assertThat(second.status()).isEqualTo(200);
        arm.done(second);
        Reply third = arm.send("PUT", arm.network("networkInterfaces/n"), body, "If-Match", etag);
        assertThat(third.status()).isEqualTo(412);
        assertThat(third.error()).isEqualTo("PreconditionFailed");
    }

    @Test
    void deletesAllResourcesOfAGroup() {
        arm.finish(arm.machine("m"));
        Reply deleted = arm.delete(arm.group(""));
        assertThat(deleted.status()).isEqualTo(202);
        Reply poll = arm.get(deleted.header("Location"));
        for (int i = 0; i < 20 && poll.status() == 202; i++) {
            poll = arm.get(deleted.header("Location"));
        }
        assertThat(poll.status()).isEqualTo(200);
        assertThat(arm.at(arm.subscription("/resources"), "/value")).isNotEmpty();
        emulator.advance(LAG);
        assertThat(arm.at(arm.subscription("/resources"), "/value")).isEmpty();
        assertThat(arm.get(arm.group("")).error()).isEqualTo("ResourceGroupNotFound");
    }
}
