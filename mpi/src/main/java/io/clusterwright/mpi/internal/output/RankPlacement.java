package io.clusterwright.mpi.internal.output;

import io.clusterwright.mpi.RankFailure;
import io.clusterwright.mpi.spi.LaunchNode;
import java.util.List;

/** Which node runs which rank: launchers are told to fill the slots of one node after the other. */
public record RankPlacement(List<LaunchNode> nodes) {

    /** The name of the node that runs a rank; empty when none does. */
    public String nodeOf(int rank) {
        int first = 0;
        for (LaunchNode node : nodes) {
            if (rank >= first && rank < first + node.slots()) {
                return node.name().value();
            }
            first += node.slots();
        }
        return "";
    }

    /** The name of the node that a launcher calls so; its word when it is none of the nodes. */
    public String nodeOf(String host) {
        return nodes.stream()
                .filter(node -> isNamed(node, host))
                .map(node -> node.name().value())
                .findFirst()
                .orElse(host);
    }

    /** The rank that is the host's so manieth; {@link RankFailure#NONE} when the host is none of the nodes. */
    int rank(String host, int index) {
        int first = 0;
        for (LaunchNode node : nodes) {
            if (isNamed(node, host)) {
                return index < node.slots() ? first + index : RankFailure.NONE;
            }
            first += node.slots();
        }
        return RankFailure.NONE;
    }

    /** The rank of a host that runs no other; {@link RankFailure#NONE} otherwise. */
    int onlyRank(String host) {
        return nodes.stream().anyMatch(node -> isNamed(node, host) && node.slots() == 1)
                ? rank(host, 0)
                : RankFailure.NONE;
    }

    private static boolean isNamed(LaunchNode node, String host) {
        return node.address().toString().equals(host) || node.name().value().equals(host);
    }
}
