package io.clusterwright.linux.internal.ssh;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names that nobody else has chosen. */
final class Nonce {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 8;

    private Nonce() {}

    static String next() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
