package io.clusterwright.azure;

import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.image.ImageKeeper;
import io.clusterwright.azure.internal.image.ImageSearch;
import io.clusterwright.azure.internal.image.ImageTarget;
import io.clusterwright.azure.internal.image.Terms;
import io.clusterwright.azure.internal.inspect.AzureFindings;
import io.clusterwright.azure.internal.inspect.Inspector;
import io.clusterwright.azure.internal.inspect.Sizes;
import io.clusterwright.azure.internal.machine.AzureExpiry;
import io.clusterwright.azure.internal.machine.MachineConsole;
import io.clusterwright.azure.internal.machine.MachineCreation;
import io.clusterwright.azure.internal.machine.MachinePower;
import io.clusterwright.azure.internal.machine.MachineProvisioner;
import io.clusterwright.azure.internal.machine.Remover;
import io.clusterwright.azure.internal.machine.RunCommands;
import io.clusterwright.azure.internal.network.EndpointResolver;
import io.clusterwright.azure.internal.network.HeadAccess;
import io.clusterwright.azure.internal.network.SharedResourceProvisioner;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.scaleset.ScaleSetProvisioner;
import io.clusterwright.azure.internal.scaleset.ScaleSets;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
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
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
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
final class AzureProvider implements MachineProvider {
    /** A custom script may take 90 minutes, by Azure's own limit. */
    private static final Duration EXTENSION_LIMIT = Duration.ofMinutes(95);

    private final Clients clients;
    private final int parallel;
    private final List<AddressRange> callers;
    private final boolean privateAddresses;
    private final boolean runCommand;
    private final boolean managedImages;
    private final boolean bootDiagnostics;
    private final String noSessions;
    private final BootImages bootImages;
    private final ImageKeeper images;
    private final Sizes sizes;
    private final EndpointResolver endpoints;
    private final Function<OperatingSystem, NodeBackend> backends;
    private final ScaleSets sets;
    private final RunCommands commands;
    private final MachinePower power;
    private final Remover remover;
    private volatile Consumer<Finding> notices = finding -> {};

