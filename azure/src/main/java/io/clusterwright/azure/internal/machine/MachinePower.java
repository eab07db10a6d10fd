package io.clusterwright.azure.internal.machine;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.InstanceViewStatus;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.type.VmSize;
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
        return find(id).map(MachinePower::state).orElse(MachineState.ABSENT);
    }

    private Optional<VirtualMachineInner> find(ArmId id) {
        return clients.arm()
                .find(
                        "read machine " + id.name(),
                        () -> clients.compute()
                                .getVirtualMachines()
                                .getByResourceGroupWithResponse(
                                        id.group(), id.name(), InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
                                .getValue());
    }

    private static MachineState state(VirtualMachineInner machine) {
        return state(
                machine.instanceView() == null ? null : machine.instanceView().statuses());
    }

    /**
     * The state that these statuses of a machine or instance report. A machine may run although its last change failed; one without a power
     * state has failed, or is starting. A machine with a power state that is unknown to Azure or to this class counts as running, so that its work is
     * ended, and the machine is given up, only when it does not answer.
     */
    public static MachineState state(@Nullable List<InstanceViewStatus> statuses) {
        List<String> codes = (statuses == null ? List.<InstanceViewStatus>of() : statuses)
                .stream()
                        .map(status ->
                                status.code() == null ? "" : status.code().toLowerCase(Locale.ROOT))
                        .toList();
        boolean failed = codes.stream().anyMatch(code -> code.startsWith("provisioningstate/failed"));
        return codes.stream()
                .filter(code -> code.startsWith("powerstate/"))
                .map(code -> switch (code) {
                    case "powerstate/starting" -> MachineState.STARTING;
                    case "powerstate/stopping",
                            "powerstate/stopped",
                            "powerstate/deallocating",
                            "powerstate/deallocated" -> MachineState.STOPPED;
                    default -> MachineState.RUNNING;
                })
                .findFirst()
                .orElse(failed ? MachineState.FAILED : MachineState.STARTING);
    }

    /** The sizes of the machines that run as this resource: of a machine, its own size; of a scale set, the size of each instance. */
    public List<VmSize> running(ArmId id) {
        if (id.isType(ArmId.VM)) {
            return find(id)
                    .filter(machine -> state(machine) != MachineState.STOPPED)
                    .map(machine -> machine.hardwareProfile().vmSize().toString())
                    .map(VmSize::new)
                    .stream()
                    .toList();
        }
        if (!id.isType(ArmId.SCALE_SET)) {
            return List.of();
        }
        return clients
                .arm()
                .listIfAny(
                        "list the instances of " + id.name(),
                        () -> clients.compute()
                                .getVirtualMachineScaleSetVMs()
                                .list(id.group(), id.name(), null, null, "instanceView", Context.NONE))
                .stream()
                .filter(instance -> instance.instanceView() == null
                        || state(instance.instanceView().statuses()) != MachineState.STOPPED)
                .map(instance -> new VmSize(instance.sku().name()))
                .toList();
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
