package io.clusterwright.azure.internal.machine;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.cleanup.Remover;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.azure.internal.inspect.Sizes;
import io.clusterwright.azure.internal.network.HeadAccess;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.azure.internal.runcommand.RunCommands;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Creates machines in parallel, each with its interface. The failure of one is reported immediately, and its parts are removed while the
 * others go on.
 */
public final class MachineProvisioner {
    private static final Duration NETWORK_LIMIT = Duration.ofMinutes(20);
    private static final Duration START_LIMIT = Duration.ofMinutes(60);

    private final Clients clients;
    private final ClusterSpec spec;
    private final Names names;
    private final BootImages images;
    private final Sizes sizes;
    private final NodeBackend backend;
    private final ResourceLog log;
    private final HeadAccess access;
    private final TimeToLive end;
    private final boolean keepsConsole;
    private final Consumer<MachineOutcome> outcome;

    public MachineProvisioner(
            Clients clients,
            ClusterSpec spec,
            BootImages images,
            Sizes sizes,
            NodeBackend backend,
            ResourceLog log,
            HeadAccess access,
            TimeToLive end,
            boolean keepsConsole,
            Consumer<MachineOutcome> outcome) {
        this.clients = clients;
        this.spec = spec;
        this.names = new Names(clients.subscription(), spec);
        this.images = images;
        this.sizes = sizes;
        this.backend = backend;
        this.log = log;
        this.access = access;
        this.end = end;
        this.keepsConsole = keepsConsole;
        this.outcome = outcome;
    }

    public void make(List<MachineRequest> requests, int parallel) {
        if (requests.isEmpty()) {
            return;
        }
        Set<String> foreign = foreign();
        List<Runnable> tasks = requests.stream()
                .<Runnable>map(request -> () -> {
                    Secret bootstrap = backend.bootstrapData(request.bootstrap());
                    make(request, bootstrap, foreign);
                })
                .toList();
        ArmClient.runAll("machines", parallel, tasks);
    }

    private void make(MachineRequest request, Secret bootstrap, Set<String> foreign) {
        ResourceId resource = Names.resource(names.machine(request.name()));
        ClusterwrightException failure;
        try {
            requireFree(request, foreign);
            log.creating(resource);
        } catch (RuntimeException e) {
            outcome.accept(new MachineOutcome.Failed(request.name(), Errors.of("create " + request.name(), e)));
            return;
        }
        try {
            create(request, bootstrap);
            log.created(resource);
            outcome.accept(new MachineOutcome.Made(machine(request, request.address(), resource)));
            return;
        } catch (RuntimeException e) {
            failure = Errors.of("create " + request.name(), e);
        }
        outcome.accept(new MachineOutcome.Failed(request.name(), failure));
        if (!Thread.currentThread().isInterrupted()) {
            new Remover(clients).machine(log.cluster(), names.machine(request.name()));
            log.deleted(resource);
        }
    }

    /** What is in the group and not this cluster's: the calls that create a machine or interface of such a name would change it. */
    private Set<String> foreign() {
        String group = spec.resourceGroup();
        return clients
                .arm()
                .listIfAny(
                        "list what is in " + group,
                        () -> clients.resources().getResources().listByResourceGroup(group))
                .stream()
                .filter(one -> !Tags.areOf(one.tags(), log.cluster()))
                .map(one -> one.id().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** A list may lack what is new, so that what a request would overwrite is looked for by itself. */
    private void requireFree(MachineRequest request, Set<String> foreign) {
        ArmId id = names.machine(request.name());
        for (ArmId part : List.of(id, Names.nic(id), Names.disk(id), Names.address(id), Names.autoShutdown(id))) {
            boolean overwritten = part.isType(ArmId.VM) || part.isType(ArmId.NIC);
            if (foreign.contains(part.plain()) || overwritten && isForeign(part)) {
                throw Errors.of(
                        Reason.CONFLICT,
                        "create " + id.name(),
                        part + " exists and does not belong to cluster " + log.cluster());
            }
        }
    }

    private boolean isForeign(ArmId id) {
        return clients.find("look for " + id.name(), id)
                .filter(found -> !Tags.areOf(found.tags(), log.cluster()))
                .isPresent();
    }

    private void create(MachineRequest request, Secret bootstrap) {
        ArmId id = names.machine(request.name());
        ClusterResources resources = ClusterResources.requests(clients.subscription(), spec, log.cluster());
        ClusterResources.NodeValues node = names.node(request.name(), request.address());
        BootImage image = images.of(spec, request.image());
        if (names.servesImage(request.name())) {
            access.also(request.address());
        }
        if (node.publicAddress()) {
            clients.put("create address " + Names.address(id).name(), NETWORK_LIMIT, resources.address(node));
        }
        BooleanNode accelerated = BooleanNode.valueOf(sizes.accelerated(spec.requireRegion(), request.size()));
        clients.put(
                "create interface " + Names.nic(id).name(),
                NETWORK_LIMIT,
                resources.networkInterface(node, accelerated));
        ClusterResources.MachineValues values = new ClusterResources.MachineValues(
                ArmText.plain(request.size().name()),
                image.reference(),
                image.specialized()
                        ? Optional.empty()
                        : Optional.of(ClusterResources.system(request.bootstrap(), bootstrap)),
                Optional.ofNullable(image.plan()),
                accelerated);
        ArmResource machine = resources.machine(node, values);
        if (keepsConsole) {
            ComputeResources.bootDiagnostics(machine.properties());
        }
        clients.put("create machine " + id.name(), START_LIMIT, machine, () -> end.stopEarly(id));
        end.stop(id);
        if (image.specialized()) {
            new RunCommands(clients).identify(id, backend.identityScript(request.bootstrap()));
        }
    }

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
