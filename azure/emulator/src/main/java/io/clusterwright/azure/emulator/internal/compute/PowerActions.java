package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Actions on machines and instances: start, stop, restart, generalize and the like. */
final class PowerActions {
    private static final int MOST_MINUTES = 1440;

    private final Cloud cloud;
    private final BackingMachines machines;

    PowerActions(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
    }

    ResourceType addTo(ResourceType type) {
        RunCommandAction command = new RunCommandAction(cloud, machines);
        return type.action("start", this::start)
                .action("restart", (call, machine) -> restart(call, machine, "restart"))
                .action("redeploy", (call, machine) -> restart(call, machine, "redeploy"))
                .action("powerOff", (call, machine) -> stop(call, machine, Work.VM_POWER_OFF, "stopped"))
                .action("deallocate", (call, machine) -> stop(call, machine, Work.VM_DEALLOCATE, "deallocated"))
                .action("generalize", (call, machine) -> generalize(machine))
                .action("simulateEviction", (call, machine) -> evict(machine))
                .action("performMaintenance", (call, machine) -> {
                    throw ArmException.of("OperationNotAllowed.maintenance", machine.text("name"));
                })
                .action("retrieveBootDiagnosticsData", this::diagnostics)
                .action("runCommand", command::run);
    }

    private Reply start(Call call, Resource machine) {
        requireUsable(machine, "start");
        return power(call, machine, Work.VM_START, "running", machines.start(machine.id()));
    }

    private Reply restart(Call call, Resource machine, String action) {
        requireUsable(machine, action);
        requireRunning(machine, action);
        return power(call, machine, Work.VM_RESTART, "running", machines.restart(machine.id()));
    }

    private Reply stop(Call call, Resource machine, Work work, String state) {
        String action = work == Work.VM_DEALLOCATE ? "deallocate" : "powerOff";
        requireUsable(machine, action);
        boolean off = work == Work.VM_POWER_OFF && MachineViews.isDeallocated(machine);
        refuse(off, "OperationNotAllowed.deallocated", action, machine.name());
        return power(call, machine, work, state, machines.stop(machine.id()));
    }

    private Reply power(Call call, Resource machine, Work work, String state, CompletableFuture<?> real) {
        String before = machine.state();
        machine.state("Updating");
        return cloud.accept(call, machine, work, real, failure -> {
            machine.state(failure == null ? "Succeeded" : before);
            if (failure == null) {
                machine.hide(MachineViews.POWER, state);
            }
            return null;
        });
    }

    /** Refuses an action while another changes the machine. */
    static void requireIdle(Resource machine) {
        if (machine.runningOperation().isPresent()
                && !machine.isSucceeded()
                && !machine.state().equals("Failed")) {
            throw ArmException.busy(machine.id());
        }
    }

    /** Refuses what a machine that was generalized no longer does. */
    static void requireUsable(Resource machine, String action) {
        refuse(MachineViews.isGeneralized(machine), "OperationNotAllowed.generalized", action, machine.name());
    }

    static void requireRunning(Resource machine, String action) {
        refuse(!MachineViews.isRunning(machine), "OperationNotAllowed.notRunning", action, machine.name());
    }

    private static Reply generalize(Resource machine) {
        refuse(MachineViews.isRunning(machine), "OperationNotAllowed.running", machine.name());
        machine.hide(MachineViews.GENERALIZED, "true");
        return Reply.empty(200);
    }

    /** The addresses of a screenshot, which is not emulated, and of the serial log. */
    private Reply diagnostics(Call call, Resource machine) {
        refuse(
                call.query("api-version").compareTo(MachineProfile.MANAGED_DIAGNOSTICS) < 0,
                "InvalidRequest.action",
                "retrieveBootDiagnosticsData",
                machine.id().type());
        boolean instance = machine.id().isOfType(ResourceType.INSTANCES);
        JsonNode profile = instance
                ? cloud.store().require(machine.id().parent()).at(MachineProfile.OF_SET)
                : machine.properties();
        boolean enabled = Bodies.isTrue(profile, "diagnosticsProfile.bootDiagnostics.enabled");
        refuse(!enabled, "OperationNotAllowed.bootDiagnostics", machine.text("name"));
        Duration valid = validity(call.query("sasuriexpirationtimeinminutes"));
        String store = "https://md-diag.invalid/" + machine.text("properties.vmId") + "/";
        return Reply.ok(Json.object()
                .put("consoleScreenshotBlobUri", store + "screenshot.bmp?sig=emulated")
                .put(
                        "serialConsoleLogBlobUri",
                        machines.console(machine.id(), valid)
                                .map(URI::toString)
                                .orElse(store + "serialconsole.log?sig=emulated")));
    }

    /** From 1 to 1,440 minutes, and 120 where none are named (azure-rest-api-specs, ComputeRP). */
    private static Duration validity(String minutes) {
        if (minutes.isEmpty()) {
            return Duration.ofMinutes(120);
        }
        int given = minutes.matches("[0-9]{1,6}") ? Integer.parseInt(minutes) : 0;
        boolean outside = given < 1 || given > MOST_MINUTES;
        refuse(outside, "InvalidParameter.range", minutes, "sasUriExpirationTimeInMinutes", 1, MOST_MINUTES);
        return Duration.ofMinutes(given);
    }

    private Reply evict(Resource machine) {
        refuse(!Quota.isSpot(machine.text("properties.priority")), "OperationNotAllowed.notSpot");
        if (machine.text("properties.evictionPolicy").equals("Delete")) {
            machines.delete(machine.id()).exceptionally(ignored -> null);
            new MachineParts(cloud).release(machine);
            cloud.store().remove(machine.id());
            return Reply.empty(204);
        }
        machine.hide(MachineViews.POWER, "deallocated");
        machines.stop(machine.id()).exceptionally(ignored -> null);
        return Reply.empty(204);
    }
}
