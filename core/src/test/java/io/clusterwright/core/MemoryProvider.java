package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/** A provider whose machines are entries in a map, for the parts of the lifecycle that no machine is needed for. */
final class MemoryProvider implements MachineProvider, ProviderMachines {
    final Set<ResourceId> existing = Collections.synchronizedSet(new LinkedHashSet<>());
    final Set<ClusterId> ids = ConcurrentHashMap.newKeySet();
    final Map<NodeName, MachineRequest> machines = new ConcurrentHashMap<>();
    final List<String> images = Collections.synchronizedList(new ArrayList<>());
    final Set<String> proven = ConcurrentHashMap.newKeySet();
    final Map<String, String> owners = new ConcurrentHashMap<>();
    final Set<NodeName> refused = ConcurrentHashMap.newKeySet();
    final Set<ResourceId> undeletable = ConcurrentHashMap.newKeySet();
    List<Finding> findings = List.of();
    final Set<NodeName> stopped = ConcurrentHashMap.newKeySet();
    final Set<NodeName> curedByRestart = ConcurrentHashMap.newKeySet();
    final Set<NodeName> curedByReplacement = ConcurrentHashMap.newKeySet();
    final Set<NodeName> unstoppable = ConcurrentHashMap.newKeySet();
    final Set<ResourceId> holding = ConcurrentHashMap.newKeySet();
    final Set<NodeName> broken = ConcurrentHashMap.newKeySet();
    final Set<NodeName> unstartable = ConcurrentHashMap.newKeySet();
    volatile Runnable beforeMachines = () -> {};
    volatile Runnable beforeStop = () -> {};
    volatile Runnable beforeDeletion = () -> {};
    volatile boolean queryFails;
    volatile boolean captureFails;
    final List<Finding> outages = Collections.synchronizedList(new ArrayList<>());
    private volatile Consumer<Finding> recipient = finding -> {};
    final List<String> powered = Collections.synchronizedList(new ArrayList<>());
    boolean closed;

    /** What happens at each attempt to become the builder of an image, while another one builds it. */
    final Deque<Consumer<String>> othersWork = new ConcurrentLinkedDeque<>();

    boolean choosesAddresses;
    Optional<Instant> expires = Optional.empty();
    volatile Runnable onState = () -> {};
    volatile Runnable onQuery = () -> {};
    volatile Runnable onConsole = () -> {};
    private int chosen;

    /** The cluster demo of this number of nodes, from demo11 on. */
    static ClusterSpec.Builder demo(int count) {
        return ClusterSpec.builder("demo")
                .region("westus")
                .nodes(n -> n.count(count)
                        .prefix("demo")
                        .firstIndex(11)
                        .size("Standard_A9")
                        .deadline(Duration.ofMillis(200)));
    }

