package io.clusterwright.linux.internal.local;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.linux.internal.local.ImageStore.StoredLayers;
import io.clusterwright.linux.local.LocalMachines;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** The provider of local nodes: networks, nodes and images of this machine. Holds nothing that must be closed. */
public final class LocalProvider implements MachineProvider {
    private static final String NETWORK = "network";
    private static final int AT_ONCE = 8;

    final LocalNodes host;
    private final Folders folders;

    /** The provider with the standard folders; for {@link java.util.ServiceLoader}. */
    public LocalProvider() {
        this(Folders.STANDARD);
    }

    /** The provider with these folders. */
    public LocalProvider(Folders folders) {
        this.folders = folders;
        this.host = new LocalNodes(folders);
    }

    /** The single machines. */
    public MachineHost host() {
        if (UserNamespace.isNeeded()) {
            throw new ClusterwrightException(
                    "an emulator with real machines needs root: it reaches their nodes from the"
                            + " network of this machine, and the nodes of other users are in a network of their own; run with sudo,"
                            + " or create the cluster with --on local (LocalMachines), which needs no root");
        }
        return host;
    }

    @Override
    public String name() {
        return LocalMachines.NAME;
    }

    @Override
    public boolean bootsNamedImages() {
        return false;
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        return new LocalInspection(
                        spec,
                        () -> host.networks.found(spec.name()).orElseGet(() -> ClusterId.random(spec.name())),
                        new HostFacts(),
                        host.systems)
                .run();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        requireOurs(log.cluster());
        SharedClusterParts.requireFree(log.cluster(), spec.network().addressSpace());
        ResourceId network = network(spec.name());
        boolean exists = host.networks.remains(spec.name());
        if (!exists) {
            log.creating(network);
        }
        host.createNetwork(
                log.cluster(),
                spec.network().addressSpace(),
                spec.network().subnet().range());
        host.systems.prepare(spec);
        if (!exists) {
            log.created(network);
        }
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        requireOurs(log.cluster());
        List<Throwable> failures = new ArrayList<>();
        Tasks.each(
                "local-boot",
                AT_ONCE,
                requests,
                request -> {
                    outcome.accept(boot(cluster.name(), absolute(cluster, request), log));
                    return true;
                },
                (request, cause) -> {
                    if (cause instanceof CancellationException) {
                        outcome.accept(new MachineOutcome.Failed(
                                request.name(),
                                LocalMachinesException.of(
                                        "boot node " + request.name(), "interrupted before it started")));
                    } else {
                        failures.add(cause);
                    }
                    return false;
                });
        if (Thread.currentThread().isInterrupted()) {
            throw new OperationInterruptedException(
                    "interrupted while the nodes of cluster " + cluster.name() + " booted");
        }
        if (!failures.isEmpty()) {
            throw new ClusterwrightException("a listener of the boot failed: " + failures.get(0), failures.get(0));
        }
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        requireOurs(cluster);
        return host.endpoint(cluster.name(), machine.name());
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        return ours(cluster) ? host.state(cluster.name(), machine.name()) : MachineState.ABSENT;
    }

    @Override
    public Optional<String> console(ClusterId cluster, Machine machine) {
        return ours(cluster) ? host.console(cluster.name(), machine.name()) : Optional.empty();
    }

    @Override
    public void start(ClusterId cluster, Collection<Machine> machines) {
        requireOurs(cluster);
        host.resume(cluster);
        each("start", cluster.name(), machines, node -> host.boot(cluster.name(), node));
    }

    @Override
    public void stop(ClusterId cluster, Collection<Machine> machines) {
        requireOurs(cluster);
        each("stop", cluster.name(), machines, node -> host.stop(cluster.name(), node));
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        return new AptFeed(host, folders, cluster.name(), machine.name());
    }

    @Override
    public List<StoredImage> images() {
        return host.store.images().stream().map(StoredLayers::image).toList();
    }

    @Override
    public ImageClaim claimImage(ClusterId builder, String imageName, String region) {
        return host.store.claim(imageName, "cluster " + builder.name());
    }

    /** {@inheritDoc} Nodes keep the layers of an image that was deleted, and use it no more. */
    @Override
    public Map<String, List<ClusterId>> imageUsers() {
        Map<String, List<ClusterId>> users = new TreeMap<>();
        List<StoredLayers> images = host.store.images();
        for (ClusterId cluster : host.networks.all()) {
            Set<List<String>> used = host.layers(cluster.name());
            images.stream()
                    .filter(image -> used.contains(image.layers()))
                    .forEach(image -> users.computeIfAbsent(image.image().name(), name -> new ArrayList<>())
                            .add(cluster));
        }
        return users;
    }

