package io.clusterwright.azure.internal;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetExtensionInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetInner;
import com.azure.resourcemanager.compute.models.ApiEntityReference;
import com.azure.resourcemanager.compute.models.DiskCreateOptionTypes;
import com.azure.resourcemanager.compute.models.OrchestrationMode;
import com.azure.resourcemanager.compute.models.Sku;
import com.azure.resourcemanager.compute.models.UpgradeMode;
import com.azure.resourcemanager.compute.models.UpgradePolicy;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetExtensionProfile;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetIpConfiguration;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetManagedDiskParameters;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetNetworkConfiguration;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetNetworkProfile;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetOSDisk;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetOSProfile;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetStorageProfile;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetVMProfile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.type.Secret;
import java.util.List;
import java.util.Map;

/** What the compute service is asked to make of nodes that are instances of one scale set. */
final class ScaleSetRequests {
    private ScaleSetRequests() {}

    /**
     * A uniform scale set with one placement group, which is one fabric; none of its instances is one too many that goes away again.
     *
     * @param like any of the nodes: they differ in name and address only
     * @param common what all are given before first contact
     * @param capacity how many there are to be
     */
    static VirtualMachineScaleSetInner set(
            ClusterSpec spec,
            Names names,
            MachineRequest like,
            BootImage image,
            Bootstrap common,
            Secret customData,
            boolean accelerated,
            List<VirtualMachineScaleSetExtensionInner> extensions,
            int capacity,
            Map<String, String> tags) {
        VirtualMachineScaleSetVMProfile profile = new VirtualMachineScaleSetVMProfile()
                .withStorageProfile(new VirtualMachineScaleSetStorageProfile()
                        .withImageReference(image.reference())
                        .withOsDisk(new VirtualMachineScaleSetOSDisk()
                                .withCreateOption(DiskCreateOptionTypes.FROM_IMAGE)
                                .withManagedDisk(new VirtualMachineScaleSetManagedDiskParameters())))
                .withOsProfile(identity(spec, common, customData))
                .withNetworkProfile(new VirtualMachineScaleSetNetworkProfile()
                        .withNetworkInterfaceConfigurations(List.of(nic(names, accelerated))));
        if (!extensions.isEmpty()) {
            profile.withExtensionProfile(new VirtualMachineScaleSetExtensionProfile().withExtensions(extensions));
        }
        if (spec.nodes().spot().enabled()) {
            profile.withPriority(ComputeRequests.SPOT)
                    .withEvictionPolicy(ComputeRequests.eviction(spec.nodes().spot()))
                    .withBillingProfile(ComputeRequests.billing(spec.nodes().spot()));
        }
        VirtualMachineScaleSetInner set = new VirtualMachineScaleSetInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(tags)
                .withSku(new Sku()
                        .withName(like.size().name())
                        .withTier("Standard")
                        .withCapacity((long) capacity))
                .withOrchestrationMode(OrchestrationMode.UNIFORM)
                .withSinglePlacementGroup(true)
                .withOverprovision(false)
                .withPlatformFaultDomainCount(1)
                .withUpgradePolicy(new UpgradePolicy().withMode(UpgradeMode.MANUAL))
                .withVirtualMachineProfile(profile);
        if (image.plan() != null) {
            set.withPlan(image.plan());
        }
        if (names.hasProximityGroup()) {
            set.withProximityPlacementGroup(
                    new SubResource().withId(names.proximityGroup().toString()));
        }
        return set;
    }

    private static VirtualMachineScaleSetOSProfile identity(ClusterSpec spec, Bootstrap common, Secret customData) {
        return new VirtualMachineScaleSetOSProfile()
                .withComputerNamePrefix(spec.name().value())
                .withAdminUsername(common.loginUser().value())
                .withCustomData(ComputeRequests.encoded(customData))
                .withLinuxConfiguration(ComputeRequests.linux(common));
    }

    private static VirtualMachineScaleSetNetworkConfiguration nic(Names names, boolean accelerated) {
        return new VirtualMachineScaleSetNetworkConfiguration()
                .withName("nic")
                .withPrimary(true)
                .withEnableAcceleratedNetworking(accelerated)
                .withNetworkSecurityGroup(
                        new SubResource().withId(names.securityGroup().toString()))
                .withIpConfigurations(List.of(address(names)));
    }

    private static VirtualMachineScaleSetIpConfiguration address(Names names) {
        VirtualMachineScaleSetIpConfiguration address = new VirtualMachineScaleSetIpConfiguration()
                .withName("primary")
                .withPrimary(true)
                .withSubnet(new ApiEntityReference().withId(names.subnet()));
        return names.portRange()
                ? address.withLoadBalancerBackendAddressPools(List.of(new SubResource().withId(names.pool())))
                : address;
    }
}
