package io.clusterwright.core.internal.text;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random names that no one else uses. */
public final class Nonce {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 8;

    private Nonce() {}

    /** A name of 16 hexadecimal digits. */
    public static String next() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A path that no one uses yet, in a node's folder for temporary files. */
    public static String temporaryPath() {
        return "/tmp/clusterwright-" + next();
    }
}