    /**
     * A provider with these settings.
     *
     * @param callers the ranges that may reach external SSH where a spec names none
     */
    AzureProvider(Clients clients, AzureMachines.Builder settings, List<AddressRange> callers) {
        this.clients = clients;
        this.parallel = settings.parallel;
        this.callers = callers;
        this.privateAddresses = settings.privateAddresses;
        this.runCommand = settings.runCommand;
        this.managedImages = settings.managedImages;
        this.bootDiagnostics = settings.bootDiagnostics;
        this.noSessions = settings.noSessions;
        this.backends = settings.backends;
        ImageTarget target =
                ImageTarget.of(clients, settings.imageGroup, settings.gallery, managedImages, WaitTime.CLOCK);
        this.bootImages = new BootImages(clients, settings.imageGroup, target);
        this.images = new ImageKeeper(clients, settings.imageGroup, target, bootImages, WaitTime.CLOCK);
        this.sizes = new Sizes(clients);
        this.endpoints = new EndpointResolver(clients, privateAddresses);
        this.sets = new ScaleSets(clients);
        this.commands = new RunCommands(clients);
        this.power = new MachinePower(clients);
        this.remover = new Remover(clients);
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
                        names(spec),
                        bootImages,
                        sizes,
                        callers(spec),
                        privateAddresses || relays(spec),
                        managedImages)
                .run();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        new SharedResourceProvisioner(clients, names(spec), callers(spec), log).make();
    }

    @Override
    public void createMachines(
            ClusterSpec spec, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        ResourceNames names = names(spec);
        images.serve(requests, spec.requireRegion());
        requests.forEach(
                request -> endpoints.forget(names.machine(request.name()).toString()));
        MachineCreation creation = new MachineCreation(
                clients,
                names,
                bootImages,
                sizes,
                backends.apply(spec.operatingSystem()),
                log,
                new HeadAccess(clients, names, log.cluster(), callers(spec)),
                new AzureExpiry(clients, names, log, WaitTime.CLOCK, notices),
                bootDiagnostics);
        Predicate<MachineRequest> instance = request -> names.hasScaleSet() && names.inGroup(request.name());
        new ScaleSetProvisioner(creation, sets, this, endpoints)
                .make(requests.stream().filter(instance).toList(), outcome);
        new MachineProvisioner(creation, outcome)
                .make(requests.stream().filter(instance.negate()).toList(), parallel);
    }

    @Override
    public boolean installExtensions(
            ClusterId cluster, ClusterSpec spec, Machine machine, Consumer<ExtensionSpec> before) {
        if (spec.extensions().isEmpty()
                || spec.isSeparateHead(machine.name())
                || InstanceId.find(machine.resource().name()).isPresent()) {
            return false;
        }
        ArmId id = ArmId.of(machine.resource().name());
        ClusterResources resources = ClusterResources.requests(names(spec), cluster);
        for (ExtensionSpec extension : spec.extensions()) {
            before.accept(Extensions.standard().complete(extension));
            clients.put(
                    "install extension " + ClusterResources.extensionName(extension) + " on " + id.name(),
                    EXTENSION_LIMIT,
                    resources.extension(ArmText.plain(id.name()), extension));
        }
        return true;
    }

    @Override
    public boolean choosesAddresses(ClusterSpec spec) {
        return names(spec).hasScaleSet();
    }

    @Override
    public Endpoint endpoint(ClusterId cluster, Machine machine) {
        requireSessions(machine);
        return endpoints.of(cluster.name(), machine);
    }

    private void requireSessions(Machine machine) {
        if (!noSessions.isEmpty()) {
            throw new ClusterwrightException("no session to " + machine.name() + ": " + noSessions);
        }
    }

    /**
     * Where only the head has a way in from outside, the others are reached through it; machines that serve an image
     * have their own way.
     */
    @Override
    public Optional<NodeName> gateway(ClusterSpec spec, NodeName node) {
        NodeName head = spec.headName();
        boolean behind = spec.network().ssh().external() == SshAccess.External.HEAD
                && !node.equals(head)
                && !names(spec).servesImage(node);
        return behind && !privateAddresses && !relays(spec) ? Optional.of(head) : Optional.empty();
    }

    @Override
    public boolean relays(ClusterSpec spec) {
        return runCommand || spec.operatingSystem() == OperatingSystem.WINDOWS;
    }

    @Override
    public ScriptChannel relay(ClusterId cluster, Machine machine) {
        requireSessions(machine);
        return commands.on(machine);
    }

    @Override
    public MachineState state(ClusterId cluster, Machine machine) {
        Optional<InstanceId> instance = InstanceId.find(machine.resource().name());
        if (instance.isPresent()) {
            return sets.state(instance.get());
        }
        return power.state(ArmId.of(machine.resource().name()));
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
        images.capture(ArmId.of(machine.resource().name()), image, owner, machines);
    }

    @Override
    public void proven(String image) {
        images.proven(image);
    }

    @Override
    public ImageClaim claimImage(ClusterId builder, String image, String region) {
        return images.claim(builder, image, region);
    }

    @Override
    public Map<String, List<ClusterId>> imageUsers() {
        return images.users();
    }

    @Override
    public void deleteImage(String image) {
        images.delete(image);
    }

    @Override
    public void delete(ClusterId cluster, ResourceId resource) {
        delete(cluster, resource, remover::delete);
    }

    private void delete(ClusterId cluster, ResourceId resource, BiConsumer<ClusterId, ResourceId> noInstance) {
        endpoints.forget(resource.name());
        InstanceId.find(resource.name())
                .ifPresentOrElse(
                        instance -> sets.delete(cluster, instance), () -> noInstance.accept(cluster, resource));
    }

    @Override
    public List<ResourceId> remaining(ClusterId cluster) {
        return remover.remaining(cluster);
    }

    @Override
    public void deleteWithContents(ClusterId cluster, ResourceId resource) {
        delete(cluster, resource, remover::deleteWithContents);
    }

    @Override
    public List<MarkedCluster> marked() {
        return remover.marked();
    }

    @Override
    public List<MarkedCluster> marked(ClusterName name) {
        return remover.marked(name);
    }

    @Override
    public List<Machine> find(ClusterId cluster, ClusterSpec spec, List<Machine> planned) {
        ResourceNames names = names(spec);
        List<Machine> nodes = planned.stream()
                .map(node -> new Machine(
                        node.name(),
                        node.address(),
                        ResourceNames.resource(names.machine(node.name())),
                        node.hostKey(),
                        MachineCreation.interconnect(size(spec, node.name()))))
                .toList();
        Set<String> there = remover.machines(cluster).stream().map(ArmId::plain).collect(Collectors.toSet());
        List<Machine> found = new ArrayList<>(nodes.stream()
                .filter(node -> there.contains(ArmId.of(node.resource().name()).plain()))
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
                ArmId id = ArmId.of(machine.resource().name());
                tasks.add(() -> single.accept(id));
            }
        }
        bySet.forEach((set, ids) -> tasks.add(() -> instances.accept(set, ids)));
        ArmClient.runAll(name, parallel, tasks);
    }

    ScaleSets scaleSets() {
        return sets;
    }

    ResourceNames names(ClusterSpec spec) {
        return new ResourceNames(clients.subscription(), spec);
    }

    private List<AddressRange> callers(ClusterSpec spec) {
        List<AddressRange> given = spec.network().ssh().allowFrom();
        return given.isEmpty() ? callers : given;
    }
}
