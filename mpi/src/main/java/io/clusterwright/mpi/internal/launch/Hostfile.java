package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The hosts of a job: one line per node, no comment, in node order.
 *
 * @param hosts at least one, no address twice
 */
public record Hostfile(List<Host> hosts) {

    /**
     * Checks the hosts.
     *
     * @throws InvalidValueException when there is none or an address appears twice
     */
    public Hostfile {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty()) {
            throw new InvalidValueException("hostfile", "", "one or more hosts", "10.32.0.11:2");
        }
        Map<String, NodeName> seen = new HashMap<>();
        for (Host host : hosts) {
            NodeName first = seen.putIfAbsent(host.address(), host.node());
            if (first != null) {
                throw InvalidValueException.of(
                        first + " and " + host.node() + " have the same address " + host.address(),
                        "list each host once, and give it more slots (example: " + host.address() + ":4)");
            }
        }
    }

    /** The hostfile of nodes, by their private addresses. */
    public static Hostfile of(List<LaunchNode> nodes) {
        return new Hostfile(nodes.stream()
                .map(node -> new Host(node.name(), node.address().toString(), node.slots()))
                .toList());
    }

    /** The text of the hostfile of a target for the launcher of an MPI. */
    public static String text(JobTarget target, MpiFlavour flavour) {
        HostfileDialect dialect = switch (flavour) {
            case OPEN_MPI, HPC_X -> HostfileDialect.OPEN_MPI;
            case MVAPICH2 -> HostfileDialect.MVAPICH2;
            case INTEL_MPI, MPICH -> HostfileDialect.HYDRA;
            case MS_MPI ->
                throw new InvalidValueException(
                        "MPI with a hostfile", flavour, "intel-mpi, mpich, open-mpi, hpc-x or mvapich2", "open-mpi");
        };
        return of(LaunchTarget.of(target).nodes()).text(dialect);
    }

    /** The file's text; each line ends with LF. */
    public String text(HostfileDialect dialect) {
        return hosts.stream().map(host -> dialect.line(host) + "\n").collect(Collectors.joining());
    }

    /**
     * A host.
     *
     * @param node its node
     * @param address the private address that the launcher dials, or the node's name where addresses are not fixed
     * @param slots the number of ranks it takes, at least 1
     */
    public record Host(NodeName node, String address, int slots) {}

    /** The format of a launcher's list of hosts; each launcher refuses or misreads the others' formats. */
    public enum HostfileDialect {
        /** {@code 10.32.0.11:2}: Hydra of MPICH and Intel MPI. Equal hosts are merged. */
        HYDRA("%s:%d"),
        /** {@code 10.32.0.11 slots=2}: Open MPI. A host named again adds its slots. */
        OPEN_MPI("%s slots=%d"),
        /** {@code 10.32.0.11:2}: {@code mpirun_rsh}. Ranks beyond the last slot start again with the first host. */
        MVAPICH2("%s:%d"),
        /** {@code cluster11}: Slurm knows the cores of its nodes, and nodes by name only. */
        SLURM("%s");

        private final String layout;

        HostfileDialect(String layout) {
            this.layout = layout;
        }

        String line(Hostfile.Host host) {
            return this == SLURM
                    ? host.node().value()
                    : String.format(Locale.ROOT, layout, host.address(), host.slots());
        }
    }
}
