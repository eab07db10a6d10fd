package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.Binding;

/**
 * The number of ranks in each socket, NUMA domain or level 3 cache of a node. A launcher reads it to place ranks; each
 * node then has as many slots as it has room for ranks.
 *
 * @param domain {@link Binding#SOCKET}, {@link Binding#NUMA} or {@link Binding#L3}
 * @param ranks the number of ranks in each domain, at least 1
 * @param cores the number of cores that a domain has, at least 1; of different nodes the smallest
 * @see Launcher
 */
public record RanksPerDomain(Binding domain, int ranks, int cores) {

    /**
     * Checks the parts.
     *
     * @throws InvalidValueException when a number is below 1, or the domain is no part of a node
     */
    public RanksPerDomain {
        switch (domain) {
            case SOCKET, NUMA, L3 -> {}
            case DEFAULT, NONE, CORE ->
                throw new InvalidValueException("domain of ranks", domain, "socket, numa or l3", Binding.NUMA);
        }
        if (ranks < 1 || cores < 1) {
            throw new InvalidValueException(
                    "number of ranks or cores per " + domain, Math.min(ranks, cores), "1 or more", 4);
        }
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
