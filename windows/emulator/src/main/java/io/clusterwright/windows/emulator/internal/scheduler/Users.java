package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.core.type.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The one user who may log in, by password or token.
 *
 * @param name the user
 * @param password its password
 * @param token a bearer token that stands for it
 */
public record Users(String name, Secret password, Secret token) {

    /** The user that an {@code Authorization} header proves. */
    public Optional<String> of(String authorization) {
        String basic = "Basic "
                + Base64.getEncoder().encodeToString((name + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8));
        boolean good = authorization.equals(basic) || authorization.equals("Bearer " + token.reveal());
        return good ? Optional.of(name) : Optional.empty();
    }

    /** Whether these are the user and its password. */
    public boolean accepts(String user, String given) {
        return name.equalsIgnoreCase(user) && password.reveal().equals(given);
    }
}
