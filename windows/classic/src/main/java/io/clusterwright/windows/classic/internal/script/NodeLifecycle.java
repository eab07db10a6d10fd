package io.clusterwright.windows.classic.internal.script;

import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedMachines.MachineRole;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import java.util.List;
import java.util.stream.Stream;

/**
 * The lifecycle of compute nodes in classic virtual machines as a script: online, offline, stopped and started again.
 *
 * <p>Stopping deallocates the machines, so that they are no longer billed; their disks are. Immutable and safe for use by several threads.
 *
 * @param nodes the nodes, at least one
 * @param linux the nodes that run Linux, whose firewall no MPI program is registered with
 * @param programs the MPI programs that the firewall of the nodes with Windows opens for
 */
public record NodeLifecycle(List<NodeName> nodes, List<NodeName> linux, List<FirewallRule> programs) {
    /** The name of the script's file. */
    public static final String FILE_NAME = "node-lifecycle.ps1";

    /**
     * Copies the lists.
     *
     * @throws InvalidValueException when it is empty
     */
    public NodeLifecycle {
        nodes = List.copyOf(nodes);
        linux = List.copyOf(linux);
        programs = List.copyOf(programs);
        if (nodes.isEmpty()) {
            throw InvalidValueException.of(
                    "a lifecycle script needs at least one node", "add a node (example: HPCCN-0001)");
        }
    }

    /** The lifecycle of the compute nodes of a spec. */
    public static NodeLifecycle of(ClusterSpec spec) {
        List<NodeName> linux = PlannedMachines.of(spec, MachineRole.LINUX_NODES)
                .map(PlannedMachines::names)
                .orElse(List.of());
        return new NodeLifecycle(
                Stream.of(spec.nodes().names(), linux).flatMap(List::stream).toList(),
                linux,
                spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of()));
    }

    /**
     * The effect of a step, for people.
     *
     * @param step {@code ONLINE}, {@code OFFLINE}, {@code STOP} or {@code START}
     * @throws InvalidValueException when it is another one
     */
    public String describe(Step step) {
        String verb = switch (step) {
            case ONLINE -> "bring online";
            case OFFLINE -> "take offline";
            case STOP -> "stop and deallocate";
            case START -> "start";
            default -> throw new InvalidValueException("step", step.name(), "ONLINE, OFFLINE, STOP or START", "STOP");
        };
        return verb + " " + NodeSet.fold(nodes);
    }

    /** The script, to be run on the head node by an administrator: {@code .\node-lifecycle.ps1 -Action Online}. */
    public PowerShellScript script() {
        return PowerShellScript.read(name -> NodeLifecycle.class.getResourceAsStream(name), FILE_NAME)
                .heading("The life of " + NodeSet.fold(nodes)
                        + ". Run as administrator on the head node; each action can be taken again.\n\n"
                        + ".\\" + FILE_NAME + " -Action Online    jobs may use the nodes\n"
                        + ".\\" + FILE_NAME + " -Action Offline   jobs on them end, and no new ones start\n"
                        + ".\\" + FILE_NAME
                        + " -Action Stop      offline, and the machines deallocated: no longer billed\n"
                        + ".\\" + FILE_NAME + " -Action Start     the machines boot again, offline")
                .set("Names", nodes.stream().map(NodeName::value).toList())
                .set("LinuxNames", linux.stream().map(NodeName::value).toList())
                .programs(programs);
    }
}
