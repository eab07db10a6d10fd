package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.LinkedHashMap;
import java.util.Map;

/** The parts of a node, as its kernel counts them. A node without a level 3 cache has 0 of them. */
public record NodeTopology(int sockets, int numaDomains, int l3Caches, int cores) {
    private static final Command ASK = Command.of("/bin/sh", "-c", """
        cd /sys/devices/system || exit
        count() { cat "$@" 2> /dev/null | sort -u | grep -c .; }
        count cpu/cpu[0-9]*/topology/physical_package_id
        count node/node[0-9]*/cpulist
        count cpu/cpu[0-9]*/cache/index3/shared_cpu_list
        count cpu/cpu[0-9]*/topology/thread_siblings_list
        true\
        """);

    /**
     * The topology of each node of a target.
     *
     * @throws ClusterwrightException when a node does not answer
     */
    static Map<NodeName, NodeTopology> ask(NodeTarget target) {
        Map<NodeName, NodeTopology> all = new LinkedHashMap<>();
        for (NodeOutcome outcome : FanOut.each(
                        target.nodes().stream().map(LaunchNode::name).toList(),
                        target::session,
                        session -> session.run(ASK))
                .orThrow()
                .successes()) {
            if (outcome instanceof NodeOutcome.Completed completed) {
                all.put(outcome.node(), of(completed.result().stdout()));
            }
        }
        return all;
    }

    /** The topology from four lines: sockets, NUMA domains, level 3 caches, cores. A kernel without NUMA has one domain. */
    static NodeTopology of(String text) {
        int[] counts = text.lines().mapToInt(Integer::parseInt).toArray();
        if (counts.length != 4) {
            throw new ClusterwrightException("the topology of a node could not be read: \"" + text.strip() + "\"");
        }
        return new NodeTopology(Math.max(1, counts[0]), Math.max(1, counts[1]), counts[2], Math.max(1, counts[3]));
    }

    /** The number of these parts that the node shows. */
    int number(Binding domain) {
        return switch (domain) {
            case SOCKET -> sockets;
            case NUMA -> numaDomains;
            case L3 -> l3Caches;
            case DEFAULT, NONE, CORE -> throw new IllegalArgumentException(domain.toString());
        };
    }

    /** The number of these parts; refuses a part that the node does not show. */
    int count(Binding domain, NodeName node) {
        int number = number(domain);
        if (number == 0) {
            throw InvalidValueException.of(
                    "node " + node + " does not show a level 3 cache",
                    "place ranks by NUMA domain (example: --per-numa 4, or ranksPerNuma(4))");
        }
        return number;
    }

    /** The cores in each of these parts, at least 1. */
    int coresPer(Binding domain, NodeName node) {
        return Math.max(1, cores / count(domain, node));
    }

    /** The name of a part of a node, for messages. */
    public static String word(Binding domain) {
        return switch (domain) {
            case NUMA -> "NUMA domain";
            case L3 -> "level 3 cache";
            case SOCKET, DEFAULT, NONE, CORE -> domain.toString();
        };
    }
}
