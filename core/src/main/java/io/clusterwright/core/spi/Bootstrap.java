package io.clusterwright.core.spi;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.UserName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a machine and the keys of its login user, given to it before the first session. A provider passes
 * it to the machine, by cloud-init or in another way.
 *
 * @param hostName the machine's own name
 * @param loginUser the ordinary account that is made, with {@code sudo} and no prompt
 * @param authorizedKeys public keys in OpenSSH's form that may log in as that account
 * @param hostKey the machine's host key, made before the machine exists so that it can be pinned; of no use on Windows
 * @param password the account's password, for Windows, which makes no account without; null for none
 * @see MachineProvider
 */
public record Bootstrap(
        NodeName hostName,
        UserName loginUser,
        List<String> authorizedKeys,
        SshKeyPair hostKey,
        @Nullable Secret password) {
    /** Copies the list. */
    public Bootstrap {
        authorizedKeys = List.copyOf(authorizedKeys);
    }

    /** The bootstrap of a machine whose account has no password. */
    public Bootstrap(NodeName hostName, UserName loginUser, List<String> authorizedKeys, SshKeyPair hostKey) {
        this(hostName, loginUser, authorizedKeys, hostKey, null);
    }
}
