package io.clusterwright.mpi.spi;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The facts that every kind of target has for the launch of a job. Implement {@link NodeTarget}, {@link SchedulerTarget} or both.
 */
public interface LaunchTarget extends JobTarget {
    /** The defaults of a target without a spec. */
    MpiSettings NO_DEFAULTS = MpiSettings.builder().build();

    /**
     * The facts of a target.
     *
     * @throws InvalidValueException when the target implements none of the interfaces of this package
     */
    static LaunchTarget of(JobTarget target) {
        if (target instanceof LaunchTarget known && (known instanceof NodeTarget || known instanceof SchedulerTarget)) {
            return known;
        }
        throw InvalidValueException.of(
                target.getClass().getSimpleName() + " is neither a NodeTarget nor a SchedulerTarget",
                "use a target of the library (example: JobTarget.of(cluster))");
    }

    /**
     * The facts of a target on whose nodes a POSIX shell can start programs: of any target but a scheduler of Windows nodes.
     *
     * @throws InvalidValueException when the target has no such nodes
     */
    static LaunchTarget withShell(JobTarget target) {
        LaunchTarget known = of(target);
        boolean windows = known.installation()
                .filter(mpi -> mpi.flavour() == MpiFlavour.MS_MPI)
                .isPresent();
        return windows ? NodeTarget.of(target) : known;
    }

    /** The nodes in the order ranks fill them; at least one. */
    List<LaunchNode> nodes();

    @Override
    default List<NodeName> nodeNames() {
        return nodes().stream().map(LaunchNode::name).toList();
    }

    /** The network MPI traffic takes; absent when every network of the nodes will do. */
    default Optional<AddressRange> network() {
        return Optional.empty();
    }

    /** The fast network that every node has. */
    default Interconnect interconnect() {
        return Interconnect.NONE;
    }

    /** The size of the nodes, where they are machines of one size of the catalog; absent otherwise. */
    default Optional<VmSizeFacts> size() {
        return Optional.empty();
    }

    /** The MPI of jobs that do not name one; absent when any will do. */
    default Optional<MpiFlavour> flavour() {
        return Optional.empty();
    }

    /** The MPI of the nodes where it is known without a session to one of them; absent otherwise. */
    default Optional<MpiInstallation> installation() {
        return Optional.empty();
    }

    /** The defaults of jobs, as a spec has them. */
    default MpiSettings defaults() {
        return NO_DEFAULTS;
    }

    /** The name of the preset of jobs that name none, or {@code auto} for the one that suits the nodes and the MPI. */
    default String preset() {
        return defaults().preset();
    }

    /** The codes of findings that results of jobs leave out, such as {@code CW-DIAG-401}. */
    default Set<String> suppressed() {
        return Set.of();
    }

    /** The environment variables of every job; a job's own win over them. */
    default Map<String, String> environment() {
        return defaults().env();
    }

    /**
     * Whether the nodes are parts of one machine and share its cores. Binding ranks to cores is switched off there: each
     * node would bind its first rank to the same core.
     */
    default boolean sharesOneMachine() {
        return false;
    }

    @Override
    LaunchTarget only(Collection<NodeName> names);

    /**
     * Selects the nodes of a measurement, on which its jobs run; by default {@link #only}. A scheduler that chooses the nodes of
     * its jobs itself may keep other nodes idle for such a job.
     */
    default LaunchTarget exactly(Collection<NodeName> names) {
        return only(names);
    }
}
