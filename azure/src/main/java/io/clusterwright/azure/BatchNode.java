package io.clusterwright.azure;

/**
 * A node of a pool.
 *
 * @param id Batch's name of it
 * @param address its private address; empty before it has one
 * @param state Batch's word for its state, such as {@code idle}
 */
public record BatchNode(String id, String address, String state) {}
