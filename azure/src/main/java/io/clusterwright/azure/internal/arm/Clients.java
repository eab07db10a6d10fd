package io.clusterwright.azure.internal.arm;

import com.azure.resourcemanager.compute.fluent.ComputeManagementClient;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.resources.fluent.ResourceManagementClient;

/**
 * The service clients that this library uses, all of one subscription.
 *
 * @param arm how they are called
 */
public record Clients(
        ComputeManagementClient compute,
        NetworkManagementClient network,
        ResourceManagementClient resources,
        ArmClient arm) {
    public String subscription() {
        return compute.getSubscriptionId();
    }
}
