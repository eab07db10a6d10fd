package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocksTest extends WithEmulator {
    private static final String LOCK = "/providers/Microsoft.Authorization/locks/keep";
    private static final String VERSION = "?api-version=2020-05-01";

    private ArmClient.Reply lock(String scope, String level) {
        return arm.put(scope + LOCK + VERSION, "{'properties':{'level':'" + level + "','notes':'ours'}}");
    }

    @Test
    void whatIsLockedIsNotDeletedAndNeitherIsItsGroup() {
        String network = arm.network("virtualNetworks/vn");
        assertThat(lock(network, "CanNotDelete").status()).isEqualTo(201);
        assertThat(lock(network, "CanNotDelete").status()).isEqualTo(200);

        for (String target : new String[] {network, network + "/subnets/s", arm.group("")}) {
            ArmClient.Reply refused = arm.delete(target);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("ScopeLocked");
            assertThat(refused.message())
                    .isEqualTo("The scope '" + target
                            + "' cannot perform delete operation because following scope(s) are locked: '" + network
                            + "'. Please remove the lock and try again.");
        }
        assertThat(arm.send("PATCH", network, "{\"tags\":{\"a\":\"b\"}}").status())
                .isEqualTo(200);
        assertThat(arm.get(arm.group("/providers/Microsoft.Authorization/locks") + VERSION)
                        .body()
                        .at("/value/0/properties/level")
                        .asText())
                .isEqualTo("CanNotDelete");
        assertThat(arm.delete(network + LOCK + VERSION).status()).isEqualTo(200);
        assertThat(arm.delete(arm.group("")).status()).isEqualTo(202);
    }

    @Test
    void whatIsForReadingIsNotChanged() {
        lock(arm.group(""), "ReadOnly");

        ArmClient.Reply refused = arm.networkInterface("n", "");
        assertThat(refused.error()).isEqualTo("ScopeLocked");
        assertThat(refused.message()).contains("cannot perform write operation");
        assertThat(arm.get(arm.network("virtualNetworks/vn")).status()).isEqualTo(200);
    }

    @Test
    void refusesLocksThatAzureDoesNotHave() {
        String notes = "{'properties':{'level':'ReadOnly','notes':'" + "a".repeat(513) + "'}}";
        assertThat(arm.put(arm.group(LOCK) + VERSION, notes).message())
                .contains("The notes of the lock are longer than 512 characters");
        assertThat(lock(arm.group(""), "Never").error()).isEqualTo("InvalidRequestContent");
        assertThat(lock(arm.network("virtualNetworks/none"), "ReadOnly").error())
                .isEqualTo("ResourceNotFound");
        assertThat(arm.get(arm.group(LOCK) + VERSION).error()).isEqualTo("LockNotFound");
        assertThat(arm.get(arm.group(LOCK) + "?api-version=1999-01-01").status())
                .isEqualTo(404);
    }
}
