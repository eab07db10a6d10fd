package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The login of a client at a head node. Use it to choose between a password and a token. Safe for use by several
 * threads.
 *
 * <p>NTLM is not offered: the JDK's client does not speak it. A user of another domain than the cluster's cannot log in to the head node's
 * REST interfaces at all; {@code user@domain} works where {@code DOMAIN\\user} does.
 *
 * @see HpcPackConnection
 */
public final class HpcPackLogin {
    private final String shown;
    private final Supplier<Secret> authorization;

    private HpcPackLogin(String shown, Supplier<Secret> authorization) {
        this.shown = shown;
        this.authorization = authorization;
    }

    /**
     * User and password with each request (HTTP Basic).
     *
     * @param user such as {@code DOMAIN\\user}
     * @throws InvalidValueException when the name is empty or holds a colon or control characters
     */
    public static HpcPackLogin basic(String user, Secret password) {
        requireUser(user);
        if (user.indexOf(':') >= 0) {
            throw new InvalidValueException("user name", user, "a name without ':'", "DOMAIN\\user");
        }
        Objects.requireNonNull(password, "password");
        return new HpcPackLogin(user, () -> {
            byte[] pair = (user + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8);
            return Secret.of("Basic " + Base64.getEncoder().encodeToString(pair));
        });
    }

    /** A bearer token with each request; the supplier is called for each one, and renews the token. */
    public static HpcPackLogin bearer(Supplier<Secret> token) {
        Objects.requireNonNull(token, "token");
        return new HpcPackLogin(
                "bearer token", () -> Secret.of("Bearer " + token.get().reveal()));
    }

    /** Refuses text that is no account name. */
    static String requireUser(String user) {
        if (user.isBlank() || user.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidValueException(
                    "user name", user, "DOMAIN\\user or user@domain, without control characters", "HPC\\hpcadmin");
        }
        return user;
    }

    /** The current value of the {@code Authorization} header. */
    public Secret authorization() {
        return authorization.get();
    }

    /** The user, or the kind of login; never a secret. */
    @Override
    public String toString() {
        return shown;
    }
}
