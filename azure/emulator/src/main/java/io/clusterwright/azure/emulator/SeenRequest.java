package io.clusterwright.azure.emulator;

/**
 * A request that reached the emulator.
 *
 * @param method in capitals
 * @param path decoded, without query
 * @param status what it was answered; 0 when the connection was broken instead
 */
public record SeenRequest(String method, String path, int status) {
    /** Whether it asked for a change: anything but reading. */
    public boolean isWrite() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}
