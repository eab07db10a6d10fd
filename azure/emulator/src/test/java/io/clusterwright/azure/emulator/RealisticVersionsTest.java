package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Versions that Azure refuses, which a realistic emulator refuses too. */
class RealisticVersionsTest extends WithEmulator {
    RealisticVersionsTest() {
        super(ArmEmulator.builder().realistic().virtualTime());
    }

    @Test
    void aVersionOfAResourceMustBeSupported() {
        ArmClient.Reply put =
                arm.put(arm.compute("availabilitySets/set?api-version=1999-01-01"), "{'location':'northeurope'}");
        ArmClient.Reply get = arm.get(arm.network("virtualNetworks/vn?api-version=2024-05-02"));
        ArmClient.Reply list =
                arm.get(arm.subscription("/providers/Microsoft.Compute/virtualMachines?api-version=2024-05-01"));

        assertThat(put.status()).isEqualTo(400);
        assertThat(put.error()).isEqualTo("NoRegisteredProviderFound");
        assertThat(put.message())
                .startsWith(
                        "No registered resource provider found for location 'northeurope' and API version '1999-01-01'"
                                + " for type 'availabilitySets'. The supported api-versions are '2015-06-15, 2016-03-30, ")
                .contains("2025-04-01")
                .contains("'. The supported locations are 'westeurope, northeurope, ");
        assertThat(get.message())
                .contains("for location 'westeurope' and API version '2024-05-02' for type 'virtualNetworks'");
        assertThat(list.status()).isEqualTo(404);
        assertThat(list.error()).isEqualTo("InvalidResourceType");
        assertThat(list.message())
                .startsWith(
                        "The resource type 'virtualMachines' could not be found in the namespace 'Microsoft.Compute' for"
                                + " api version '2024-05-01'. The supported api-versions are '");
    }

    @Test
    void aVersionThatIsNewerThanAllKnownBehavesAsTheNewest() {
        assertThat(arm.get(arm.network("virtualNetworks/vn?api-version=2999-01-01"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aVersionThatOnlyAnotherTypeOfTheProviderHasIsRefused() {
        // Disks have 2026-03-02, machines have 2026-04-01: an error in a template, and not a newer client.
        assertThat(arm.get(arm.compute("disks/d?api-version=2026-04-01")).error())
                .isEqualTo("NoRegisteredProviderFound");
    }

    @Test
    void aVersionOfResourceManagerMustBeSupported() {
        ArmClient.Reply group = arm.get(arm.group("?api-version=1999-01-01"));

        assertThat(group.status()).isEqualTo(400);
        assertThat(group.error()).isEqualTo("InvalidApiVersionParameter");
        assertThat(group.message())
                .startsWith(
                        "The api-version '1999-01-01' is invalid. The supported versions are '2026-06-01,2025-04-01,");
        assertThat(arm.get(arm.subscription("/resources?api-version=1999-01-01"))
                        .error())
                .isEqualTo("InvalidApiVersionParameter");
    }
}
