package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Operation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.json.Json;
import java.time.Instant;
import java.util.Locale;

/** Views of the state of a machine. */
final class MachineViews {
    static final String POWER = "power";

    /** Of an instance of a scale set, which has no separate operation: code and text of its failure, on two lines. */
    static final String FAILURE = "failure";

    static final String GENERALIZED = "generalized";

    private final Cloud cloud;

    MachineViews(Cloud cloud) {
        this.cloud = cloud;
    }

    ObjectNode instanceView(Resource machine) {
        Instant now = cloud.clock().now();
        ObjectNode view = Json.object();
        String computer = Bodies.text(machine.body(), "properties", "osProfile", "computerName");
        if (!computer.isEmpty()) {
            view.put("computerName", computer);
        }
        String power = machine.hidden(POWER).orElse("");
        boolean running = power.equals("running");
        if (running) {
            ObjectNode agent = view.putObject("vmAgent").put("vmAgentVersion", "2.11.1.12");
            agent.putArray("statuses").add(ComputeKind.status("ProvisioningState/succeeded", "Ready", now));
        }
        ObjectNode profile = Bodies.make(machine.properties(), "storageProfile");
        if (!profile.path("imageReference").isMissingNode()) {
            view.put("hyperVGeneration", new StorageProfiles(cloud).generation(profile, machine.location()));
        }
        ArrayNode disks = view.putArray("disks");
        String disk = Bodies.text(machine.body(), "properties", "storageProfile", "osDisk", "name");
        if (!disk.isEmpty()) {
            disks.addObject()
                    .put("name", disk)
                    .putArray("statuses")
                    .add(ComputeKind.status(
                            "ProvisioningState/succeeded", "Provisioning succeeded", machine.created()));
        }
        ArrayNode extensions = Json.array();
        cloud.store()
                .children(machine.id(), "extensions")
                .forEach(extension -> extensions.add(extensionView(extension, now)));
        if (!extensions.isEmpty()) {
            view.set("extensions", extensions);
        }
        view.set("statuses", statuses(machine, now));
        return view;
    }

    private static ArrayNode statuses(Resource machine, Instant now) {
        ArrayNode statuses = Json.array();
        if (machine.hidden(GENERALIZED).isPresent()) {
            statuses.add(ComputeKind.status("OSState/generalized", "VM generalized", now));
        }
        statuses.add(provisioning(machine, now));
        machine.hidden(POWER)
                .ifPresent(power -> statuses.add(ComputeKind.status("PowerState/" + power, "VM " + power, now)));
        return statuses;
    }

    private static ObjectNode provisioning(Resource machine, Instant now) {
        String state = machine.state().toLowerCase(Locale.ROOT);
        String[] own = machine.hidden(FAILURE).orElse("").split("\n", 2);
        if (state.equals("failed") && own.length == 2) {
            return ComputeKind.status("ProvisioningState/failed/" + own[0], "Provisioning failed", now)
                    .put("level", "Error")
                    .put("message", own[1]);
        }
        ArmException failure = machine.operation().map(Operation::failure).orElse(null);
        if (state.equals("failed") && failure != null) {
            return ComputeKind.status("ProvisioningState/failed/" + failure.code(), "Provisioning failed", now)
                    .put("message", failure.text());
        }
        return ComputeKind.status("ProvisioningState/" + state, "Provisioning " + state, now);
    }

    static ObjectNode extensionView(Resource extension, Instant now) {
        ObjectNode properties = extension.properties();
        ObjectNode view = Json.object()
                .put("name", extension.id().name())
                .put("type", Bodies.text(properties, "publisher") + "." + Bodies.text(properties, "type"))
                .put("typeHandlerVersion", Bodies.text(properties, "typeHandlerVersion"));
        ObjectNode status = provisioning(extension, now);
        extension.hidden("message").ifPresent(message -> status.put("message", message));
        view.putArray("statuses").add(status);
        return view;
    }
}