    @Override
    public boolean layersImages() {
        return true;
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines) {
        requireOurs(cluster);
        host.stop(cluster.name(), machine.name());
        host.capture(cluster.name(), machine.name(), imageName, owner);
    }

    @Override
    public void proven(String imageName) {
        host.store.proven(imageName);
    }

    @Override
    public void deleteImage(String imageName) {
        host.store.delete(imageName);
        if (host.store.images().isEmpty()) {
            AptFeed.deleteCache(folders);
        }
        host.systems.release(host.store);
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        if (!ours(cluster)) {
            return;
        }
        switch (resource.kind()) {
            case LocalNodes.MACHINE -> host.delete(cluster.name(), NodeName.of(resource.name()));
            case NETWORK -> {
                host.deleteNetwork(cluster.name());
                host.systems.release(host.store);
            }
            default ->
                throw new ClusterwrightException("local nodes have no resource of the kind " + resource.kind()
                        + "; the kinds are machine and network");
        }
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        return ours(cluster) ? parts(cluster.name()) : List.of();
    }

    @Override
    public List<MarkedCluster> marked() {
        return host.networks.all().stream()
                .map(cluster -> host.networks
                        .user(cluster.name())
                        .map(user -> new MarkedCluster(
                                cluster, "this machine, in use by process " + user.pid(), List.of(), List.of()))
                        .orElseGet(() -> new MarkedCluster(cluster, "this machine", parts(cluster.name()), List.of())))
                .toList();
    }

    private void requireOurs(ClusterId cluster) {
        host.networks.found(cluster.name()).filter(id -> !id.equals(cluster)).ifPresent(other -> {
            throw SharedClusterParts.foreign(other);
        });
    }

    /** Not so when the cluster of that name on this machine has another id. */
    private boolean ours(ClusterId cluster) {
        return host.networks
                .found(cluster.name())
                .filter(id -> !id.equals(cluster))
                .isEmpty();
    }

    private List<ResourceId> parts(ClusterName cluster) {
        List<ResourceId> remaining = new ArrayList<>();
        host.nodes(cluster).forEach(node -> remaining.add(new ResourceId(LocalNodes.MACHINE, node.value())));
        if (host.networks.remains(cluster)) {
            remaining.add(network(cluster));
        }
        return remaining;
    }

    @Override
    public void close() {
        host.close();
    }

    private static ResourceId network(ClusterName cluster) {
        return new ResourceId(NETWORK, cluster.value());
    }

    /** The request with the folder of its system: a spec has a path relative to its own folder, perhaps of an archive. */
    private MachineRequest absolute(ClusterSpec spec, MachineRequest request) {
        return request.image() instanceof ImageSource.Base base
                        && base.reference() instanceof ImageReference.SystemFile file
                ? new MachineRequest(
                        request.name(),
                        request.address(),
                        request.size(),
                        new ImageSource.Base(new ImageReference.SystemFile(host.systems
                                .at(BaseSystems.path(spec, file))
                                .root()
                                .toString())),
                        request.bootstrap())
                : request;
    }

    private MachineOutcome boot(ClusterName cluster, MachineRequest request, ResourceLog log) {
        ResourceId resource = new ResourceId(LocalNodes.MACHINE, request.name().value());
        try {
            log.creating(resource);
            Machine machine = host.create(cluster, request);
            try {
                host.boot(cluster, request.name());
            } catch (ClusterwrightException e) {
                stopAfter(e, cluster, request.name());
                throw e;
            }
            log.created(resource);
            return new MachineOutcome.Made(machine);
        } catch (ClusterwrightException e) {
            return new MachineOutcome.Failed(request.name(), e);
        } catch (RuntimeException e) {
            return new MachineOutcome.Failed(
                    request.name(), LocalMachinesException.of("boot node " + request.name(), e));
        }
    }

    /** The disk stays until the caller, to whom it was announced, deletes it. */
    private void stopAfter(ClusterwrightException failure, ClusterName cluster, NodeName node) {
        try {
            host.stop(cluster, node);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void each(
            String action, ClusterName cluster, Collection<Machine> machines, Consumer<NodeName> work) {
        Tasks.interruptibly(
                "interrupted during " + action + " of the nodes of cluster " + cluster,
                () -> Tasks.forEach("local-" + action, AT_ONCE, machines, machine -> work.accept(machine.name())));
    }
}
