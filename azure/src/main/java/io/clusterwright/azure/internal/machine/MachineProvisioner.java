package io.clusterwright.azure.internal.machine;

import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
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

    private final MachineCreation creation;
    private final Clients clients;
    private final ResourceNames names;
    private final ResourceLog log;
    private final Consumer<MachineOutcome> outcome;

    public MachineProvisioner(MachineCreation creation, Consumer<MachineOutcome> outcome) {
        this.creation = creation;
        this.clients = creation.clients();
        this.names = creation.names();
        this.log = creation.log();
        this.outcome = outcome;
    }

    public void make(List<MachineRequest> requests, int parallel) {
        if (requests.isEmpty()) {
            return;
        }
        Set<String> foreign = foreign();
        List<Runnable> tasks = requests.stream()
                .<Runnable>map(request -> () -> {
                    Secret bootstrap = creation.backend().bootstrapData(request.bootstrap());
                    make(request, bootstrap, foreign);
                })
                .toList();
        ArmClient.runAll("machines", parallel, tasks);
    }

    private void make(MachineRequest request, Secret bootstrap, Set<String> foreign) {
        ResourceId resource = ResourceNames.resource(names.machine(request.name()));
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
            outcome.accept(new MachineOutcome.Made(MachineCreation.machine(request, request.address(), resource)));
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
        String group = names.spec().resourceGroup();
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
        for (ArmId part : List.of(
                id,
                ResourceNames.nic(id),
                ResourceNames.disk(id),
                ResourceNames.address(id),
                ResourceNames.autoShutdown(id))) {
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
        ClusterResources resources = creation.resources();
        ClusterResources.NodeValues node = names.node(request.name(), request.address());
        BootImage image = creation.images().of(names.spec(), request.image());
        if (names.servesImage(request.name())) {
            creation.access().also(request.address());
        }
        if (node.publicAddress()) {
            clients.put("create address " + ResourceNames.address(id).name(), NETWORK_LIMIT, resources.address(node));
        }
        ClusterResources.MachineValues values = creation.values(
                request.size(),
                image,
                image.specialized()
                        ? Optional.empty()
                        : Optional.of(ClusterResources.system(request.bootstrap(), bootstrap)));
        clients.put(
                "create interface " + ResourceNames.nic(id).name(),
                NETWORK_LIMIT,
                resources.networkInterface(node, values.accelerated()));
        ArmResource machine = resources.machine(node, values);
        if (creation.keepsConsole()) {
            ComputeResources.bootDiagnostics(machine.properties());
        }
        clients.put(
                "create machine " + id.name(),
                START_LIMIT,
                machine,
                () -> creation.end().stopEarly(id));
        creation.end().stop(id);
        if (image.specialized()) {
            new RunCommands(clients).identify(id, creation.backend().identityScript(request.bootstrap()));
        }
    }
}
