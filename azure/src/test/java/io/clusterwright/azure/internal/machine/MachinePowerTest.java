package io.clusterwright.azure.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.resourcemanager.compute.models.InstanceViewStatus;
import com.azure.resourcemanager.compute.models.PowerState;
import io.clusterwright.core.MachineState;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachinePowerTest {
    @ParameterizedTest
    @CsvSource({
        "PowerState/running,                                 RUNNING",
        "PowerState/starting,                                STARTING",
        "PowerState/stopping,                                STOPPED",
        "PowerState/stopped,                                 STOPPED",
        "PowerState/deallocating,                            STOPPED",
        "PowerState/deallocated,                             STOPPED",
        "PowerState/deallocated HibernationState/Hibernated, STOPPED",
        "ProvisioningState/failed PowerState/stopped,        STOPPED",
        "ProvisioningState/failed/AllocationFailed,          FAILED",
        "ProvisioningState/creating,                         STARTING",
    })
    void readsTheStatesOfAzure(String codes, MachineState state) {
        assertThat(state(codes.split(" "))).isEqualTo(state);
    }

    /** What runs on a machine that counts as stopped is given up at once. */
    @ParameterizedTest
    @ValueSource(strings = {"PowerState/unknown", "PowerState/ofALaterVersion"})
    void anUnknownPowerStateIsNoSignOfAStop(String code) {
        assertThat(state("ProvisioningState/succeeded", code)).isEqualTo(MachineState.RUNNING);
    }

    @Test
    void knowsTheStatesOfTheSdk() {
        assertThat(PowerState.values())
                .filteredOn(each -> state(each.toString()) == MachineState.RUNNING)
                .containsExactlyInAnyOrder(PowerState.RUNNING, PowerState.UNKNOWN);
    }

    private static MachineState state(String... codes) {
        return MachinePower.state(Stream.of(codes)
                .map(code -> new InstanceViewStatus().withCode(code))
                .toList());
    }
}
