package io.clusterwright.azure.internal;

import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.cleanup.Remover;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.image.ImageKeeper;
import io.clusterwright.azure.internal.image.ImageSearch;
import io.clusterwright.azure.internal.image.ImageStores;
import io.clusterwright.azure.internal.image.ImageTarget;
import io.clusterwright.azure.internal.image.Terms;
import io.clusterwright.azure.internal.inspect.AzureFindings;
import io.clusterwright.azure.internal.inspect.Inspector;
import io.clusterwright.azure.internal.inspect.Sizes;
import io.clusterwright.azure.internal.machine.ExtensionProvisioner;
import io.clusterwright.azure.internal.machine.MachineConsole;
import io.clusterwright.azure.internal.machine.MachineProvisioner;
import io.clusterwright.azure.internal.machine.TimeToLive;
import io.clusterwright.azure.internal.network.EndpointResolver;
import io.clusterwright.azure.internal.network.HeadAccess;
import io.clusterwright.azure.internal.network.SharedResourceProvisioner;
import io.clusterwright.azure.internal.power.MachinePower;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.azure.internal.runcommand.RunCommands;
import io.clusterwright.azure.internal.scaleset.ScaleSetProvisioner;
import io.clusterwright.azure.internal.scaleset.ScaleSets;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Machines of Azure: leads each call to the topic that carries it out. */
public final class AzureProvider implements MachineProvider {
    private final Clients clients;
    private final Settings settings;
    private final BootImages bootImages;
    private final ImageKeeper images;
    private final Sizes sizes;
    private final EndpointResolver endpoints;
    private final Function<OperatingSystem, NodeBackend> backends;
    private final ScaleSets sets;
    private final RunCommands commands;
    private final MachinePower power;
    private volatile Consumer<Finding> notices = finding -> {};

    /** A provider over these clients, which finds backends by {@link java.util.ServiceLoader}. */
    public AzureProvider(Clients clients, Settings settings) {
        this(clients, settings, NodeBackend::of);
    }

    /** A provider over these clients, with these backends. */
    AzureProvider(Clients clients, Settings settings, Function<OperatingSystem, NodeBackend> backends) {
        this.clients = clients;
        this.backends = backends;
        this.settings = settings;
        ImageTarget target = ImageStores.of(clients, settings.imageGroup(), settings.gallery(), settings.managed());
        this.bootImages = new BootImages(clients, settings.imageGroup(), target);
        this.images = new ImageKeeper(clients, settings.imageGroup(), target, bootImages, Clock.systemUTC());
        this.sizes = new Sizes(clients);
        this.endpoints = new EndpointResolver(clients, settings.privateAddresses());
        this.sets = new ScaleSets(clients);
        this.commands = new RunCommands(clients);
        this.power = new MachinePower(clients);
    }

    @Override
    public String name() {
        return AzureMachines.NAME;
    }

    @Override
    public void onNotice(Consumer<Finding> recipient) {
        notices = recipient;
        clients.arm().onOutage(line -> recipient.accept(AzureFindings.outage(line)));
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        return new Inspector(
                        clients,
                        spec,
                        bootImages,
                        sizes,
                        callers(spec),
                        settings.privateAddresses() || relays(spec),
                        settings.managed())
                .run();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        new SharedResourceProvisioner(clients, spec, callers(spec), log).make();
    }

