package io.clusterwright.mpi.spi;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.InvalidValueException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The number of ranks in each socket, NUMA domain or level 3 cache of a node. A launcher reads it to place ranks; each
 * node then has as many slots as it has room for ranks.
 *
 * @param domain {@link Binding#SOCKET}, {@link Binding#NUMA} or {@link Binding#L3}
 * @param ranks the number of ranks in each domain, at least 1
 * @param cores the number of cores that a domain has; of different nodes the smallest; 0 before the nodes were asked
 * @see Launcher
 */
public record RanksPerDomain(Binding domain, int ranks, int cores) {

    /**
     * Checks the parts.
     *
     * @throws InvalidValueException when a number is too small, or the domain is no part of a node
     */
    public RanksPerDomain {
        switch (domain) {
            case SOCKET, NUMA, L3 -> {}
            case DEFAULT, NONE, CORE ->
                throw new InvalidValueException("domain of ranks", domain, "socket, numa or l3", Binding.NUMA);
        }
        if (ranks < 1 || cores < 0) {
            throw new InvalidValueException(
                    "number of " + (ranks < 1 ? "ranks" : "cores") + " per " + domain,
                    Math.min(ranks, cores),
                    "1 or more",
                    4);
        }
    }

    /**
     * Ranks in each domain of nodes that were not asked yet.
     *
     * @throws InvalidValueException as the constructor does
     */
    public static RanksPerDomain of(Binding domain, int ranks) {
        return new RanksPerDomain(domain, ranks, 0);
    }

    /** The ranks in each domain by the defaults of a cluster; absent where they count ranks by node. */
    public static Optional<RanksPerDomain> of(MpiSettings defaults) {
        Map<Binding, OptionalInt> counts = new EnumMap<>(Binding.class);
        counts.put(Binding.SOCKET, defaults.ranksPerSocket());
        counts.put(Binding.NUMA, defaults.ranksPerNuma());
        counts.put(Binding.L3, defaults.ranksPerL3());
        return counts.entrySet().stream()
                .filter(count -> count.getValue().isPresent())
                .map(count -> of(count.getKey(), count.getValue().getAsInt()))
                .findFirst();
    }

    /**
     * The cores of each rank where the ranks share their domain evenly: the unit of a launcher that lays ranks out over the cores of a node
     * in order.
     *
     * @param launcher the launcher, for the message
     * @throws InvalidValueException when the ranks cannot share the cores evenly
     */
    public int evenShare(String launcher) {
        if (cores % ranks != 0) {
            throw InvalidValueException.of(
                    launcher + " cannot place " + ranks + " ranks by " + domain + ": each " + domain + " has " + cores
                            + " cores, and ranks share them evenly",
                    "use a number of ranks that divides " + cores + ", or do not bind ranks (example: --bind none)");
        }
        return cores / ranks;
    }
}
