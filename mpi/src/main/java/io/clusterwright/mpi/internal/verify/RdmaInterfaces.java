package io.clusterwright.mpi.internal.verify;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The network interfaces of nodes of the A8, A9 and H16r sizes. Source: Azure, "Set up a Linux RDMA cluster to run MPI applications",
 * "Network topology considerations": eth1 is reserved for RDMA traffic, eth0 for all other; IP over InfiniBand is not supported.
 */
final class RdmaInterfaces {
    /** Prints a line for each interface: its name, its type as the kernel numbers them, and its addresses. */
    private static final String LIST = """
            for folder in /sys/class/net/*; do
                name=${folder##*/}
                echo "$name $(cat "$folder/type")" $(ip -o -4 addr show dev "$name" | awk '{ print $4 }')
            done
            """;

    private static final String INFINIBAND = "32";

    private RdmaInterfaces() {}

    /**
     * The interfaces of all compute nodes.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static Report of(Cluster cluster) {
        List<NodeName> all =
                cluster.computeNodes().stream().map(node -> node.name()).toList();
        Map<String, List<NodeName>> answers = cluster.run(Command.of("sh", "-c", LIST), all, cluster.loginUser())
                .orThrow()
                .groupedBy(outcome -> ((NodeOutcome.Completed) outcome).result().stdout());
        List<String> problems = new ArrayList<>();
        List<NodeName> without = new ArrayList<>();
        answers.forEach((text, nodes) -> {
            problems(text, cluster.spec().network().addressSpace())
                    .forEach(problem -> problems.add(NodeSet.fold(nodes) + ": " + problem));
            if (text.lines().noneMatch(line -> line.startsWith("eth1 "))) {
                without.addAll(nodes);
            }
        });
        if (!without.isEmpty()) {
            problems.add(
                    NodeSet.fold(without) + ": there is no eth1, the interface of the RDMA network of this size: write"
                            + " image: {base: auto}, whose image has the driver of the network, and create the cluster again");
        }
        return new Report(problems, "eth1 of every node is left to RDMA, and there is no IP over InfiniBand");
    }

    /** The problems of one node, by its answer. */
    static List<String> problems(String text, AddressRange network) {
        List<String> problems = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ");
            for (int i = 2; i < words.length; i++) {
                Ipv4Address address = Ipv4Address.of(words[i].replaceFirst("/.*", ""));
                if (words[1].equals(INFINIBAND)) {
                    problems.add(words[0] + " has the address " + words[i]
                            + ", and IP over InfiniBand is not supported: remove it from the network's configuration");
                } else if (words[0].equals("eth1") && network.contains(address)) {
                    problems.add("eth1 has the address " + words[i] + " of the cluster's network " + network
                            + ", and is reserved for RDMA: leave its configuration as the image has it");
                }
            }
        }
        return problems;
    }

    /**
     * The result.
     *
     * @param problems what is wrong, with its nodes; empty where all is well
     * @param summary one line for people
     */
    record Report(List<String> problems, String summary) {}
}
