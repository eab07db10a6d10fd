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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Extensions of virtual machines: a custom script runs, a driver's installer restarts the machine. */
public final class Extensions extends ComputeKind {
    private final ExtensionRunner runner;

    public Extensions(Cloud cloud, Machines machines) {
        super(cloud, MACHINES + "/extensions");
        this.runner = new ExtensionRunner(machines);
    }

    @Override
    protected void fill(Call call, ArmId id, ObjectNode body, @Nullable Resource before) {
        ObjectNode properties = Bodies.properties(body);
        for (String required : List.of("publisher", "type", "typeHandlerVersion")) {
            if (Bodies.text(properties, required).isEmpty()) {
                throw ArmException.invalid(
                        required, "Required parameter 'extension.properties." + required + "' is missing (null).");
            }
        }
        Resource machine = cloud.store().require(id.parent());
        PowerActions.requireRunning(machine, "extension " + id.name());
        requireOneVersion(id, properties);
        ExtensionRunner.check(properties);
        Bodies.putDefault(properties, "autoUpgradeMinorVersion", false);
    }

    private void requireOneVersion(ArmId id, ObjectNode properties) {
        String type = Bodies.text(properties, "publisher") + "." + Bodies.text(properties, "type");
        cloud.store().children(id.parent(), "extensions").stream()
                .filter(other -> !other.id().key().equals(id.key()))
                .filter(other -> type.equalsIgnoreCase(
                        Bodies.text(other.properties(), "publisher") + "." + Bodies.text(other.properties(), "type")))
                .findFirst()
                .ifPresent(other -> {
                    throw ArmException.badRequest(
                            "BadRequest",
                            "Multiple VMExtensions per handler not supported for OS type 'Linux'. VMExtension '"
                                    + other.id().name() + "' with handler '" + type
                                    + "' already added or specified in input.");
                });
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return ExtensionRunner.isDriver(Bodies.properties(body)) ? Work.DRIVER_EXTENSION : Work.EXTENSION;
    }

    @Override
    protected CompletableFuture<?> machines(Call call, Resource extension, boolean created) {
        CompletableFuture<String> done = runner.run(extension.id().parent(), extension.properties());
        extension.properties().remove("protectedSettings");
        return done.thenAccept(message -> {
            synchronized (cloud) {
                extension.hide("message", message);
            }
        });
    }

    @Override
    public ObjectNode view(Call call, Resource extension) {
        ObjectNode view = super.view(call, extension);
        if (call.parameter("expand").orElse("").equalsIgnoreCase("instanceView")) {
            Bodies.properties(view)
                    .set(
                            "instanceView",
                            MachineViews.extensionView(extension, cloud.clock().now()));
        }
        return view;
    }

    @Override
    protected @Nullable Work deleteWork(Call call, Resource resource) {
        return Work.EXTENSION;
    }
}
