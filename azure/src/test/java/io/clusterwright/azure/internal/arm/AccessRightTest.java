package io.clusterwright.azure.internal.arm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /subscriptions/s, Microsoft.Resources/subscriptions/read",
        "GET, /subscriptions/s/providers/Microsoft.Compute, Microsoft.Resources/subscriptions/providers/read",
        "PUT, /subscriptions/s/resourcegroups/g, Microsoft.Resources/subscriptions/resourceGroups/write",
        "GET, /subscriptions/s/resourceGroups/g/resources, Microsoft.Resources/subscriptions/resourceGroups/resources/read",
        "GET, /subscriptions/s/providers/Microsoft.Compute/skus, Microsoft.Compute/skus/read",
        "GET, /subscriptions/s/providers/Microsoft.Compute/locations/l/usages, Microsoft.Compute/locations/usages/read",
        "PUT, /subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v/extensions/e,"
                + " Microsoft.Compute/virtualMachines/extensions/write",
        "POST, /subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v/runCommand,"
                + " Microsoft.Compute/virtualMachines/runCommand/action",
        "DELETE, /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/n,"
                + " Microsoft.Network/networkInterfaces/delete",
    })
    void namesTypesWithoutTheirNames(String method, String path, String right) {
        assertThat(AccessRight.of(method, path)).isEqualTo(right);
    }
}
