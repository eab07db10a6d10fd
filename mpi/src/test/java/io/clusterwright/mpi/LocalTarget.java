package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.Collection;
import java.util.List;

/** This machine as the launch node, and perhaps an address of it at which nobody answers. */
public record LocalTarget(List<LaunchNode> nodes) implements NodeTarget {
    @Override
    public LocalTarget only(Collection<NodeName> names) {
        return new LocalTarget(LaunchNode.select(nodes, names));
    }

    public static final NodeName GONE = NodeName.of("gone");
    private static final LocalSession SESSION = new LocalSession();

    public static LocalTarget alone(int slots) {
        return new LocalTarget(List.of(new LaunchNode(LocalSession.NODE, Ipv4Address.of("127.0.0.1"), slots)));
    }

    /** With a second node that no ssh server listens for: 127.0.0.2 is loopback, yet launchers call ssh for it. */
    public static LocalTarget withNodeThatIsGone() {
        return new LocalTarget(List.of(
                new LaunchNode(LocalSession.NODE, Ipv4Address.of("127.0.0.1"), 1),
                new LaunchNode(GONE, Ipv4Address.of("127.0.0.2"), 1)));
    }

    @Override
    public NodeSession session(NodeName node) {
        if (node.equals(GONE)) {
            throw new NodeUnreachableException(node, "nobody answers at gone");
        }
        return SESSION;
    }

    @Override
    public boolean sharesOneMachine() {
        return true;
    }
}
