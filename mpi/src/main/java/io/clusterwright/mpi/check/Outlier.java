package io.clusterwright.mpi.check;

/**
 * A node or a pair that is slow beside the others.
 *
 * @param what the node or the pair
 * @param reason why, for people, with both numbers
 * @param factor how many times slower it is, more than 1
 * @param <T> {@link io.clusterwright.core.type.NodeName} or {@link NodePair}
 */
public record Outlier<T>(T what, String reason, double factor) {}
