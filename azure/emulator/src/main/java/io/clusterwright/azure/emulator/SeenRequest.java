package io.clusterwright.azure.emulator;

import java.time.Duration;

/**
 * A request that reached the emulator. Use it in tests to check what a client sent.
 *
 * @param method in capitals
 * @param path decoded, without query
 * @param status what it was answered; 0 when the connection was broken instead, and before it is answered
 * @param at how long after the start of the emulator it was answered, in real time
 * @see ArmEmulator
 */
public record SeenRequest(String method, String path, int status, Duration at) {
    /** Whether it asked for a change: anything but reading. */
    public boolean isWrite() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}
