package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The key pairs and other secrets of a cluster: made on first use, stored before they are used, never changed. */
public final class ClusterKeys {
    /** The name of the key pair that the library logs in with. */
    public static final String LOGIN = "login";

    /** The name of the key pair that the nodes of the cluster share. */
    public static final String CLUSTER = "cluster";

    /** The name of the secret that the services of the cluster's scheduler share. */
    public static final String SCHEDULER = "scheduler";

    /** The name of the password of the login user, where it was made here. */
    public static final String PASSWORD = "password";

    private static final int SCHEDULER_BYTES = 128;
    private static final List<String> PASSWORD_KINDS =
            List.of("abcdefghijkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "-_.+=");
    private static final int PASSWORD_LENGTH = 28;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ClusterName cluster;
    private final SecretStore store;
    private final NodeBackend backend;

    /** The keys of one cluster. */
    public ClusterKeys(ClusterName cluster, SecretStore store, NodeBackend backend) {
        this.cluster = cluster;
        this.store = store;
        this.backend = backend;
    }

    /** The key that the library logs in with. */
    public SshKeyPair login() {
        return pair(LOGIN, "clusterwright-login:" + cluster);
    }

    /** The key that the nodes of the cluster share. */
    public SshKeyPair cluster() {
        return pair(CLUSTER, "clusterwright:" + cluster);
    }

    /** A node's host key. */
    public SshKeyPair host(NodeName node) {
        return pair(hostKeyName(node), node.value());
    }

    /** Deletes the host key of a node that is gone. */
    void removeHost(NodeName node) {
        store.remove(hostKeyName(node));
        store.remove(hostKeyName(node) + ".pub");
    }

    /**
     * The password of the login user: the one that the spec refers to, or one that is made here and kept.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the reference leads to nothing
     */
    public Secret password(ClusterSpec spec) {
        return spec.login()
                .password()
                .map(reference -> reference.resolve(System.getenv(), spec.baseFolder()))
                .orElseGet(() -> kept(PASSWORD, ClusterKeys::newPassword));
    }

    /** The keys by which the accounts of the cluster trust each other. */
    public NodeBackend.Trust trust() {
        return new NodeBackend.Trust(cluster(), login().publicKey(), scheduler());
    }

    /**
     * A password for an account of Windows: 12 to 123 characters with a lower and an upper case letter, a digit and another sign. Source:
     * Microsoft, "Frequently asked question about Windows Virtual Machines". Signs with a meaning in a shell or XML, and letters that look
     * alike, are left out.
     */
    static Secret newPassword() {
        List<Character> signs = new ArrayList<>();
        for (int i = 0; i < PASSWORD_LENGTH; i++) {
            String kind = i < PASSWORD_KINDS.size() ? PASSWORD_KINDS.get(i) : String.join("", PASSWORD_KINDS);
            signs.add(kind.charAt(RANDOM.nextInt(kind.length())));
        }
        Collections.shuffle(signs, RANDOM);
        StringBuilder password = new StringBuilder();
        signs.forEach(password::append);
        return Secret.of(password.toString());
    }

    /** The secret that the services of the cluster's scheduler share. */
    private Secret scheduler() {
        return kept(SCHEDULER, () -> {
            byte[] bytes = new byte[SCHEDULER_BYTES];
            RANDOM.nextBytes(bytes);
            return Secret.of(HexFormat.of().formatHex(bytes));
        });
    }

    private synchronized Secret kept(String name, Supplier<Secret> make) {
        return store.get(name).orElseGet(() -> {
            Secret made = make.get();
            store.put(name, made);
            return made;
        });
    }

    /** The name of the key pair of a node. */
    public static String hostKeyName(NodeName node) {
        return "host-" + node;
    }

    /** The public half of a key pair, if it was made. */
    public static Optional<SshPublicKey> known(SecretStore store, String name) {
        return store.get(name + ".pub")
                .map(text -> SshPublicKey.of(text.reveal().strip()));
    }

    private synchronized SshKeyPair pair(String name, String comment) {
        return store.get(name)
                .flatMap(secret -> known(store, name).map(key -> new SshKeyPair(key, secret)))
                .orElseGet(() -> {
                    SshKeyPair made = backend.newKeyPair(comment);
                    store.put(name + ".pub", Secret.of(made.publicKey() + "\n"));
                    store.put(name, made.privateKey());
                    return made;
                });
    }
}
