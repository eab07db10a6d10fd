package io.clusterwright.azure.internal;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.compute.fluent.models.AvailabilitySetInner;
import com.azure.resourcemanager.compute.fluent.models.ProximityPlacementGroupInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.BillingProfile;
import com.azure.resourcemanager.compute.models.DeleteOptions;
import com.azure.resourcemanager.compute.models.DiskCreateOptionTypes;
import com.azure.resourcemanager.compute.models.DiskDeleteOptionTypes;
import com.azure.resourcemanager.compute.models.HardwareProfile;
import com.azure.resourcemanager.compute.models.LinuxConfiguration;
import com.azure.resourcemanager.compute.models.ManagedDiskParameters;
import com.azure.resourcemanager.compute.models.NetworkInterfaceReference;
import com.azure.resourcemanager.compute.models.NetworkProfile;
import com.azure.resourcemanager.compute.models.OSDisk;
import com.azure.resourcemanager.compute.models.OSProfile;
import com.azure.resourcemanager.compute.models.ProximityPlacementGroupType;
import com.azure.resourcemanager.compute.models.Sku;
import com.azure.resourcemanager.compute.models.SshConfiguration;
import com.azure.resourcemanager.compute.models.SshPublicKey;
import com.azure.resourcemanager.compute.models.StorageProfile;
import com.azure.resourcemanager.compute.models.VirtualMachineEvictionPolicyTypes;
import com.azure.resourcemanager.compute.models.VirtualMachinePriorityTypes;
import com.azure.resourcemanager.compute.models.VirtualMachineSizeTypes;
import com.azure.resourcemanager.compute.models.WindowsConfiguration;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NodeGroup.SpotSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.type.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What the compute service is asked to make. */
final class ComputeRequests {
    /** Two fault domains exist in every region; more would spread the nodes of one fabric for no gain. */
    private static final int FAULT_DOMAINS = 2;

    private static final int UPDATE_DOMAINS = 5;
    private static final double NO_OWN_LIMIT = -1;

    static final VirtualMachinePriorityTypes SPOT = VirtualMachinePriorityTypes.SPOT;

    private ComputeRequests() {}

    static ProximityPlacementGroupInner proximityGroup(ClusterSpec spec) {
        return new ProximityPlacementGroupInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(Tags.of(spec))
                .withProximityPlacementGroupType(ProximityPlacementGroupType.STANDARD);
    }

    static AvailabilitySetInner availabilitySet(ClusterSpec spec, Names names) {
        AvailabilitySetInner set = new AvailabilitySetInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(Tags.of(spec))
                .withSku(new Sku().withName("Aligned"))
                .withPlatformFaultDomainCount(FAULT_DOMAINS)
                .withPlatformUpdateDomainCount(UPDATE_DOMAINS);
        return names.hasProximityGroup()
                ? set.withProximityPlacementGroup(
                        new SubResource().withId(names.proximityGroup().toString()))
                : set;
    }

    static VirtualMachineInner machine(
            ClusterSpec spec,
            Names names,
            MachineRequest request,
            BootImage image,
            Secret bootstrap,
            Map<String, String> tags) {
        ArmId id = names.machine(request.name());
        VirtualMachineInner machine = new VirtualMachineInner()
                .withLocation(spec.region().orElseThrow())
                .withTags(tags)
                .withHardwareProfile(new HardwareProfile()
                        .withVmSize(VirtualMachineSizeTypes.fromString(
                                request.size().name())))
                .withStorageProfile(new StorageProfile()
                        .withImageReference(image.reference())
                        .withOsDisk(new OSDisk()
                                .withName(Names.disk(id).name())
                                .withCreateOption(DiskCreateOptionTypes.FROM_IMAGE)
                                .withManagedDisk(new ManagedDiskParameters())
                                .withDeleteOption(DiskDeleteOptionTypes.DELETE)))
                .withNetworkProfile(new NetworkProfile()
                        .withNetworkInterfaces(List.of(new NetworkInterfaceReference()
                                .withId(Names.nic(id).toString())
                                .withPrimary(true)
                                .withDeleteOption(DeleteOptions.DELETE))));
        if (!image.specialized()) {
            machine.withOsProfile(identity(request.bootstrap(), bootstrap));
        }
        if (image.plan() != null) {
            machine.withPlan(image.plan());
        }
        boolean template = names.servesImage(request.name());
        if (names.hasAvailabilitySet() && !template) {
            machine.withAvailabilitySet(
                    new SubResource().withId(names.availabilitySet().toString()));
        } else if (names.hasProximityGroup() && !template) {
            machine.withProximityPlacementGroup(
                    new SubResource().withId(names.proximityGroup().toString()));
        }
        if (spec.nodes().spot().enabled() && !template) {
            spot(machine, spec.nodes().spot());
        }
        return machine;
    }

    private static void spot(VirtualMachineInner machine, SpotSpec spot) {
        machine.withPriority(SPOT).withEvictionPolicy(eviction(spot)).withBillingProfile(billing(spot));
    }

    static VirtualMachineEvictionPolicyTypes eviction(SpotSpec spot) {
        return spot.onEviction() == SpotSpec.Eviction.DELETE
                ? VirtualMachineEvictionPolicyTypes.DELETE
                : VirtualMachineEvictionPolicyTypes.DEALLOCATE;
    }

    static BillingProfile billing(SpotSpec spot) {
        return new BillingProfile()
                .withMaxPrice(
                        spot.maxPricePerHour().map(price -> price.doubleValue()).orElse(NO_OWN_LIMIT));
    }

    private static OSProfile identity(Bootstrap bootstrap, Secret customData) {
        Secret password = bootstrap.password();
        if (password != null) {
            return new OSProfile()
                    .withComputerName(bootstrap.hostName().value())
                    .withAdminUsername(bootstrap.loginUser().value())
                    .withAdminPassword(password.reveal())
                    .withWindowsConfiguration(new WindowsConfiguration()
                            .withProvisionVMAgent(true)
                            .withEnableAutomaticUpdates(false));
        }
        return new OSProfile()
                .withComputerName(bootstrap.hostName().value())
                .withAdminUsername(bootstrap.loginUser().value())
                .withCustomData(encoded(customData))
                .withLinuxConfiguration(linux(bootstrap));
    }

    static String encoded(Secret customData) {
        return Base64.getEncoder().encodeToString(customData.reveal().getBytes(StandardCharsets.UTF_8));
    }

    static LinuxConfiguration linux(Bootstrap bootstrap) {
        List<SshPublicKey> keys = bootstrap.authorizedKeys().stream()
                .map(key -> new SshPublicKey()
                        .withPath("/home/" + bootstrap.loginUser() + "/.ssh/authorized_keys")
                        .withKeyData(key))
                .toList();
        return new LinuxConfiguration()
                .withDisablePasswordAuthentication(true)
                .withProvisionVMAgent(true)
                .withSsh(new SshConfiguration().withPublicKeys(keys));
    }
}
