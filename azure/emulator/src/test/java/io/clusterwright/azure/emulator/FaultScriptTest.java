package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import io.clusterwright.azure.emulator.internal.arm.FaultScript;
import io.clusterwright.core.type.InvalidValueException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScriptTest {
    private static ArmEmulator emulator(String script) {
        return ArmEmulator.builder()
                .realistic()
                .virtualTime()
                .throttling(false)
                .coresPerFamily(1000)
                .regionalCores(1000)
                .faults(FaultScript.parse(script))
                .start();
    }

    @Test
    void throttlesOneRequestAndServesTheNext() {
        try (ArmEmulator emulator =
                emulator("{faults: [{fault: TooManyRequests, on: 'PUT **/resourceGroups/rg', wait: 7s}]}")) {
            ArmClient arm = new ArmClient(emulator);
            Reply refused = arm.put(arm.group(""), "{'location':'westeurope'}");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("7");
            assertThat(arm.put(arm.group(""), "{'location':'westeurope'}").status())
                    .isEqualTo(201);
        }
    }

    @Test
    void failsAllocationsLateAndReservesTheInterface() {
        try (ArmEmulator emulator = emulator("""
                faults:
                  - {fault: AllocationFailed, on: PUT **/virtualMachines/bad}
                  - {fault: NicReservedForAnotherVm, on: PUT **/virtualMachines/bad}
                """)) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            JsonNode status = arm.done(arm.machine("bad"));
            assertThat(status.path("status").asText()).isEqualTo("Failed");
            assertThat(status.at("/error/code").asText()).isEqualTo("AllocationFailed");
            assertThat(arm.finish(arm.machine("good"))).isEqualTo("Succeeded");
            arm.finish(arm.delete(arm.compute("virtualMachines/bad")));
            assertThat(arm.delete(arm.network("networkInterfaces/bad")).error()).isEqualTo("NicReservedForAnotherVm");
            emulator.advance(Duration.ofSeconds(180));
            assertThat(arm.delete(arm.network("networkInterfaces/bad")).status())
                    .isEqualTo(202);
        }
    }

    @Test
    void breaksConnectionsBeforeTheRequestIsServed() {
        try (ArmEmulator emulator = emulator("{faults: [{fault: ConnectionReset, on: 'PUT **', times: always}]}")) {
            ArmClient arm = new ArmClient(emulator);
            assertThatThrownBy(() -> arm.put(arm.group(""), "{'location':'westeurope'}"))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(arm.get(arm.group("")).error()).isEqualTo("ResourceGroupNotFound");
        }
    }

    @Test
    void hidesNewResourcesFromLists() {
        try (ArmEmulator emulator =
                emulator("{faults: [{fault: ListLag, on: GET **/resourcegroups, times: always, wait: 30s}]}")) {
            ArmClient arm = new ArmClient(emulator);
            arm.put(arm.group(""), "{'location':'westeurope'}");
            assertThat(arm.get(arm.subscription("/resourcegroups")).body().path("value"))
                    .isEmpty();
            assertThat(arm.get(arm.group("")).status()).isEqualTo(200);
            emulator.advance(Duration.ofSeconds(31));
            assertThat(arm.get(arm.subscription("/resourcegroups")).body().path("value"))
                    .hasSize(1);
        }
    }

    @Test
    void showsDeletedResourcesInListsForAWhile() {
        try (ArmEmulator emulator =
                emulator("{faults: [{fault: ListLag, on: GET **/networkInterfaces, times: always, wait: 30s}]}")) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            arm.finish(arm.networkInterface("n", ""));
            emulator.advance(Duration.ofSeconds(31));
            assertThat(arm.finish(arm.delete(arm.network("networkInterfaces/n"))))
                    .isEqualTo("Succeeded");
            assertThat(arm.get(arm.network("networkInterfaces/n")).status()).isEqualTo(404);
            assertThat(arm.get(arm.network("networkInterfaces"))
                            .body()
                            .at("/value/0/name")
                            .asText())
                    .isEqualTo("n");
            emulator.advance(Duration.ofSeconds(31));
            assertThat(arm.get(arm.network("networkInterfaces")).body().path("value"))
                    .isEmpty();
        }
    }

    @Test
    void carriesOutARequestWhoseAnswerIsLost() {
        try (ArmEmulator emulator = emulator("{faults: [{fault: LostAnswer, on: 'PUT **/resourceGroups/rg'}]}")) {
            ArmClient arm = new ArmClient(emulator);
            assertThatThrownBy(() -> arm.put(arm.group(""), "{'location':'westeurope'}"))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(emulator.resources()).containsExactly(arm.group(""));
            assertThat(arm.put(arm.group(""), "{'location':'westeurope'}").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void answersNothingDuringAnOutage() {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .faults(FaultScript.parse("{faults: [{fault: Outage, on: PUT **, skip: 1}]}"))
                .start()) {
            ArmClient arm = new ArmClient(emulator);
            assertThat(arm.put(arm.group(""), "{'location':'westeurope'}").status())
                    .isEqualTo(201);
            assertThatThrownBy(() -> arm.put(arm.group(""), "{'location':'westeurope','tags':{'a':'b'}}"))
                    .isInstanceOf(UncheckedIOException.class);
            emulator.advance(Duration.ofMinutes(9));
            assertThatThrownBy(() -> arm.get(arm.group(""))).isInstanceOf(UncheckedIOException.class);
            emulator.advance(Duration.ofMinutes(1));
            Reply after = arm.get(arm.group(""));
            assertThat(after.status()).isEqualTo(200);
            assertThat(after.body().has("tags")).isFalse();
        }
    }

    @Test
    void anOutageEndsAfterItsTimeForAClientThatComesBack() {
        try (ArmEmulator emulator = emulator("{faults: [{fault: Outage, on: GET **, wait: 10m}]}")) {
            ArmClient arm = new ArmClient(emulator);
            int asked = 0;
            Reply reply = null;
            while (reply == null && asked < 200) {
                asked++;
                try {
                    reply = arm.get(arm.group(""));
                } catch (UncheckedIOException e) {
                    assertThat(emulator.elapsed()).isLessThan(Duration.ofMinutes(11));
                }
            }
            assertThat(reply).isNotNull();
            assertThat(emulator.elapsed()).isGreaterThan(Duration.ofMinutes(10));
        }
    }

    @Test
    void throttlesWritesAfter200() {
        try (ArmEmulator emulator = ArmEmulator.builder().throttling(true).start()) {
            ArmClient arm = new ArmClient(emulator);
            Reply reply = arm.put(arm.group(""), "{'location':'westeurope'}");
            assertThat(Integer.parseInt(reply.header("x-ms-ratelimit-remaining-subscription-writes")))
                    .isBetween(199, 200);
            // 10 are refilled in a second; a test that is slower than that never empties it, so the limit is generous.
            for (int i = 0; i < 5000 && reply.status() != 429; i++) {
                reply = arm.put(arm.group(""), "{'location':'westeurope'}");
            }
            assertThat(reply.status()).isEqualTo(429);
            assertThat(reply.error()).isEqualTo("SubscriptionRequestsThrottled");
            emulator.advance(Duration.ofSeconds(Long.parseLong(reply.header("Retry-After"))));
            assertThat(arm.put(arm.group(""), "{'location':'westeurope'}").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void reportsMistakesWithTheirPlace() {
        assertThatThrownBy(() -> FaultScript.parse("{faults: [{fault: Flood, on: GET **}]}"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid fault of faults[0] \"Flood\": use one of ")
                .hasMessageContaining("AllocationFailed");
        assertThatThrownBy(() -> FaultScript.parse("{faults: [{fault: ListLag, on: GET **, wait: soon}]}"))
                .hasMessage("invalid wait of faults[0] \"soon\": use a whole number with ms, s or m (example: 5s)");
    }

    @Test
    void machinesFailByChanceTheSameWithOneSeed() {
        List<String> once = failures(7);

        assertThat(once).filteredOn(each -> each.endsWith("AllocationFailed")).hasSizeBetween(2, 15);
        assertThat(once)
                .filteredOn(each -> each.endsWith("OSProvisioningTimedOut"))
                .hasSizeBetween(2, 15);
        assertThat(failures(7)).isEqualTo(once);
        assertThat(failures(8)).isNotEqualTo(once);
    }

    /** What 40 machines meet, one after the other, at their first attempt. */
    private static List<String> failures(long seed) {
        try (ArmEmulator unreliable = ArmEmulator.builder()
                .virtualTime()
                .coresPerFamily(10_000)
                .unreliable(0.3, seed)
                .start()) {
            ArmClient client = new ArmClient(unreliable);
            client.prepare();
            List<String> failures = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String error =
                        client.done(client.machine("m" + i)).at("/error/code").asText();
                failures.add(i + error);
                if (!error.isEmpty()) {
                    client.finish(client.delete(client.compute("virtualMachines/m" + i)));
                    client.finish(client.machine("m" + i));
                    assertThat(client.finish(client.machine("m" + i))).isEqualTo("Succeeded");
                }
            }
            return failures;
        }
    }
}
