package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.FaultKind;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.network.Interfaces;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Virtual machines. */
public final class VirtualMachines extends ComputeKind {
    private static final String RESERVE = "reserve";

    private final Sizes sizes;
    private final Quota quota;
    private final Interfaces interfaces;
    private final Machines machines;
    private final StorageProfiles storage;
    private final MachineViews views;
    private final MachineParts parts;
    private final PowerActions actions;

    public VirtualMachines(Cloud cloud, Sizes sizes, Quota quota, Interfaces interfaces, Machines machines) {
        super(cloud, MACHINES);
        this.sizes = sizes;
        this.quota = quota;
        this.interfaces = interfaces;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
        this.views = new MachineViews(cloud);
        this.parts = new MachineParts(cloud);
        this.actions = new PowerActions(cloud, machines, this::accept);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        String region = Bodies.text(body, "location");
        String name = Bodies.text(properties, "hardwareProfile", "vmSize");
        VmSizeFacts size = sizes.require(name, region);
        boolean spot = Quota.isSpot(Bodies.text(properties, "priority"));
        boolean resized = before == null
                || !Bodies.text(before.properties(), "hardwareProfile", "vmSize")
                        .equalsIgnoreCase(name);
        if (resized) {
            quota.require(size, region, spot, 1);
        }
        if (spot) {
            Bodies.putDefault(properties, "evictionPolicy", "Deallocate");
        }
        parts.checkPlacement(id, properties, spot);
        StorageProfiles.Image image =
                storage.resolve(id, Bodies.make(properties, "storageProfile"), body, region, size);
        if (before == null) {
            OsProfiles.create(id, properties, image);
        } else {
            OsProfiles.update(before, properties);
        }
        takeInterfaces(id, properties);
        String vmId = before == null ? "" : Bodies.text(before.properties(), "vmId");
        properties.put("vmId", vmId.isEmpty() ? UUID.randomUUID().toString() : vmId);
        String created = before == null ? "" : Bodies.text(before.properties(), "timeCreated");
        properties.put("timeCreated", created.isEmpty() ? cloud.clock().now().toString() : created);
        properties.remove("instanceView");
        body.remove("resources");
        parts.makeDisks(id, body, region);
    }

    private void takeInterfaces(ArmId id, ObjectNode properties) {
        List<ObjectNode> references =
                Bodies.objects(properties.path("networkProfile").path("networkInterfaces"));
        if (references.isEmpty()) {
            throw ArmException.badRequest(
                    "BadRequest", "Virtual Machine '" + id.name() + "' must have at least one network interface.");
        }
        List<Resource> taken = references.stream()
                .map(reference -> interfaces.attach(id, Bodies.text(reference, "id")))
                .toList();
        if (references.size() == 1) {
            Bodies.putDefault(Bodies.properties(references.get(0)), "primary", true);
        }
        taken.forEach(each -> each.hide(Interfaces.OWNER, id.toString()));
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return before == null ? Work.VM_CREATE : Work.VM_UPDATE;
    }

    @Override
    protected CompletableFuture<?> machines(Call call, Resource machine, boolean created) {
        OsProfiles.hideSecrets(machine);
        cloud.faults()
                .take(call, EnumSet.of(FaultKind.NIC_RESERVED))
                .ifPresent(fault -> machine.hide(RESERVE, fault.delay().toString()));
        boolean silent = cloud.faults()
                .take(call, EnumSet.of(FaultKind.SSH_NEVER_ANSWERS))
                .isPresent();
        if (!created && machine.hidden(MachineViews.POWER).isPresent()) {
            return NO_MACHINES;
        }
        return machines.create(parts.order(machine, storage, !silent));
    }

    @Override
    protected void finished(Resource machine, @Nullable ArmException failure) {
        boolean exists = failure == null || failure.code().equals(FaultKind.OS_PROVISIONING_TIMED_OUT.code());
        if (exists && machine.hidden(MachineViews.POWER).isEmpty()) {
            machine.hide(MachineViews.POWER, "running");
        }
        machine.hidden(RESERVE)
                .filter(wait -> failure != null)
                .ifPresent(wait -> parts.interfacesOf(machine)
                        .forEach(each -> interfaces.reserve(
                                each, machine.id(), cloud.clock().now().plus(Duration.parse(wait)))));
    }

    @Override
    public ObjectNode view(Call call, Resource machine) {
        ObjectNode view = super.view(call, machine);
        ArrayNode resources = Json.array();
        cloud.store()
                .children(machine.id(), "extensions")
                .forEach(each -> resources.add(each.body().deepCopy()));
        if (!resources.isEmpty()) {
            view.set("resources", resources);
        }
        if (call.parameter("expand").orElse("").equalsIgnoreCase("instanceView")) {
            Bodies.properties(view).set("instanceView", views.instanceView(machine));
        }
        return view;
    }

    @Override
    protected Work deleteWork(Call call, Resource resource) {
        return Work.VM_DELETE;
    }

    @Override
    protected CompletableFuture<?> unmaking(Resource machine) {
        return machines.delete(machine.id());
    }

    @Override
    protected void removed(Resource machine) {
        parts.release(machine);
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        Resource machine = cloud.store().require(id);
        if (call.method().equals("GET")) {
            return switch (action) {
                case "instanceView" -> {
                    machine.runningOperation()
                            .ifPresent(operation -> cloud.operations().asked(operation));
                    yield Reply.ok(views.instanceView(machine));
                }
                case "vmSizes" -> Reply.ok(sizes.list(machine.location()));
                default -> super.act(call, id, action);
            };
        }
        if (machine.runningOperation().isPresent()
                && !machine.isSucceeded()
                && !machine.state().equals("Failed")) {
            checkIdle(call, machine);
        }
        return actions.act(call, machine, action);
    }
}
