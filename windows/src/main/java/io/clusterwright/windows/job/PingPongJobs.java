package io.clusterwright.windows.job;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs that test the network of a cluster of HPC Pack, with what is usual for its scenario.
 *
 * <p>On machines of a domain MS-MPI is told to use NetworkDirect alone, to connect all ranks at the start, and the network to use; on
 * nodes of a burst it finds its network itself and is told nothing. One rank runs on each node.
 *
 * @param nodes how many nodes a job runs on
 * @param nodeGroup the group of the nodes; empty for any node
 * @param template the job template; empty for the default one
 * @param environment the variables of the ranks
 */
public record PingPongJobs(
        int nodes, Optional<String> nodeGroup, Optional<String> template, Map<String, String> environment) {
    /** The variables of the machines of a domain, for sizes whose RDMA network is 172.16.0.0. */
    public static final Map<String, String> NETWORK_DIRECT = networkDirect();

    /** Copies the map, in its order. */
    public PingPongJobs {
        environment = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /**
     * The jobs of a cluster.
     *
     * @param spec its description; one without a part of HPC Pack is taken as one by the IaaS script
     * @param network whether its nodes have NetworkDirect, and by which of its forms
     */
    public static PingPongJobs of(ClusterSpec spec, Network network) {
        Optional<HpcPackSpec> pack = spec.hpcPack();
        boolean burst =
                pack.filter(p -> p.scenario() == HpcPackSpec.Scenario.BURST).isPresent();
        Map<String, String> variables = new LinkedHashMap<>();
        if (!burst && network != Network.SOCKETS && !spec.mpi().preset().equals("ms-mpi/tcp")) {
            variables.putAll(NETWORK_DIRECT);
            if (network == Network.SRIOV) {
                variables.remove("MPICH_NETMASK");
            }
        }
        if (!burst) {
            spec.mpi()
                    .netmask()
                    .ifPresent(mask ->
                            variables.put("MPICH_NETMASK", Netmask.parse(mask).toString()));
        }
        variables.putAll(spec.mpi().env());
        Optional<String> group = burst
                ? Optional.of(pack.flatMap(HpcPackSpec::burst)
                        .map(HpcPackBurst::nodeGroup)
                        .orElse("AzureNodes"))
                : Optional.of(pack.flatMap(HpcPackSpec::nodeGroup).orElse("ComputeNodes"));
        return new PingPongJobs(spec.nodes().count(), group, pack.flatMap(HpcPackSpec::jobTemplate), variables);
    }

    private static Map<String, String> networkDirect() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MSMPI_DISABLE_SOCK", "1");
        variables.put("MSMPI_PRECONNECT", "all");
        variables.put("MPICH_NETMASK", Netmask.RDMA.toString());
        return java.util.Collections.unmodifiableMap(variables);
    }

    /** The job that measures latency. */
    public JobSubmit latency() {
        return submit(MpiPingPong.latency());
    }

    /** The job that measures throughput. */
    public JobSubmit throughput() {
        return submit(MpiPingPong.throughput());
    }

    /**
     * Both as the tasks of one job, the second after the first.
     *
     * @param name the name of the job
     */
    public JobFile file(String name) {
        JobFile job = JobFile.of(name).nodes(nodes);
        job = nodeGroup.isPresent() ? job.nodeGroup(nodeGroup.get()) : job;
        job = template.isPresent() ? job.template(template.get()) : job;
        return job.add(TaskElement.of("latency", mpiexec(MpiPingPong.latency()).command())
                        .nodes(nodes))
                .add(TaskElement.of(
                                "throughput", mpiexec(MpiPingPong.throughput()).command())
                        .nodes(nodes)
                        .after("latency"));
    }

    private JobSubmit submit(MpiPingPong test) {
        List<JobOption> options = new ArrayList<>();
        nodeGroup.ifPresent(group -> options.add(JobOption.nodeGroup(group)));
        options.add(JobOption.numNodes(nodes));
        template.ifPresent(name -> options.add(JobOption.jobTemplate(name)));
        return JobSubmit.of(options, mpiexec(test).command());
    }

    private MpiExec mpiexec(MpiPingPong test) {
        MpiExec.Builder run = MpiExec.builder(test.command()).coresPerNode(1).affinity();
        environment.forEach(run::env);
        return run.build();
    }

    /** What carries the messages of MS-MPI. */
    public enum Network {
        /** NetworkDirect on A8, A9, H16r and H16mr, whose network is 172.16.0.0. */
        NETWORK_DIRECT,
        /** NetworkDirect on sizes with SR-IOV, whose network the virtual network hands out. */
        SRIOV,
        /** Sockets. */
        SOCKETS
    }
}
