package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceBody;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.azure.emulator.internal.guest.GuestHandlers;
import io.clusterwright.azure.emulator.internal.network.Outbound;
import java.util.concurrent.CompletableFuture;

/** Extensions of virtual machines: a custom script runs, a driver's installer restarts the machine. */
final class MachineExtensions {
    private final Cloud cloud;
    private final ExtensionRunner runner;
    private final GuestHandlers guests;

    MachineExtensions(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.runner = new ExtensionRunner(machines);
        this.guests = new GuestHandlers(cloud);
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.MACHINES + "/extensions")
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        required("publisher"),
                        required("type"),
                        required("typeHandlerVersion"),
                        MachineExtensions::requireRunning,
                        MachineExtensions::requireOneVersion,
                        Row.unchanged("properties.publisher", "properties.type"),
                        draft -> ExtensionRunner.check(draft.properties(), system(draft)),
                        Row.standard("properties.autoUpgradeMinorVersion", false))
                .takes(
                        draft -> ExtensionRunner.isDriver(draft.properties()) ? Work.DRIVER_EXTENSION : Work.EXTENSION,
                        Work.EXTENSION)
                .machines((call, extension, created) -> run(extension))
                .deleteCheck(extension ->
                        cloud.store().find(extension.id().parent()).ifPresent(MachineExtensions::requireRunning))
                .view((call, extension, body) -> {
                    if (MachineViews.isExpanded(call)) {
                        ObjectNode view =
                                MachineViews.extension(extension, cloud.clock().now());
                        Bodies.properties(body).set("instanceView", view);
                    }
                });
    }

    private static Row required(String name) {
        return Row.required("properties." + name, name, "extension.properties." + name);
    }

    private static String system(Draft extension) {
        Resource machine = extension.store().require(extension.id().parent());
        return machine.text("properties.storageProfile.osDisk.osType");
    }

    private static void requireRunning(Draft extension) {
        Resource machine = extension.store().require(extension.id().parent());
        requireRunning(machine);
        JsonNode allowed = machine.at("properties.osProfile.allowExtensionOperations");
        refuse(allowed.isBoolean() && !allowed.asBoolean(), "OperationNotAllowed.extensionsOff");
        refuse(!machine.location().equals(extension.region()), "ParentResourceNotFound", machine.name());
    }

    private static void requireRunning(Resource machine) {
        refuse(!MachineViews.isRunning(machine), "OperationNotAllowed.extensionStopped");
    }

    private static void requireOneVersion(Draft extension) {
        extension
                .others()
                .filter(other ->
                        other.id().parent().key().equals(extension.id().parent().key()))
                .filter(other -> handler(other).equalsIgnoreCase(handler(extension)))
                .findFirst()
                .ifPresent(other -> {
                    throw ArmException.of("BadRequest.extension", other.name(), handler(extension));
                });
    }

    /** Publisher and type. */
    static String handler(ResourceBody extension) {
        return extension.text("properties.publisher") + "." + extension.text("properties.type");
    }

    private CompletableFuture<?> run(Resource extension) {
        Resource machine = cloud.store().require(extension.id().parent());
        ObjectNode properties = extension.properties();
        boolean wayOut = new Outbound(cloud).isOpen(machine.id());
        CompletableFuture<String> done = guests.problem(machine, properties, wayOut)
                .map(problem -> CompletableFuture.<String>failedFuture(ArmException.of(
                        "VMExtensionProvisioningError.handler",
                        Bodies.text(properties, "publisher"),
                        Bodies.text(properties, "type"),
                        problem)))
                .orElseGet(() -> runner.run(machine.id(), properties, wayOut));
        properties.remove("protectedSettings");
        return done.thenAccept(message -> {
            synchronized (cloud) {
                extension.hide(MachineViews.MESSAGE, message);
            }
        });
    }
}
