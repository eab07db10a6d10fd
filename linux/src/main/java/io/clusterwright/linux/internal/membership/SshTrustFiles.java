package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.AuthorizedKeys;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The key files of the accounts of a cluster. Lines and keys of other clusters, known by their comment, are replaced. The key of the
 * cluster, which every rank can read, opens the account of jobs and no other: the login may use sudo. {@link NodeMembership} writes
 * host keys and the configuration of ssh.
 */
public final class SshTrustFiles {
    private static final String CLUSTER_MARK = "clusterwright:";
    private static final String LOGIN_MARK = "clusterwright-login:";

    private final SshTrust policy;
    private final Trust trust;
    private final boolean ofJobs;
    private final NodePath folder;
    private final NodePath privateKey;
    private final NodePath publicKey;
    private final NodePath authorized;

    private SshTrustFiles(UserName user, NodeSetup setup, Trust trust) {
        this.policy = setup.customization().ssh();
        this.ofJobs = user.equals(setup.spec().mpiUser());
        this.trust = trust;
        this.folder = NodePath.home(user, ".ssh");
        this.privateKey = NodePath.home(user, ".ssh/id_ed25519").asSecret();
        this.publicKey = NodePath.home(user, ".ssh/id_ed25519.pub");
        this.authorized = NodePath.home(user, ".ssh/authorized_keys");
    }

    /** Gives the accounts of an image the keys with which they trust each other. */
    public static void run(NodeSetup setup, Trust trust) {
        SshTrust policy = setup.customization().ssh();
        requireSupported(policy);
        List<SshTrustFiles> files = of(setup, trust);
        NodeFiles now = NodeFiles.read(
                setup.session(),
                files.stream().flatMap(one -> one.paths().stream()).toList());
        FileBatch batch = new FileBatch();
        files.forEach(one -> one.write(now, batch));
        setup.run(batch.command());
        if (policy.trust() == SshTrust.Trust.CLUSTER_KEY) {
            setup.report("SSH key of the cluster for " + setup.spec().mpiUser());
        }
    }

    /** The files of each account that logs in to nodes: the account of jobs, and the login. */
    static List<SshTrustFiles> of(NodeSetup setup, Trust trust) {
        return users(setup).stream()
                .map(user -> new SshTrustFiles(user, setup, trust))
                .toList();
    }

    /** The accounts that log in to nodes: the account of jobs, and the login. */
    static Set<UserName> users(NodeSetup setup) {
        return new LinkedHashSet<>(
                List.of(setup.spec().mpiUser(), setup.spec().login().user()));
    }

    /** Refuses what CW-SPEC-001 and CW-SPEC-002 refuse, for a spec that suppresses them. */
    static void requireSupported(SshTrust policy) {
        if (policy.trust() == SshTrust.Trust.PER_NODE_KEYS) {
            throw new ClusterwrightException(
                    "image.customize.ssh.trust: per-node-keys is not implemented; write cluster-key or none");
        }
    }

    /** The files that {@link #write} needs. */
    List<NodePath> paths() {
        return List.of(privateKey, publicKey, authorized);
    }

    /** Adds the changes. */
    void write(NodeFiles now, FileBatch batch) {
        batch.folder(folder, "700", "");
        batch.putIfChanged(now, authorized, authorizedKeys(now.text(authorized)), "600", "");
        if (!ofJobs) {
            if (now.find(privateKey).isPresent() && hasOurs(now)) {
                batch.remove(privateKey).remove(publicKey);
            }
            return;
        }
        if (policy.trust() != SshTrust.Trust.CLUSTER_KEY) {
            return;
        }
        String pem = trust.clusterKey().privateKey().reveal().strip() + "\n";
        if (!now.holds(privateKey, pem)) {
            requireOurs(now);
            batch.put(publicKey, trust.clusterKey().publicKey() + "\n", "644", "")
                    .put(privateKey, pem, "600", "");
        }
    }

    private String authorizedKeys(String existing) {
        List<SshPublicKey> wanted = new ArrayList<>(List.of(trust.loginKey()));
        if (ofJobs && policy.trust() == SshTrust.Trust.CLUSTER_KEY) {
            wanted.add(trust.clusterKey().publicKey());
        }
        List<SshPublicKey> stale = existing.lines()
                .flatMap(line -> parse(line).stream())
                .filter(key -> isOurs(key) && wanted.stream().noneMatch(key::sameKey))
                .toList();
        return new AuthorizedKeys(wanted).addTo(new AuthorizedKeys(stale).removeFrom(existing));
    }

    /** A key pair of another origin is never overwritten. */
    private void requireOurs(NodeFiles now) {
        if (now.find(privateKey).isPresent() && !hasOurs(now)) {
            throw new ClusterwrightException(privateKey + " exists, and this library did not create it."
                    + " Move it away in image.customize.scripts, or write image: {customize: {ssh: {trust: none}}}");
        }
    }

    private boolean hasOurs(NodeFiles now) {
        return parse(now.text(publicKey)).stream().anyMatch(SshTrustFiles::isOurs);
    }

    private static boolean isOurs(SshPublicKey key) {
        return key.comment().startsWith(CLUSTER_MARK) || key.comment().startsWith(LOGIN_MARK);
    }

    private static List<SshPublicKey> parse(String line) {
        try {
            return List.of(SshPublicKey.of(line));
        } catch (InvalidValueException e) {
            return List.of();
        }
    }
}
