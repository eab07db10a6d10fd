package io.clusterwright.azure.internal.machine;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.InstanceViewStatus;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.internal.arm.ArmId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts and stops separate machines, and reads the power state of any machine. */
public final class MachinePower {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final Clients clients;

    /** Power of the machines of a subscription. */
    public MachinePower(Clients clients) {
        this.clients = clients;
    }

    /** The state of a machine. */
    public MachineState state(ArmId id) {
        Optional<VirtualMachineInner> found = clients.arm()
                .find(
                        "read machine " + id.name(),
                        () -> clients.compute()
                                .getVirtualMachines()
                                .getByResourceGroupWithResponse(
                                        id.group(), id.name(), InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
                                .getValue());
        return found.map(machine -> state(
                        machine.instanceView() == null
                                ? null
                                : machine.instanceView().statuses()))
                .orElse(MachineState.ABSENT);
    }

    /** The state that these statuses of a machine or instance report; a machine without a power state is starting. */
    public static MachineState state(@Nullable List<InstanceViewStatus> statuses) {
        return (statuses == null ? List.<InstanceViewStatus>of() : statuses)
                .stream()
                        .map(InstanceViewStatus::code)
                        .filter(code -> code != null && code.startsWith("PowerState/"))
                        .map(code -> switch (code.toLowerCase(Locale.ROOT)) {
                            case "powerstate/running" -> MachineState.RUNNING;
                            case "powerstate/starting" -> MachineState.STARTING;
                            default -> MachineState.STOPPED;
                        })
                        .findFirst()
                        .orElse(MachineState.STARTING);
    }

    /** Starts a machine and waits until it runs. */
    public void start(ArmId id) {
        clients.act(
                "start " + id.name(),
                LIMIT,
                id,
                () -> clients.compute().getVirtualMachines().beginStart(id.group(), id.name()));
    }

    /** Deallocates a machine, which then costs nothing but its disk. */
    public void stop(ArmId id) {
        clients.act(
                "stop " + id.name(),
                LIMIT,
                id,
                () -> clients.compute().getVirtualMachines().beginDeallocate(id.group(), id.name()));
    }
}
