package io.clusterwright.azure.emulator.internal.compute;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Operation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import java.util.concurrent.CompletableFuture;

/** Actions on machines: start, stop, restart, generalize and the like. */
final class PowerActions {
    /** Starts an operation on a resource and answers with the way to it. */
    interface Acceptor {
        Reply accept(Call call, Resource resource, Work work, CompletableFuture<?> machines, Operation.Ending ending);
    }

    private final Machines machines;
    private final Acceptor acceptor;
    private final RunCommand commands;

    PowerActions(Cloud cloud, Machines machines, Acceptor acceptor) {
        this.commands = new RunCommand(cloud, machines, acceptor);
        this.machines = machines;
        this.acceptor = acceptor;
    }

    Reply act(Call call, Resource machine, String action) {
        return switch (action) {
            case "start" -> {
                requireUsable(machine);
                yield power(call, machine, Work.VM_START, "running", machines.start(machine.id()));
            }
            case "restart", "redeploy" -> {
                requireUsable(machine);
                requireRunning(machine, action);
                CompletableFuture<?> again =
                        machines.stop(machine.id()).thenCompose(done -> machines.start(machine.id()));
                yield power(call, machine, Work.VM_RESTART, "running", again);
            }
            case "powerOff" -> power(call, machine, Work.VM_POWER_OFF, "stopped", machines.stop(machine.id()));
            case "deallocate" -> power(call, machine, Work.VM_DEALLOCATE, "deallocated", machines.stop(machine.id()));
            case "generalize" -> generalize(machine);
            case "simulateEviction" -> evict(machine);
            case "runCommand" -> commands.run(call, machine);
            default ->
                throw ArmException.badRequest(
                        "InvalidRequest", "A virtual machine has no operation named '" + action + "'.");
        };
    }

    private Reply power(Call call, Resource machine, Work work, String state, CompletableFuture<?> real) {
        String before = machine.state();
        machine.state("Updating");
        return acceptor.accept(call, machine, work, real, failure -> {
            machine.state(failure == null ? "Succeeded" : before);
            if (failure == null) {
                machine.hide(MachineViews.POWER, state);
            }
            return null;
        });
    }

    private static void requireUsable(Resource machine) {
        if (machine.hidden(MachineViews.GENERALIZED).isPresent()) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    "Operation 'start' is not allowed on VM '" + machine.id().name()
                            + "' since the VM is generalized.");
        }
    }

    static void requireRunning(Resource machine, String action) {
        if (!machine.hidden(MachineViews.POWER).orElse("").equals("running")) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    "Cannot carry out '" + action + "' on the VM '"
                            + machine.id().name() + "' when the VM is not running.");
        }
    }

    private static Reply generalize(Resource machine) {
        if (machine.hidden(MachineViews.POWER).orElse("").equals("running")) {
            throw ArmException.conflict(
                    "OperationNotAllowed",
                    "Please power off the Virtual Machine '" + machine.id().name()
                            + "' before setting the state of the Virtual Machine to Generalized.");
        }
        machine.hide(MachineViews.GENERALIZED, "true");
        return Reply.empty(200);
    }

    private Reply evict(Resource machine) {
        if (!Quota.isSpot(Bodies.text(machine.properties(), "priority"))) {
            throw ArmException.conflict(
                    "OperationNotAllowed", "Only a virtual machine of the priority Spot can be evicted.");
        }
        machine.hide(MachineViews.POWER, "deallocated");
        CompletableFuture<?> stopped = machines.stop(machine.id());
        stopped.exceptionally(ignored -> null);
        return Reply.empty(204);
    }
}
