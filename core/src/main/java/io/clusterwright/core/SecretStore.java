package io.clusterwright.core;

import io.clusterwright.core.type.Secret;
import java.util.Optional;

/** The secrets of one cluster, kept for later processes and out of the journal. */
public interface SecretStore {

    /** The secret of this name, if there is one. */
    Optional<Secret> get(String name);

    /** Keeps a secret, on disk before the call returns and readable by its owner alone. */
    void put(String name, Secret secret);
}
