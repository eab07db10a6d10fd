package io.clusterwright.core;

import io.clusterwright.core.type.Secret;
import java.util.Optional;

/** Keeps the secrets of one cluster, which a later process needs and the journal must not hold. */
public interface SecretStore {

    /** The secret of this name, if there is one. */
    Optional<Secret> get(String name);

    /** Keeps a secret, on disk before the call returns and readable by its owner alone. */
    void put(String name, Secret secret);
}
