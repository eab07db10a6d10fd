package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One instance of a scale set, or its interface; made and changed by the set only. */
public final class InstanceKind extends ComputeKind {
    private final Machines machines;
    private final MachineViews views;
    private final PowerActions actions;

    private InstanceKind(Cloud cloud, Machines machines, String type) {
        super(cloud, type);
        this.machines = machines;
        this.views = new MachineViews(cloud);
        this.actions = new PowerActions(cloud, machines, this::accept);
    }

    public static InstanceKind instances(Cloud cloud, Machines machines) {
        return new InstanceKind(cloud, machines, INSTANCES);
    }

    public static InstanceKind interfaces(Cloud cloud, Machines machines) {
        return new InstanceKind(cloud, machines, INSTANCE_INTERFACES);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        throw ArmException.badRequest(
                "OperationNotAllowed",
                "An instance is changed through its scale set; writing it by itself is not emulated.");
    }

    @Override
    public ObjectNode view(Call call, Resource instance) {
        ObjectNode view = super.view(call, instance);
        if (call.parameter("expand").orElse("").equalsIgnoreCase("instanceView")) {
            Bodies.properties(view).set("instanceView", views.instanceView(instance));
        }
        return view;
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        Resource instance = cloud.store().require(id);
        if (call.method().equals("GET") && action.equals("instanceView")) {
            return Reply.ok(views.instanceView(instance));
        }
        return actions.act(call, instance, action);
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        if (type().equals(INSTANCE_INTERFACES)) {
            throw ArmException.badRequest(
                    "OperationNotAllowed", "The interface of an instance goes with the instance.");
        }
    }

    @Override
    protected Work deleteWork(Call call, Resource resource) {
        return Work.VM_DELETE;
    }

    @Override
    protected CompletableFuture<?> unmaking(Resource instance) {
        return type().equals(INSTANCES) ? machines.delete(instance.id()) : NO_MACHINES;
    }

    @Override
    protected void removed(Resource instance) {
        if (type().equals(INSTANCES)) {
            cloud.store()
                    .find(instance.id().parent())
                    .ifPresent(set -> Bodies.make(set.body(), "sku")
                            .put(
                                    "capacity",
                                    set.body().path("sku").path("capacity").asInt() - 1));
        }
    }
}
