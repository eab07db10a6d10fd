package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Pairs of nodes in rounds: within a round no node is in two pairs, so that the pairs of a round can be measured at once without
 * disturbing each other's adapters. Immutable.
 *
 * @param rounds the rounds in order, each with at least one pair; every pair is in one round
 */
record PairSchedule(List<List<NodePair>> rounds) {

    /**
     * Copies the rounds and checks them.
     *
     * @throws InvalidValueException when a round is empty, a node is twice in a round, or a pair is in two rounds
     */
    PairSchedule {
        rounds = rounds.stream().map(List::copyOf).toList();
        Set<NodePair> seen = new LinkedHashSet<>();
        for (List<NodePair> round : rounds) {
            Set<NodeName> busy = new LinkedHashSet<>();
            for (NodePair pair : round) {
                if (!seen.add(pair)) {
                    throw new InvalidValueException("schedule", rounds, "each pair in one round", "[[a+b], [b+c]]");
                }
                if (!busy.add(pair.first()) | !busy.add(pair.second())) {
                    throw new InvalidValueException("round", round, "each node in one pair", "[a+b, c+d]");
                }
            }
            if (round.isEmpty()) {
                throw new InvalidValueException("round", "[]", "one or more pairs", "[a+b]");
            }
        }
    }

    /**
     * Each node with the next and the last with the first: 2 rounds for an even number of nodes, 3 for an odd one, 1 for two nodes.
     *
     * @throws InvalidValueException when there are fewer than two nodes or one is named twice
     */
    static PairSchedule ring(List<NodeName> nodes) {
        int n = check(nodes);
        if (n == 2) {
            return new PairSchedule(List.of(List.of(new NodePair(nodes.get(0), nodes.get(1)))));
        }
        List<List<NodePair>> rounds = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < n; i++) {
            int round = i == n - 1 && n % 2 == 1 ? 2 : i % 2;
            rounds.get(round).add(new NodePair(nodes.get(i), nodes.get((i + 1) % n)));
        }
        return new PairSchedule(
                rounds.stream().filter(round -> !round.isEmpty()).toList());
    }

    /**
     * The first two nodes.
     *
     * @throws InvalidValueException when there are fewer than two nodes
     */
    static PairSchedule firstPair(List<NodeName> nodes) {
        return ring(nodes.subList(0, Math.min(2, nodes.size())));
    }

    /**
     * Each node with every other by the circle method: one seat stays, the others move on by one each round. N - 1 rounds for an even
     * number of nodes; N for an odd one, where each node rests once.
     *
     * @throws InvalidValueException when there are fewer than two nodes or one is named twice
     */
    static PairSchedule allPairs(List<NodeName> nodes) {
        int n = check(nodes);
        int seats = n + n % 2;
        List<List<NodePair>> rounds = new ArrayList<>();
        for (int round = 0; round < seats - 1; round++) {
            List<NodePair> pairs = new ArrayList<>();
            for (int i = 0; i < seats / 2; i++) {
                int one = i == 0 ? seats - 1 : (round + i) % (seats - 1);
                int other = (round - i + seats - 1) % (seats - 1);
                if (one < n && other < n) {
                    pairs.add(new NodePair(nodes.get(Math.min(one, other)), nodes.get(Math.max(one, other))));
                }
            }
            rounds.add(pairs);
        }
        return new PairSchedule(rounds);
    }

    /**
     * These pairs, each in the first round that has room for it, which need not be the fewest rounds there could be; a pair named
     * twice is measured once.
     *
     * @throws InvalidValueException when there is no pair
     */
    static PairSchedule of(List<NodePair> pairs) {
        if (pairs.isEmpty()) {
            throw new InvalidValueException("schedule", "[]", "one or more pairs", "[[a+b]]");
        }
        List<List<NodePair>> rounds = new ArrayList<>();
        for (NodePair pair : new LinkedHashSet<>(pairs)) {
            rounds.stream()
                    .filter(round ->
                            round.stream().noneMatch(other -> other.has(pair.first()) || other.has(pair.second())))
                    .findFirst()
                    .ifPresentOrElse(round -> round.add(pair), () -> rounds.add(new ArrayList<>(List.of(pair))));
        }
        return new PairSchedule(rounds);
    }

    /** All pairs, in the order of their rounds. */
    List<NodePair> pairs() {
        return rounds.stream().flatMap(List::stream).toList();
    }

    private static int check(List<NodeName> nodes) {
        if (nodes.size() < 2) {
            throw new InvalidValueException(
                    "list of nodes for a fabric check", nodes, "two or more nodes", "[node1, node2]");
        }
        if (new LinkedHashSet<>(nodes).size() != nodes.size()) {
            throw new InvalidValueException(
                    "list of nodes for a fabric check", nodes, "each node once", "[node1, node2]");
        }
        return nodes.size();
    }
}
