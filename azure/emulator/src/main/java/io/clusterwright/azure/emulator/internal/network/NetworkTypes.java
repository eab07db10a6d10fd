package io.clusterwright.azure.emulator.internal.network;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.util.List;
import java.util.UUID;

/** The types of Microsoft.Network. */
public final class NetworkTypes {
    private NetworkTypes() {}

    public static List<ResourceType> all(Cloud cloud, BackingMachines machines) {
        Subnets subnets = new Subnets(cloud);
        List<ResourceType> types = List.of(
                new VirtualNetworks(subnets, machines).type(),
                SecurityGroups.type(cloud),
                RouteTables.type(subnets),
                new PublicAddresses(cloud).type(machines),
                NatGateways.type(subnets),
                new LoadBalancers(cloud, subnets).type(),
                new Interfaces(cloud).type());
        types.forEach(type -> type.rows(NetworkRows::references));
        return types;
    }

    /** What all types of this provider have. */
    static ResourceType of(String name) {
        return ResourceType.of(name)
                .retryableWhileBusy()
                .takes(Work.NETWORK_CREATE, Work.NETWORK_CREATE, Work.NETWORK_DELETE)
                .rows(
                        NetworkRows::name,
                        draft -> draft.body().put("etag", draft.store().nextEtag()),
                        Row.once(
                                "properties.resourceGuid",
                                cloud -> UUID.randomUUID().toString()));
    }
}
