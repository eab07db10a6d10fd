package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;

/**
 * A node as slurm.conf(5) describes it. A node that turns out to have less than its description is given no jobs, one that has more
 * is not used fully.
 *
 * @param name its name, which is the host's own
 * @param address the private address that Slurm's services dial
 * @param cpus what Slurm hands out to ranks: cores, or threads where cores have several; at least 1
 * @param sockets sockets of the whole node; at least 1
 * @param coresPerSocket cores of each socket; at least 1
 * @param threadsPerCore threads of each core; at least 1
 * @param memoryMebibytes the memory that jobs may ask for, in MiB; at least 1
 */
public record SlurmNode(
        NodeName name,
        Ipv4Address address,
        int cpus,
        int sockets,
        int coresPerSocket,
        int threadsPerCore,
        long memoryMebibytes) {

    /**
     * Checks the numbers.
     *
     * @throws InvalidValueException when one of them is below 1
     */
    public SlurmNode {
        positive("CPUs", cpus);
        positive("sockets", sockets);
        positive("cores of a socket", coresPerSocket);
        positive("threads of a core", threadsPerCore);
        positive("MiB of memory", memoryMebibytes);
    }

    /** The node's line. */
    public String line() {
        return "NodeName=" + name + " NodeAddr=" + address + " CPUs=" + cpus + " Sockets=" + sockets
                + " CoresPerSocket="
                + coresPerSocket + " ThreadsPerCore=" + threadsPerCore + " RealMemory=" + memoryMebibytes
                + " State=UNKNOWN";
    }

    private static void positive(String what, long number) {
        if (number < 1) {
            throw new InvalidValueException(
                    what + " of a Slurm node", Long.toString(number), "a whole number of at least 1", "2");
        }
    }
}
