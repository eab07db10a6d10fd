package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * How a client proves who it is. Safe for use by several threads.
 *
 * <p>NTLM is not offered: the JDK's client does not speak it. A user of another domain than the cluster's cannot log in to the head node's
 * REST interfaces at all; {@code user@domain} works where {@code DOMAIN\\user} does.
 */
public sealed interface HpcPackLogin {

    /** What the {@code Authorization} header says now. */
    Secret authorization();

    /**
     * User and password with each request (HTTP Basic).
     *
     * @param user such as {@code DOMAIN\\user}
     * @throws InvalidValueException when the name is empty or holds a colon or control characters
     */
    static HpcPackLogin basic(String user, Secret password) {
        requireUser(user);
        if (user.indexOf(':') >= 0) {
            throw new InvalidValueException(
                    "user name", user, "a name without ':', which HTTP Basic cannot carry", "DOMAIN\\user");
        }
        return new Basic(user, Objects.requireNonNull(password, "password"));
    }

    /** A bearer token with each request, asked for anew each time: whoever supplies it renews it. */
    static HpcPackLogin bearer(Supplier<Secret> token) {
        return new Bearer(Objects.requireNonNull(token, "token"));
    }

    /** Refuses what is no account name. */
    static void requireUser(String user) {
        if (user.isBlank() || user.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidValueException(
                    "user name", user, "DOMAIN\\user or user@domain, without control characters", "HPC\\hpcadmin");
        }
    }

    /**
     * HTTP Basic.
     *
     * @param user the account
     * @param password its password
     */
    record Basic(String user, Secret password) implements HpcPackLogin {
        @Override
        public Secret authorization() {
            byte[] pair = (user + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8);
            return Secret.of("Basic " + Base64.getEncoder().encodeToString(pair));
        }
    }

    /**
     * A bearer token.
     *
     * @param token gives the token of now
     */
    record Bearer(Supplier<Secret> token) implements HpcPackLogin {
        @Override
        public Secret authorization() {
            return Secret.of("Bearer " + token.get().reveal());
        }
    }
}