    @Override
    public void createMachines(
            ClusterSpec spec, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        Names names = names(spec);
        images.serve(requests, spec.requireRegion());
        requests.forEach(
                request -> endpoints.forget(names.machine(request.name()).toString()));
        NodeBackend backend = backends.apply(spec.operatingSystem());
        boolean set = names.hasScaleSet();
        Predicate<MachineRequest> instance = request -> set && names.inGroup(request.name());
        List<MachineRequest> instances = requests.stream().filter(instance).toList();
        HeadAccess access = new HeadAccess(clients, spec, log.cluster(), callers(spec));
        boolean keeps = settings.bootDiagnostics();
        TimeToLive end = new TimeToLive(clients, spec, log, Clock.systemUTC(), notices);
        new ScaleSetProvisioner(
                        clients, sets, spec, bootImages, sizes, backend, log, this, endpoints, access, end, keeps)
                .make(instances, outcome);
        List<MachineRequest> machines =
                requests.stream().filter(instance.negate()).toList();
        new MachineProvisioner(clients, spec, bootImages, sizes, backend, log, access, end, keeps, outcome)
                .make(machines, settings.parallel());
    }

    @Override
    public boolean installExtensions(
            ClusterId cluster, ClusterSpec spec, Machine machine, Consumer<ExtensionSpec> before) {
        if (spec.extensions().isEmpty()
                || spec.isSeparateHead(machine.name())
                || InstanceId.find(machine.resource().name()).isPresent()) {
            return false;
        }
        new ExtensionProvisioner(clients, spec, cluster)
                .install(ArmId.parse(machine.resource().name()), before);
        return true;
    }

    @Override
    public boolean choosesAddresses(ClusterSpec spec) {
        return names(spec).hasScaleSet();
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        return endpoints.of(cluster.name(), machine);
    }

    /** Where only the head has a way in from outside, the others are reached through it; machines that serve an image have their own way. */
    @Override
    public Optional<NodeName> gateway(ClusterSpec spec, NodeName node) {
        NodeName head = spec.headName();
        boolean behind = spec.network().ssh().external() == SshAccess.External.HEAD
                && !node.equals(head)
                && !names(spec).servesImage(node);
        return behind && !settings.privateAddresses() && !relays(spec) ? Optional.of(head) : Optional.empty();
    }

    @Override
    public boolean relays(ClusterSpec spec) {
        return settings.runCommand() || spec.operatingSystem() == OperatingSystem.WINDOWS;
    }

    @Override
    public ScriptChannel relay(ClusterId cluster, Machine machine) {
        return commands.on(machine);
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        Optional<InstanceId> instance = InstanceId.find(machine.resource().name());
        if (instance.isPresent()) {
            return sets.state(instance.get());
        }
        return power.state(ArmId.parse(machine.resource().name()));
    }

    @Override
    public Optional<String> console(ClusterId cluster, Machine machine) {
        return Optional.of(new MachineConsole(clients).read(machine));
    }

    @Override
    public List<StoredImage> images() {
        return images.images();
    }

    /** Looks for images of the marketplace in a region. */
    public ImageSearch imageSearch(String region) {
        return new ImageSearch(clients, bootImages, region);
    }

    /**
     * Accepts the terms of a plan.
     *
     * @param plan publisher, product and name, separated by colons; empty for none
     */
    public void acceptTerms(String plan) {
        String[] parts = plan.split(":", -1);
        if (parts.length == 3) {
            new Terms(clients).accept(ComputeResources.plan(parts[0], parts[1], parts[2]));
        }
    }

    @Override
    public boolean layersImages() {
        return false;
    }

    @Override
    public PackageFeed packageFeed(ClusterId cluster, Machine machine) {
        return PackageFeed.ONLINE;
    }

    @Override
    public void capture(ClusterId cluster, Machine machine, String image, String owner, int machines) {
        images.capture(ArmId.parse(machine.resource().name()), image, owner, machines);
    }

    @Override
    public void proven(String image) {
        images.proven(image);
    }

    @Override
    public void deleteImage(String image) {
        images.delete(image);
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        delete(cluster, resource, new Remover(clients)::delete);
    }

    private void delete(ClusterId cluster, ResourceId resource, BiConsumer<ClusterId, ResourceId> noInstance) {
        endpoints.forget(resource.name());
        InstanceId.find(resource.name())
                .ifPresentOrElse(
                        instance -> sets.delete(cluster, instance), () -> noInstance.accept(cluster, resource));
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        return new Remover(clients).remaining(cluster);
    }

