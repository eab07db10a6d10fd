package io.clusterwright.azure.internal.machine;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.azure.internal.inspect.Sizes;
import io.clusterwright.azure.internal.network.HeadAccess;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.VmSize;
import java.util.Optional;

/**
 * The creation of machines of one cluster, alone or as instances of a scale set: what both ways need.
 *
 * @param access lets SSH from outside through to some of the machines
 * @param end ends the machines when their time to live is over
 * @param keepsConsole whether the consoles of the machines are kept
 */
public record MachineCreation(
        Clients clients,
        ResourceNames names,
        BootImages images,
        Sizes sizes,
        NodeBackend backend,
        ResourceLog log,
        HeadAccess access,
        AzureExpiry end,
        boolean keepsConsole) {

    public ClusterSpec spec() {
        return names.spec();
    }

    public ClusterResources resources() {
        return ClusterResources.requests(names, log.cluster());
    }

    /**
     * The values of machines of this size and image.
     *
     * @param system accounts and names; empty for an image that brings them
     */
    public ClusterResources.MachineValues values(VmSize size, BootImage image, Optional<ObjectNode> system) {
        return new ClusterResources.MachineValues(
                ArmText.plain(size.name()),
                image.reference(),
                system,
                Optional.ofNullable(image.plan()),
                BooleanNode.valueOf(sizes.accelerated(spec().requireRegion(), size)));
    }

    /** The machine that was made for a request. */
    public static Machine machine(MachineRequest request, Ipv4Address address, ResourceId resource) {
        return new Machine(
                request.name(),
                address,
                resource,
                request.bootstrap().hostKey().publicKey(),
                interconnect(request.size()));
    }

    /** The fast network of machines of this size. */
    public static Interconnect interconnect(VmSize size) {
        return VmSizes.standard().find(size).map(VmSizeFacts::interconnect).orElse(Interconnect.NONE);
    }
}
