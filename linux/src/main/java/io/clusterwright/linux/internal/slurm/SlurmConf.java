package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Slurm's configuration of a cluster: slurm.conf(5) and cgroup.conf(5), the same on every node. {@code SlurmProbe} reads the CPUs and
 * the memory of each node, and {@code SlurmSetup} writes the files.
 *
 * <p>Ranks may lock as much memory as slurmd itself, whatever the shell that submits a job may; every other limit of that shell goes with
 * the job, as is Slurm's way. A node that comes back is used again by itself. Nodes are allocated by cores and memory, so that jobs share
 * nodes and never cores. A job that asks for no memory gets the share of its cores.
 *
 * @param cluster the cluster's name
 * @param controller the machine of the controller: one of the nodes, or a separate one that runs no jobs
 * @param nodes the nodes that run jobs
 * @param version the version of Slurm, such as {@code 22.05.8}; what cgroup.conf may say depends on it
 * @param cgroups whether every node lets Slurm confine jobs in control groups; a job is otherwise known by the children of its processes
 * @param mpi how ranks of a plain {@code srun} meet: {@code none}, {@code pmi2} or {@code pmix}
 */
public record SlurmConf(
        ClusterName cluster, Node controller, List<Node> nodes, String version, boolean cgroups, String mpi) {
    /** The path that the distributions' packages read. */
    public static final String PATH = "/etc/slurm/slurm.conf";

    /** The configuration of control groups: beside slurm.conf. */
    public static final String CGROUP_PATH = "/etc/slurm/cgroup.conf";

    /** The program that slurmd asks for variables of each task. */
    public static final String TASK_PROLOG = "/etc/slurm/task-prolog.sh";

    /** The partition of all nodes. */
    public static final String PARTITION = "nodes";

    /** The account that the controller works as; the distributions' packages make it. */
    public static final String USER = "slurm";

    /** The folder of the controller's jobs. */
    public static final String STATE_FOLDER = "/var/spool/slurmctld";

    /** The folder of a node's job scripts. */
    public static final String SPOOL_FOLDER = "/var/spool/slurmd";

    /** The folder of the services' logs. */
    public static final String LOG_FOLDER = "/var/log/slurm";

    /** Earlier ones look for control groups even where nothing is to be confined in them. */
    private static final List<Integer> CGROUPS_CAN_BE_OFF = List.of(23, 11);

    /**
     * Copies the list.
     *
     * @throws InvalidValueException when there is no node, two of them have one name, or the version or the MPI interface is not one
     */
    public SlurmConf {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw InvalidValueException.of("slurm.conf needs at least one node", "add a node (example: cluster11)");
        }
        if (nodes.stream().map(Node::name).distinct().count() < nodes.size()) {
            throw new InvalidValueException(
                    "list of Slurm nodes",
                    nodes.stream().map(node -> node.name().value()).collect(Collectors.joining(", ")),
                    "each name once",
                    "cluster11, cluster12");
        }
        if (!version.matches("\\d{1,4}\\.\\d{1,4}([.-].*)?")) {
            throw new InvalidValueException("Slurm version", version, "two or more numbers", "22.05.8");
        }
        if (!Set.of("none", "pmi2", "pmix").contains(mpi)) {
            throw new InvalidValueException("MPI interface of Slurm", mpi, "none, pmi2 or pmix", "pmi2");
        }
    }

    /** The content of slurm.conf. */
    public String text() {
        return """
                # Clusterwright writes this file anew whenever nodes come or go.
                ClusterName=%s
                SlurmctldHost=%s(%s)
                AuthType=auth/munge
                SlurmUser=%s
                StateSaveLocation=%s
                SlurmdSpoolDir=%s
                SlurmctldPidFile=/run/slurmctld.pid
                SlurmdPidFile=/run/slurmd.pid
                SlurmctldLogFile=%s/slurmctld.log
                SlurmdLogFile=%s/slurmd.log
                ProctrackType=%s
                TaskPlugin=%s
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core_Memory
                DefMemPerCPU=%d
                ReturnToService=2
                TaskProlog=%s
                MpiDefault=%s
                PropagateResourceLimitsExcept=MEMLOCK
                %s
                PartitionName=%s Nodes=ALL Default=YES MaxTime=INFINITE State=UP
                """.formatted(
                        cluster,
                        controller.name(),
                        controller.address(),
                        USER,
                        STATE_FOLDER,
                        SPOOL_FOLDER,
                        LOG_FOLDER,
                        LOG_FOLDER,
                        cgroups ? "proctrack/cgroup" : "proctrack/linuxproc",
                        cgroups ? "task/affinity,task/cgroup" : "task/affinity",
                        memoryPerCpu(),
                        TASK_PROLOG,
                        mpi,
                        nodes.stream().map(Node::line).collect(Collectors.joining("\n")),
                        PARTITION);
    }

    /** In MiB: what every node has for each of its CPUs. */
    private long memoryPerCpu() {
        return nodes.stream()
                .mapToLong(node -> Math.max(1, node.memoryMebibytes() / node.cpus()))
                .min()
                .orElseThrow();
    }

    /** The content of cgroup.conf. */
    public String cgroupText() {
        if (cgroups) {
            return "ConstrainCores=yes\nConstrainRAMSpace=yes\n";
        }
        return atLeast(CGROUPS_CAN_BE_OFF) ? "CgroupPlugin=disabled\n" : "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n";
    }

    private boolean atLeast(List<Integer> wanted) {
        String[] numbers = version.split("[.-]");
        int major = Integer.parseInt(numbers[0]);
        return major > wanted.get(0) || major == wanted.get(0) && Integer.parseInt(numbers[1]) >= wanted.get(1);
    }

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
    public record Node(
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
        public Node {
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
                throw new InvalidValueException(what + " of a Slurm node", number, "a whole number of 1 or more", "2");
            }
        }
    }
}