    @Override
    public void deleteWithContents(ClusterId cluster, ResourceId resource) {
        delete(cluster, resource, new Remover(clients)::deleteWithContents);
    }

    @Override
    public List<MarkedCluster> marked() {
        return new Remover(clients).marked();
    }

    @Override
    public List<MarkedCluster> marked(ClusterName name) {
        return new Remover(clients).marked(name);
    }

    @Override
    public List<Machine> find(ClusterId cluster, ClusterSpec spec, List<Machine> planned) {
        Names names = names(spec);
        List<Machine> nodes = planned.stream()
                .map(node -> new Machine(
                        node.name(),
                        node.address(),
                        Names.resource(names.machine(node.name())),
                        node.hostKey(),
                        MachineProvisioner.interconnect(size(spec, node.name()))))
                .toList();
        Set<String> there = new Remover(clients)
                .machines(cluster).stream().map(ArmId::plain).collect(Collectors.toSet());
        List<Machine> found = new ArrayList<>(nodes.stream()
                .filter(node ->
                        there.contains(ArmId.parse(node.resource().name()).plain()))
                .toList());
        if (names.hasScaleSet()) {
            found.addAll(sets.find(cluster, names.scaleSet(), nodes));
        }
        return found;
    }

    private static VmSize size(ClusterSpec spec, NodeName machine) {
        return spec.isSeparateHead(machine)
                ? spec.headNode().orElseThrow().requireSize()
                : spec.nodes().requireSize();
    }

    @Override
    public void start(ClusterId cluster, Collection<Machine> machines) {
        each("start", machines, power::start, sets::start);
    }

    @Override
    public void stop(ClusterId cluster, Collection<Machine> machines) {
        each("stop", machines, power::stop, sets::stop);
    }

    /** Clients and pipelines belong to the caller. */
    @Override
    public void close() {}

    private void each(
            String name,
            Collection<Machine> machines,
            Consumer<ArmId> single,
            BiConsumer<ArmId, List<String>> instances) {
        List<Runnable> tasks = new ArrayList<>();
        Map<ArmId, List<String>> bySet = new LinkedHashMap<>();
        for (Machine machine : machines) {
            Optional<InstanceId> instance = InstanceId.find(machine.resource().name());
            if (instance.isPresent()) {
                bySet.computeIfAbsent(instance.get().set(), set -> new ArrayList<>())
                        .add(instance.get().instance());
            } else {
                ArmId id = ArmId.parse(machine.resource().name());
                tasks.add(() -> single.accept(id));
            }
        }
        bySet.forEach((set, ids) -> tasks.add(() -> instances.accept(set, ids)));
        ArmClient.runAll(name, settings.parallel(), tasks);
    }

    ScaleSets scaleSets() {
        return sets;
    }

    Names names(ClusterSpec spec) {
        return new Names(clients.subscription(), spec);
    }

    private List<AddressRange> callers(ClusterSpec spec) {
        List<AddressRange> given = spec.network().ssh().allowFrom();
        return given.isEmpty() ? settings.callers() : given;
    }

    /**
     * The settings of a provider.
     *
     * @param imageGroup the resource group of captured images
     * @param gallery the Compute Gallery of captured images
     * @param managed whether new images become managed images and not versions of the gallery
     * @param parallel operations at a time
     * @param callers the ranges that may reach external SSH where a description names none
     * @param privateAddresses whether all nodes are dialled at their private addresses
     * @param runCommand whether nodes are reached by Run Command and not dialled
     * @param bootDiagnostics whether the consoles of new machines are kept
     */
    public record Settings(
            String imageGroup,
            String gallery,
            boolean managed,
            int parallel,
            List<AddressRange> callers,
            boolean privateAddresses,
            boolean runCommand,
            boolean bootDiagnostics) {}
}
