package io.clusterwright.core.type;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A password, private key or token. It never shows itself: not in a log, a message, an event or a file for people.
 * Use {@link #reveal()} only where the secret is needed.
 *
 * @see SecretReference
 */
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /**
     * Wraps a secret text.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is empty
     */
    public static Secret of(String value) {
        if (value.isEmpty()) {
            throw Syntax.of("secret", ".+", "text that is not empty", "the content of env:CW_PASSWORD")
                    .invalid(value);
        }
        return new Secret(value);
    }

    /** The secret itself; hand it on only to what needs it. */
    public String reveal() {
        return value;
    }

    /** Compares in a time that does not depend on where two secrets of one length differ. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the same text for every secret. */
    @Override
    public int hashCode() {
        return Secret.class.hashCode();
    }

    /** Always {@code ***}. */
    @Override
    public String toString() {
        return "***";
    }
}
