package io.clusterwright.core.spi;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.util.List;

/**
 * What a machine must be given before it is first reached: its identity and who may log in.
 *
 * @param hostName the machine's own name
 * @param loginUser the ordinary account that is made, with {@code sudo} and no prompt
 * @param authorizedKeys public keys in OpenSSH's form that may log in as that account
 * @param hostKey the machine's host key, made before the machine exists so that it can be pinned
 */
public record Bootstrap(NodeName hostName, UserName loginUser, List<String> authorizedKeys, KeyPairText hostKey) {
    /** Copies the list. */
    public Bootstrap {
        authorizedKeys = List.copyOf(authorizedKeys);
    }
}
