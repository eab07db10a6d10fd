package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
            throw new InvalidValueException("hostfile", "", "at least one host", "10.32.0.11:2");
        }
        Set<String> seen = new HashSet<>();
        for (Host host : hosts) {
            if (!seen.add(host.address())) {
                throw new InvalidValueException(
                        "list of hosts",
                        host.address() + " twice",
                        "each host once, with more slots where it takes more ranks",
                        host.address());
            }
        }
    }

    /** The hostfile of nodes, by their private addresses. */
    public static Hostfile of(List<LaunchNode> nodes) {
        return new Hostfile(nodes.stream()
                .map(node -> new Host(node.name(), node.address().toString(), node.slots()))
                .toList());
    }

    /** The file's text; each line ends with LF. */
    public String text(HostfileDialect dialect) {
        return hosts.stream().map(host -> dialect.line(host) + "\n").collect(Collectors.joining());
    }

    /**
     * A host.
     *
     * @param node its node
     * @param address what the launcher dials: the private address, or the node's name where addresses are not fixed
     * @param slots how many ranks it takes, at least 1
     */
    public record Host(NodeName node, String address, int slots) {

        /**
         * Checks the slots.
         *
         * @throws InvalidValueException when there are none
         */
        public Host {
            if (slots < 1) {
                throw new InvalidValueException(
                        "number of slots of host " + address, Integer.toString(slots), "1 or more", "4");
            }
        }

        /** A host known by its private address. */
        public static Host of(NodeName node, Ipv4Address address, int slots) {
            return new Host(node, address.toString(), slots);
        }

        /** A host known by its name, for clusters whose addresses are not fixed. */
        public static Host named(NodeName node, int slots) {
            return new Host(node, node.value(), slots);
        }
    }

    /** The format of a launcher's list of hosts; each launcher refuses or misreads the others' formats. */
    public enum HostfileDialect {
        /** {@code 10.32.0.11:2}: Hydra of MPICH and Intel MPI. Equal hosts are merged. */
        HYDRA("%s:%d"),
        /** {@code 10.32.0.11 slots=2}: Open MPI. A host named again adds its slots. */
        OPEN_MPI("%s slots=%d"),
        /** {@code 10.32.0.11:2}: {@code mpirun_rsh}. Ranks beyond the last slot start again with the first host. */
        MVAPICH2("%s:%d"),
        /** {@code cluster11}: Slurm knows the cores of its nodes, and nodes by name only. */
        SLURM("%s"),
        /** {@code cluster11 2}: the machine file of MS-MPI. */
        MS_MPI("%s %d");

        private final String layout;

        HostfileDialect(String layout) {
            this.layout = layout;
        }

        /** The dialect of the launcher that comes with an MPI. */
        public static HostfileDialect of(MpiFlavour flavour) {
            return switch (flavour) {
                case MPICH, INTEL_MPI -> HYDRA;
                case OPEN_MPI, HPC_X -> OPEN_MPI;
                case MVAPICH2 -> MVAPICH2;
                case MS_MPI -> MS_MPI;
            };
        }

        String line(Hostfile.Host host) {
            return this == SLURM
                    ? host.node().value()
                    : String.format(Locale.ROOT, layout, host.address(), host.slots());
        }
    }
}