    /** A new manager with its records in this folder, as a new process has it. */
    ClusterManager manager(Path folder) {
        return ClusterManager.builder(this)
                .stateStore(StateStore.inFolder(folder))
                .build();
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public MachineProvider open() {
        return this;
    }

    @Override
    public void onNotice(Consumer<Finding> recipient) {
        this.recipient = recipient;
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        return new Inspection(findings, List.of("price: no price table was given"), "base-1");
    }

    @Override
    public boolean choosesAddresses(ClusterSpec spec) {
        return choosesAddresses;
    }

    /** Counts from the end of a range that no request asks for. */
    private synchronized Ipv4Address address(MachineRequest request) {
        return choosesAddresses ? Ipv4Address.of("10.255.0.0").plus(++chosen) : request.address();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        ids.add(log.cluster());
        ResourceId network = new ResourceId("network", spec.name().value());
        if (!existing.contains(network)) {
            log.creating(network);
            existing.add(network);
            log.created(network);
        }
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        beforeMachines.run();
        expires = log.expires();
        for (MachineRequest request : requests) {
            ResourceId id = new ResourceId("machine", request.name().value());
            log.creating(id);
            existing.add(id);
            if (refused.contains(request.name())) {
                outcome.accept(new MachineOutcome.Failed(
                        request.name(), new ClusterwrightException("no capacity for " + request.name())));
                continue;
            }
            machines.put(request.name(), request);
            log.created(id);
            outcome.accept(new MachineOutcome.Made(new Machine(
                    request.name(),
                    address(request),
                    id,
                    request.bootstrap().hostKey().publicKey(),
                    Interconnect.NONE)));
        }
    }

    @Override
    public boolean installExtensions(
            ClusterId id, ClusterSpec cluster, Machine machine, Consumer<ExtensionSpec> before) {
        cluster.extensions().forEach(extension -> {
            before.accept(extension);
            MemoryBackend.CALLS.add("extension on " + machine.name());
        });
        return !cluster.extensions().isEmpty();
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        return new Endpoint(machine.address().toString(), 22);
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        onState.run();
        if (!machines.containsKey(machine.name())) {
            return MachineState.ABSENT;
        }
        if (broken.contains(machine.name())) {
            return MachineState.FAILED;
        }
        return stopped.contains(machine.name()) ? MachineState.STOPPED : MachineState.RUNNING;
    }

    @Override
    public Optional<String> console(ClusterId cluster, Machine machine) {
        onConsole.run();
        return Optional.empty();
    }

    @Override
    public void start(ClusterId cluster, Collection<Machine> machines) {
        powered.add("start " + fold(machines));
        machines.forEach(machine -> {
            if (unstartable.contains(machine.name())) {
                throw new ClusterwrightException("no capacity to start " + machine.name());
            }
            stopped.remove(machine.name());
            if (curedByRestart.contains(machine.name())) {
                MemoryBackend.SILENT.remove(machine.name());
            }
        });
    }

    @Override
    public void stop(ClusterId cluster, Collection<Machine> machines) {
        beforeStop.run();
        powered.add("stop " + fold(machines));
        machines.stream()
                .map(Machine::name)
                .filter(name -> !unstoppable.contains(name))
                .forEach(stopped::add);
    }

    private static String fold(Collection<Machine> machines) {
        return NodeSet.fold(machines.stream().map(Machine::name).toList());
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        return PackageFeed.ONLINE;
    }

    @Override
    public List<StoredImage> images() {
        if (closed) {
            throw new ClusterwrightException("the images are not for you to list");
        }
        return images.stream()
                .map(name ->
                        new StoredImage(name, Instant.EPOCH, 1, proven.contains(name), owners.getOrDefault(name, "")))
                .toList();
    }

    @Override
    public ImageClaim claimImage(ClusterId builder, String imageName, String region) {
        return othersWork.isEmpty()
                ? ImageClaim.OWN
                : new ImageClaim() {
                    @Override
                    public Optional<String> builder() {
                        return Optional.of("cluster other");
                    }

                    @Override
                    public void awaitChange() {
                        othersWork.remove().accept(imageName);
                    }

                    @Override
                    public void close() {}
                };
    }

    @Override
    public Map<String, List<ClusterId>> imageUsers() {
        Map<String, List<ClusterId>> users = new HashMap<>();
        for (MachineRequest machine : machines.values()) {
            if (machine.image() instanceof ImageSource.Captured captured) {
                users.put(captured.name(), List.copyOf(ids));
            }
        }
        return users;
    }

    @Override
    public boolean layersImages() {
        return true;
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines) {
        if (captureFails) {
            throw new ClusterwrightException("no room for " + imageName);
        }
        proven.remove(imageName);
        owners.put(imageName, owner);
        images.remove(imageName);
        images.add(imageName);
    }

    @Override
    public void proven(String imageName) {
        proven.add(imageName);
    }

    @Override
    public void deleteImage(String imageName) {
        images.remove(imageName);
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        if (holding.contains(resource)) {
            throw new ClusterwrightException(resource + " also holds things of others");
        }
        deleteWithContents(cluster, resource);
    }

    @Override
    public void deleteWithContents(ClusterId cluster, ResourceId resource) {
        beforeDeletion.run();
        if (undeletable.contains(resource)) {
            throw new ClusterwrightException(resource + " is busy");
        }
        existing.remove(resource);
        NodeName node = new NodeName(resource.name());
        machines.remove(node);
        broken.remove(node);
        if (curedByReplacement.contains(node)) {
            MemoryBackend.SILENT.remove(node);
        }
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        onQuery.run();
        if (queryFails) {
            throw new ClusterwrightException("no answer to the query");
        }
        outages.forEach(recipient);
        return ids.contains(cluster) ? List.copyOf(existing) : List.of();
    }

    @Override
    public List<MarkedCluster> marked() {
        outages.forEach(recipient);
        return existing.isEmpty()
                ? List.of()
                : ids.stream()
                        .map(id -> new MarkedCluster(id, "memory", List.copyOf(existing), List.of()))
                        .toList();
    }

    @Override
    public void close() {}
}
