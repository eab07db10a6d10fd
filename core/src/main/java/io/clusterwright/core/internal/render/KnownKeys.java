package io.clusterwright.core.internal.render;

import io.clusterwright.core.SecretStore;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.create.Keys;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The public keys of a cluster that exist; none is made.
 *
 * @param hosts the host keys by node
 * @param accounts those that log in to the accounts of its nodes
 */
public record KnownKeys(Map<NodeName, SshPublicKey> hosts, List<SshPublicKey> accounts) {
    /** No key. */
    public static final KnownKeys NONE = new KnownKeys(Map.of(), List.of());

    /** The keys that a store has of a cluster of this name and of these nodes. */
    public static KnownKeys read(StateStore store, ClusterName cluster, Iterable<NodeName> nodes) {
        if (store.read(cluster).isEmpty()) {
            return NONE;
        }
        SecretStore secrets = store.secrets(cluster);
        Map<NodeName, SshPublicKey> hosts = new LinkedHashMap<>();
        for (NodeName node : nodes) {
            Keys.known(secrets, Keys.hostKeyName(node)).ifPresent(key -> hosts.put(node, key));
        }
        List<SshPublicKey> accounts = Stream.of(Keys.LOGIN, Keys.CLUSTER)
                .flatMap(name -> Keys.known(secrets, name).stream())
                .toList();
        return new KnownKeys(hosts, accounts);
    }
}
