package io.clusterwright.azure.emulator;

import io.clusterwright.core.type.Secret;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Tokens of emulators whose machines are real. */
final class EmulatorToken {
    private static final int BYTES = 32;

    private EmulatorToken() {}

    static Secret random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Secret.of(HexFormat.of().formatHex(bytes));
    }
}
