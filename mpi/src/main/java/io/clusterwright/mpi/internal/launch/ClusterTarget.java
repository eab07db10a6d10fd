package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as a target. Nodes with the same boot id run on the same kernel, so they are one machine. A node that does not answer stays a
 * node of the target, with the slots of the largest other node: a job that is placed on it says that it cannot be reached.
 */
public record ClusterTarget(Cluster cluster, UserName user, List<LaunchNode> nodes, boolean sharesOneMachine)
        implements NodeTarget {
    private static final Command ASK = Command.of("/bin/sh", "-c", "cat /proc/sys/kernel/random/boot_id; nproc");

    public static ClusterTarget of(Cluster cluster, UserName user) {
        Map<String, Integer> nodesByMachine = new HashMap<>();
        Map<NodeName, Answer> answers = new HashMap<>();
        List<NodeName> names = cluster.computeNodes().stream().map(Node::name).toList();
        if (names.isEmpty()) {
            throw new ClusterwrightException("cluster " + cluster.name() + " has only its head node "
                    + cluster.head().name() + ", and the head node runs no ranks; run create again to add its nodes");
        }
        NodeResults asked = FanOut.each(names, node -> cluster.session(node, user), ClusterTarget::ask);
        if (asked.successes().isEmpty()) {
            asked.orThrow();
        }
        for (NodeOutcome outcome : asked.successes()) {
            if (outcome instanceof NodeOutcome.Completed completed) {
                Answer answer = Answer.of(completed.result().stdout());
                answers.put(outcome.node(), answer);
                nodesByMachine.merge(answer.machine, 1, Integer::sum);
            }
        }
        Map<NodeName, Integer> shares = new HashMap<>();
        answers.forEach(
                (node, answer) -> shares.put(node, answer.cores / nodesByMachine.getOrDefault(answer.machine, 1)));
        int largest = shares.isEmpty() ? 1 : Collections.max(shares.values());
        List<LaunchNode> nodes = cluster.computeNodes().stream()
                .map(node -> {
                    int share = shares.getOrDefault(node.name(), largest);
                    int slots = node.slots()
                            .orElse(cluster.spec().mpi().ranksPerNode().orElse(Math.max(1, share)));
                    return new LaunchNode(node.name(), node.address(), slots);
                })
                .toList();
        boolean oneMachine = nodesByMachine.values().stream().anyMatch(number -> number > 1);
        return new ClusterTarget(cluster, user, nodes, oneMachine);
    }

    /** Asked once for a session, which ends when the machine does. */
    private static CommandResult ask(NodeSession session) {
        Known known = SessionResources.kept(session, Known.class, Known::new);
        CommandResult answer = known.answer;
        if (answer == null) {
            answer = session.run(ASK);
            known.answer = answer.succeeded() ? answer : null;
        }
        return answer;
    }

    @Override
    public ClusterTarget only(Collection<NodeName> names) {
        return new ClusterTarget(cluster, user, LaunchNode.select(nodes, names), sharesOneMachine);
    }

    @Override
    public NodeSession session(NodeName node) {
        return cluster.session(node, user);
    }

    @Override
    public Optional<AddressRange> network() {
        return Optional.of(cluster.spec().network().subnet().range());
    }

    @Override
    public Interconnect interconnect() {
        return cluster.interconnect();
    }

    /** Nodes with the fast network of a size are machines of that size. Local nodes and existing hosts lack such a network. */
    @Override
    public Optional<VmSizeFacts> size() {
        return VmSizes.standard()
                .ofNodes(cluster.spec())
                .filter(size -> interconnect().isRdma() && !sharesOneMachine);
    }

    @Override
    public Optional<MpiFlavour> flavour() {
        return cluster.spec().image().customize().mpi().map(MpiInstall::flavour);
    }

    @Override
    public MpiSettings defaults() {
        return cluster.spec().mpi();
    }

    @Override
    public Set<String> suppressed() {
        return Set.copyOf(cluster.spec().suppress());
    }

    private record Answer(String machine, int cores) {
        static Answer of(String text) {
            List<String> lines = text.strip().lines().toList();
            return lines.size() == 2 && lines.get(1).matches("\\d{1,6}")
                    ? new Answer(lines.get(0), Integer.parseInt(lines.get(1)))
                    : new Answer("", 1);
        }
    }

    private static final class Known implements AutoCloseable {
        private volatile @Nullable CommandResult answer;

        @Override
        public void close() {
            answer = null;
        }
    }
}
