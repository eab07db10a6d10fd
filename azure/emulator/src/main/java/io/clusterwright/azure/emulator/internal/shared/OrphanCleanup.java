package io.clusterwright.azure.emulator.internal.shared;

import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.azure.emulator.internal.machines.ResourceLedger;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Provider that only deletes what a killed shared emulator left on this machine: destroying any of its clusters removes the machines of
 * all, because the cloud they belong to is gone. Other calls are refused.
 *
 * <p>Safe for use by several threads.
 */
public final class OrphanCleanup implements MachineProvider {
    private static final String NETWORK = "local network";
    private static final String IMAGE = "local image";

    private final ResourceLedger ledger;
    private final Runnable forget;
    private final MachineHost host;
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /**
     * @param forget the action after the last resource was deleted
     * @param host the host of its machines; closed with this
     */
    public OrphanCleanup(ResourceLedger ledger, Runnable forget, MachineHost host) {
        this.ledger = ledger;
        this.forget = forget;
        this.host = host;
    }

    @Override
    public String name() {
        return SharedEmulator.PROVIDER;
    }

    /** Deletes all of it. */
    public void delete() {
        ClusterId any = ClusterId.random(ClusterName.of("any"));
        remaining(any).forEach(resource -> delete(any, resource));
    }

    /** {@inheritDoc} Resources that only the emulator knew are gone with it. */
    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        switch (resource.kind()) {
            case NETWORK -> host.deleteNetwork(ClusterName.of(resource.name()));
            case IMAGE -> host.deleteImage(resource.name());
            default -> {
                return;
            }
        }
        gone.add(resource.toString());
        if (remaining(cluster).isEmpty()) {
            forget.run();
        }
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        List<ResourceId> remaining = new ArrayList<>();
        ledger.images().forEach(image -> remaining.add(new ResourceId(IMAGE, image)));
        ledger.networks()
                .forEach(network -> remaining.add(
                        new ResourceId(NETWORK, network.id().name().value())));
        remaining.removeIf(resource -> gone.contains(resource.toString()));
        return remaining;
    }

    @Override
    public List<MarkedCluster> marked() {
        return List.of();
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        return MachineState.ABSENT;
    }

    @Override
    public List<StoredImage> images() {
        return List.of();
    }

    @Override
    public boolean layersImages() {
        return false;
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        throw ended();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        throw ended();
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        throw ended();
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        throw ended();
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        throw ended();
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines) {
        throw ended();
    }

    @Override
    public void proven(String imageName) {
        throw ended();
    }

    @Override
    public void deleteImage(String imageName) {
        throw ended();
    }

    private static ClusterwrightException ended() {
        return new ClusterwrightException(
                "This emulated Azure has ended. Destroy its clusters: nothing else can be done with them.");
    }

    @Override
    public void close() {
        host.close();
    }
}
