package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Views of the state of a machine. */
final class MachineViews {
    static final String POWER = Resource.POWER;

    /** Of an instance of a scale set, which has no separate operation: code and text of its failure, on two lines. */
    static final String FAILURE = "failure";

    static final String GENERALIZED = "generalized";

    /** What an extension reports. */
    static final String MESSAGE = "message";

    private final Cloud cloud;

    MachineViews(Cloud cloud) {
        this.cloud = cloud;
    }

    static boolean isRunning(Resource machine) {
        return machine.isHidden(POWER, "running");
    }

    static boolean isDeallocated(Resource machine) {
        return machine.isHidden(POWER, "deallocated");
    }

    static boolean isGeneralized(Resource machine) {
        return machine.hidden(GENERALIZED).isPresent();
    }

    /** Whether a client wants the view along with the resource. */
    static boolean isExpanded(Call call) {
        return call.query("expand").equalsIgnoreCase("instanceView");
    }

    void expand(Call call, Resource machine, ObjectNode body) {
        String expand = call.query("expand");
        refuseValue(!List.of("", "instanceview", "userdata").contains(expand.toLowerCase(Locale.ROOT)), "$expand");
        if (isExpanded(call) || call.query("statusonly").equalsIgnoreCase("true")) {
            Bodies.properties(body).set("instanceView", instanceView(machine));
        }
    }

    ObjectNode instanceView(Resource machine) {
        Instant now = cloud.clock().now();
        ObjectNode view = Json.object();
        if (machine.has("properties.osProfile.computerName")) {
            view.put("computerName", machine.text("properties.osProfile.computerName"));
        }
        if (isRunning(machine)) {
            ObjectNode agent = view.putObject("vmAgent").put("vmAgentVersion", "2.11.1.12");
            agent.putArray("statuses").add(status("ProvisioningState/succeeded", "Ready", now));
        }
        ObjectNode profile = machine.make("properties.storageProfile");
        if (profile.has("imageReference")) {
            view.put("hyperVGeneration", new StorageProfiles(cloud).generation(profile));
        }
        ArrayNode disks = view.putArray("disks");
        String disk = machine.text("properties.storageProfile.osDisk.name");
        if (!disk.isEmpty()) {
            disks.addObject()
                    .put("name", disk)
                    .putArray("statuses")
                    .add(status("ProvisioningState/succeeded", "Provisioning succeeded", machine.created()));
        }
        List<Resource> extensions = cloud.store().children(machine.id(), "extensions");
        if (!extensions.isEmpty()) {
            ArrayNode shown = view.putArray("extensions");
            extensions.forEach(extension -> shown.add(extension(extension, now)));
        }
        ArrayNode statuses = view.putArray("statuses");
        if (isGeneralized(machine)) {
            statuses.add(status("OSState/generalized", "VM generalized", now));
        }
        statuses.add(provisioning(machine, now));
        machine.hidden(POWER).ifPresent(power -> statuses.add(status("PowerState/" + power, "VM " + power, now)));
        return view;
    }

    private static ObjectNode provisioning(Resource machine, Instant now) {
        String state = machine.state().toLowerCase(Locale.ROOT);
        String[] own = machine.hidden(FAILURE).orElse("").split("\n", 2);
        if (state.equals("failed") && own.length == 2) {
            return status("ProvisioningState/failed/" + own[0], "Provisioning failed", now)
                    .put("level", "Error")
                    .put("message", own[1]);
        }
        ArmException failure = machine.operation().map(LongOperation::failure).orElse(null);
        if (state.equals("failed") && failure != null) {
            return status("ProvisioningState/failed/" + failure.code(), "Provisioning failed", now)
                    .put("message", failure.text());
        }
        return provisioned(machine.state(), now);
    }

    static ObjectNode provisioned(String state, Instant now) {
        String word = state.toLowerCase(Locale.ROOT);
        return status("ProvisioningState/" + word, "Provisioning " + word, now);
    }

    static ObjectNode extension(Resource extension, Instant now) {
        ObjectNode view = Json.object()
                .put("name", extension.name())
                .put("type", MachineExtensions.handler(extension))
                .put("typeHandlerVersion", extension.text("properties.typeHandlerVersion"));
        ObjectNode status = provisioning(extension, now);
        extension.hidden(MESSAGE).ifPresent(message -> status.put("message", message));
        view.putArray("statuses").add(status);
        return view;
    }

    static ObjectNode status(String code, String display, Instant time) {
        return Json.object()
                .put("code", code)
                .put("level", code.contains("ailed") ? "Error" : "Info")
                .put("displayStatus", display)
                .put("time", time.toString());
    }
}
