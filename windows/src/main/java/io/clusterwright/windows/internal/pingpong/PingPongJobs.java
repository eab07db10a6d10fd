package io.clusterwright.windows.internal.pingpong;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.MpiPingPong;
import io.clusterwright.windows.internal.jobs.MpiExec;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs that test the network of a cluster of HPC Pack, with what is usual for its scenario. Immutable.
 *
 * <p>One rank runs on each node. A job names its group and no template, so that it runs before the template is made.
 * Machines of a domain get the variables of the preset: to use NetworkDirect alone, to connect all ranks
 * at the start, and the network to use. Nodes of a burst find their network themselves, ignore a mask, and get the variables alone that
 * the spec names.
 */
public final class PingPongJobs {
    private static final String AZURE_NODES = "AzureNodes";
    private static final String COMPUTE_NODES = "ComputeNodes";

    private final int nodes;
    private final String nodeGroup;
    private final boolean inDomain;
    private final Map<String, String> environment;

    private PingPongJobs(int nodes, String nodeGroup, boolean inDomain, Map<String, String> environment) {
        this.nodes = nodes;
        this.nodeGroup = nodeGroup;
        this.inDomain = inDomain;
        this.environment = Collections.unmodifiableMap(environment);
    }

    /**
     * The jobs of a cluster.
     *
     * @param spec its spec
     * @param network the network of the size of its nodes
     * @throws InvalidValueException when its preset is not for MS-MPI
     */
    public static PingPongJobs of(ClusterSpec spec, Interconnect network) {
        Optional<HpcPackSpec> pack = spec.hpcPack();
        Map<String, String> variables = new LinkedHashMap<>();
        if (pack.filter(given -> given.scenario() == HpcPackSpec.Scenario.BURST).isPresent()) {
            variables.putAll(spec.mpi().env());
            String group = pack.flatMap(HpcPackSpec::burst)
                    .map(HpcPackBurst::nodeGroup)
                    .orElse(AZURE_NODES);
            return new PingPongJobs(spec.nodes().count(), group, false, variables);
        }
        MpiPreset preset = preset(spec.mpi().preset(), network);
        variables.putAll(preset.environment(preset.assumedVersion(), network));
        spec.mpi().netmask().ifPresent(mask -> variables.put("MPICH_NETMASK", mask));
        variables.putAll(spec.mpi().env());
        String group = pack.flatMap(HpcPackSpec::nodeGroup).orElse(COMPUTE_NODES);
        return new PingPongJobs(spec.nodes().count(), group, true, variables);
    }

    private static MpiPreset preset(String name, Interconnect network) {
        MpiPreset preset = name.equals(MpiPresets.AUTO)
                ? MpiPresets.choose(network, MpiFlavour.MS_MPI, "").preset()
                : MpiPresets.named(name);
        if (preset.flavour() != MpiFlavour.MS_MPI) {
            throw new InvalidValueException(
                    "preset on Windows", name, "auto or a preset of ms-mpi", "ms-mpi/network-direct");
        }
        return preset;
    }

    /** The group of the nodes; {@code AzureNodes} and {@code ComputeNodes} are there by themselves. */
    public String nodeGroup() {
        return nodeGroup;
    }

    /** The variables of the ranks. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * The value of the cluster's variable {@code CCP_MPI_NETMASK}, which MS-MPI takes for {@code MPICH_NETMASK} on nodes of the domain.
     * Absent for a burst, whose nodes ignore it, and where the network of the nodes needs none.
     */
    public Optional<String> clusterNetmask() {
        return Optional.ofNullable(environment.getOrDefault("CCP_MPI_NETMASK", environment.get("MPICH_NETMASK")))
                .filter(mask -> inDomain);
    }

    /** The job that measures latency. */
    public HpcPackJob latency() {
        return submit(MpiPingPong.latency());
    }

    /** The job that measures throughput. */
    public HpcPackJob throughput() {
        return submit(MpiPingPong.throughput());
    }

    /**
     * Both as the tasks of one job, the second after the first.
     *
     * @param name the name of the job
     */
    public HpcPackJob both(String name) {
        HpcPackJob job = group(HpcPackJob.named(name).property("UnitType", "Node"));
        HpcPackTask latency = task("latency", MpiPingPong.latency());
        HpcPackTask throughput = task("throughput", MpiPingPong.throughput());
        return job.addTask(latency).addTask(throughput.after("latency"));
    }

    private HpcPackTask task(String name, MpiPingPong test) {
        return task(test).property("UnitType", "Node").nodes(nodes, nodes).name(name);
    }

    private HpcPackJob submit(MpiPingPong test) {
        return group(HpcPackJob.of(task(test).property("IsRerunnable", "")));
    }

    private HpcPackJob group(HpcPackJob job) {
        String number = Integer.toString(nodes);
        return job.property("MinNodes", number).property("MaxNodes", number).nodeGroups(List.of(nodeGroup));
    }

    private HpcPackTask task(MpiPingPong test) {
        MpiExec run = MpiExec.of(test.command()).coresPerNode(1).affinity();
        environment.forEach(run::env);
        return HpcPackTask.of(HpcPackCommandLine.stored(run.command()));
    }
}
