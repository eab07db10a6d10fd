package io.clusterwright.core.internal.create;

import io.clusterwright.core.spi.KeyPairText;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.SecretStore;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;

/** The key pairs of a cluster: made when first asked for, kept before they are used, the same for ever after. */
public final class Keys {
    private final ClusterName cluster;
    private final SecretStore store;
    private final NodeBackend backend;

    /** The keys of one cluster. */
    public Keys(ClusterName cluster, SecretStore store, NodeBackend backend) {
        this.cluster = cluster;
        this.store = store;
        this.backend = backend;
    }

    /** The key that the library logs in with. */
    public KeyPairText login() {
        return pair("login", "clusterwright-login:" + cluster);
    }

    /** The key that the nodes of the cluster share. */
    public KeyPairText cluster() {
        return pair("cluster", "clusterwright:" + cluster);
    }

    /** A node's host key. */
    public KeyPairText host(NodeName node) {
        return pair("host-" + node, node.value());
    }

    /** How the accounts of the cluster trust each other. */
    public NodeBackend.Trust trust() {
        return new NodeBackend.Trust(cluster(), login().publicKey());
    }

    private synchronized KeyPairText pair(String name, String comment) {
        return store.get(name)
                .flatMap(secret -> store.get(name + ".pub")
                        .map(text ->
                                new KeyPairText(SshPublicKey.parse(text.reveal().strip()), secret)))
                .orElseGet(() -> {
                    KeyPairText made = backend.newKeyPair(comment);
                    store.put(name + ".pub", Secret.of(made.publicKey() + "\n"));
                    store.put(name, made.privateKey());
                    return made;
                });
    }
}
