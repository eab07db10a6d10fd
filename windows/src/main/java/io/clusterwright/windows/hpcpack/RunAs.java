package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.internal.jobs.JobChecks;
import java.util.Objects;

/**
 * The account a job runs as. Its password travels in the body of one request, over TLS.
 *
 * @param user such as {@code DOMAIN\\user} or {@code user@domain.example}
 * @param password its password
 */
public record RunAs(String user, Secret password) {
    /**
     * Checks the name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is empty or holds control characters
     */
    public RunAs {
        HpcPackLogin.requireUser(user);
        Objects.requireNonNull(password, "password");
    }
}
