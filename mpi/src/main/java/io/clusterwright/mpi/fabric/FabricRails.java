package io.clusterwright.mpi.fabric;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import io.clusterwright.mpi.internal.command.InfiniBandDevices;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The InfiniBand ports of nodes that have several, as each node names them. Ports of the same number are connected as a rail. There is
 * none where every node has one port at most, or the job names its devices.
 */
final class FabricRails {
    static final FabricRails NONE = new FabricRails(Map.of());

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 32;
    private static final String ABSENT = "none";

    private final Map<NodeName, List<Port>> ports;
    private final int count;

    private FabricRails(Map<NodeName, List<Port>> ports) {
        this.ports = ports;
        this.count = ports.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** The rails of some nodes of a target, as their sysfs shows them; none without sessions to them. */
    static FabricRails of(LaunchTarget where, List<NodeName> nodes) {
        if (!(where instanceof NodeTarget target)
                || target.interconnect() != Interconnect.SRIOV_INFINIBAND
                || target.environment().containsKey("UCX_NET_DEVICES")) {
            return NONE;
        }
        Map<NodeName, String> answers = new ConcurrentHashMap<>();
        Tasks.interruptibly(
                "the fabric check was interrupted",
                () -> Tasks.forEach("rails", AT_ONCE, nodes, node -> answers.put(node, list(target, node))));
        Map<NodeName, String> ordered = new LinkedHashMap<>();
        nodes.forEach(node -> ordered.put(node, answers.getOrDefault(node, "")));
        return parse(ordered);
    }

    /** The rails of nodes by what {@link InfiniBandDevices#LIST} printed on each. */
    static FabricRails parse(Map<NodeName, String> answers) {
        Map<NodeName, List<Port>> ports = new LinkedHashMap<>();
        answers.forEach((node, text) ->
                ports.put(node, text.lines().flatMap(Port::parse).toList()));
        FabricRails rails = new FabricRails(ports);
        return rails.count > 1 ? rails : NONE;
    }

    /** A node that cannot be asked has no ports here; its measurements say why. */
    private static String list(NodeTarget target, NodeName node) {
        try {
            return target.session(node)
                    .run(Command.of("/bin/sh", "-c", InfiniBandDevices.LIST).timeout(LIMIT))
                    .stdout();
        } catch (ClusterwrightException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return "";
        }
    }

    /** The numbers of the rails, from 1; 0 alone where there are none. */
    int[] numbers() {
        return count == 0 ? new int[] {0} : IntStream.rangeClosed(1, count).toArray();
    }

    /** The two ends of a rail of a pair; none for rail 0. */
    List<Rail> ends(NodePair pair, int number) {
        return number == 0
                ? List.of()
                : pair.nodes().stream().map(node -> end(node, number)).toList();
    }

    private Rail end(NodeName node, int number) {
        return new Rail(node, number, port(node, number).map(Port::device).orElse(ABSENT));
    }

    /** The ends that can carry nothing, each with the reason. */
    Map<Rail, String> dead() {
        Map<Rail, String> dead = new LinkedHashMap<>();
        for (NodeName node : ports.keySet()) {
            for (int number = 1; number <= count; number++) {
                Optional<Port> port = port(node, number);
                if (port.isEmpty()) {
                    dead.put(
                            end(node, number),
                            "the node has " + ports.get(node).size() + " InfiniBand ports, and others have " + count);
                } else if (!port.get().isUsable()) {
                    dead.put(
                            end(node, number),
                            "the state of its port is " + port.get().state());
                }
            }
        }
        return dead;
    }

    private Optional<Port> port(NodeName node, int number) {
        List<Port> all = ports.getOrDefault(node, List.of());
        return number <= all.size() ? Optional.of(all.get(number - 1)) : Optional.empty();
    }

    /** A port such as {@code mlx5_ib2:1} in a state such as {@code ACTIVE}. */
    private record Port(String device, String state) {
        /** A driver need not tell the state. */
        boolean isUsable() {
            return state.isEmpty() || state.equals("ACTIVE");
        }

        static Stream<Port> parse(String line) {
            List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
            return words.size() == 3 ? Stream.of(new Port(words.get(1), words.get(2))) : Stream.empty();
        }
    }
}
