package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackLinuxNodes;
import io.clusterwright.core.spec.HpcPackResourceManager;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.HpcPackSpec.Scenario;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Machines of one role and size that a spec asks a cloud for. Each machine is billed while it runs. Use it to count
 * the machines of a spec: quota, price, cost cap, the steps of the HPC Pack scenarios and the rendered scripts count
 * these machines. The machines that build an image are not among them.
 *
 * <pre>{@code
 * for (PlannedMachines machines : PlannedMachines.of(spec)) {
 *     System.out.println(machines.count() + " of " + machines.size() + ": " + machines.folded());
 * }
 * }</pre>
 *
 * @param role their role
 * @param size their size
 * @param count their number, at least 1
 * @param names their names; empty if the cloud names them
 * @param spot whether they are spot machines, which count against another quota
 */
public record PlannedMachines(MachineRole role, VmSize size, int count, List<NodeName> names, boolean spot) {
    /** The size of a domain controller that a deployment by Resource Manager creates. */
    public static final VmSize CONTROLLER_SIZE = VmSize.of("Standard_D2_v3");

    /** The size of the head node of a deployment by Resource Manager, if the spec names none. */
    public static final VmSize DEFAULT_HEAD_SIZE = VmSize.of("Standard_DS4_v2");

    /** Copies the names. */
    public PlannedMachines {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(size, "size");
        names = List.copyOf(names);
    }

    /** The machines of a spec, in the order of {@link MachineRole}; without machines whose size the spec does not name. */
    public static List<PlannedMachines> of(ClusterSpec spec) {
        List<PlannedMachines> all = new ArrayList<>();
        Optional<HpcPackSpec> pack = spec.hpcPack();
        Optional<Scenario> scenario = pack.map(HpcPackSpec::scenario);
        boolean burst = scenario.equals(Optional.of(Scenario.BURST));
        boolean existingHead = pack.filter(HpcPackSpec::existingHead).isPresent();
        spec.nodes().size().ifPresent(size -> {
            boolean spot = spec.nodes().spot().enabled();
            all.add(new PlannedMachines(
                    MachineRole.NODES, size, spec.nodes().count(), spec.nodes().names(), spot));
            if (burst) {
                pack.flatMap(HpcPackSpec::burst)
                        .ifPresent(part -> all.add(
                                new PlannedMachines(MachineRole.PROXIES, size, part.proxyNodes(), List.of(), false)));
            }
        });
        Optional<HpcPackResourceManager> manager = pack.filter(
                        part -> part.scenario() == Scenario.RESOURCE_MANAGER && !existingHead)
                .flatMap(HpcPackSpec::resourceManager);
        head(spec, manager).ifPresent(all::add);
        if (!burst && !existingHead) {
            pack.flatMap(HpcPackSpec::linuxNodes).map(PlannedMachines::linux).ifPresent(all::add);
        }
        manager.filter(part -> pack.orElseThrow().domain().option() != HpcPackDomain.Option.EXISTING_DC)
                .ifPresent(part -> all.add(new PlannedMachines(
                        MachineRole.DOMAIN_CONTROLLER,
                        CONTROLLER_SIZE,
                        1,
                        List.of(NodeName.of(part.clusterName() + "dc")),
                        false)));
        return List.copyOf(all);
    }

    private static Optional<PlannedMachines> head(ClusterSpec spec, Optional<HpcPackResourceManager> manager) {
        if (spec.hpcPack().filter(HpcPackSpec::existingHead).isPresent()) {
            return Optional.empty();
        }
        if (manager.isPresent()) {
            return Optional.of(new PlannedMachines(
                    MachineRole.HEAD,
                    spec.headNode().flatMap(head -> head.size()).orElse(DEFAULT_HEAD_SIZE),
                    1,
                    List.of(NodeName.of(manager.get().clusterName())),
                    false));
        }
        return spec.headNode()
                .flatMap(head -> head.size()
                        .map(size -> new PlannedMachines(MachineRole.HEAD, size, 1, List.of(head.name()), false)));
    }

    private static PlannedMachines linux(HpcPackLinuxNodes linux) {
        return new PlannedMachines(
                MachineRole.LINUX_NODES,
                linux.size(),
                linux.count(),
                linux.namePattern().names(linux.count()),
                false);
    }

    /** The machines of a role; empty if the spec asks for none. */
    public static Optional<PlannedMachines> of(ClusterSpec spec, MachineRole role) {
        return of(spec).stream().filter(machines -> machines.role() == role).findFirst();
    }

    /** The names, folded, such as {@code cluster[11-18]}; or the role if the cloud names the machines. */
    public String folded() {
        return names.isEmpty() ? role.toString() : NodeSet.fold(names);
    }

    /** The resources that a plan lists for these machines. */
    public PlannedResource resource() {
        return PlannedResource.billed(size + " machine", folded(), count);
    }

    /** Such as {@code 8 Standard_A9 cluster[11-18] (nodes)}. */
    @Override
    public String toString() {
        return count + " " + size + " " + folded() + " (" + role + ")";
    }

    /** The roles of machines. */
    public enum MachineRole {
        /** The compute nodes. */
        NODES("nodes"),
        /** The proxies of HPC Pack, through which a head node reaches the nodes of a burst. */
        PROXIES("proxies"),
        /** The head node. */
        HEAD("head node"),
        /** The compute nodes with Linux of a cluster of HPC Pack. */
        LINUX_NODES("Linux nodes"),
        /** The controller of a new domain. */
        DOMAIN_CONTROLLER("domain controller");

        private final String text;

        MachineRole(String text) {
            this.text = text;
        }

        /** The role for people, such as {@code Linux nodes}. */
        @Override
        public String toString() {
            return text;
        }
    }
}
