package io.clusterwright.linux.internal.node;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names on a node for what is needed for a moment only. */
public final class Scratch {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 8;

    private Scratch() {}

    /** A path that nobody has, in a folder that everybody may write to. */
    public static String path() {
        return "/tmp/clusterwright-" + nonce();
    }

    public static String nonce() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
