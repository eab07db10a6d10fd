package io.clusterwright.windows.emulator;

/**
 * A request that reached the head node.
 *
 * @param method in capitals
 * @param target path and query, as they were sent
 * @param status what it was answered; 0 when the connection was broken instead
 */
public record SeenRequest(String method, String target, int status) {}
