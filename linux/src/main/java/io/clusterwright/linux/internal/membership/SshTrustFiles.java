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
import io.clusterwright.linux.internal.node.Site;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The key files of the accounts of a cluster. Lines and keys of other clusters, known by their comment, are replaced. */
public final class SshTrustFiles {
    private static final String CLUSTER_MARK = "clusterwright:";
    private static final String LOGIN_MARK = "clusterwright-login:";

    private final UserName user;
    private final SshTrust policy;
    private final Trust trust;
    private final NodePath folder;
    private final NodePath privateKey;
    private final NodePath publicKey;
    private final NodePath authorized;

    SshTrustFiles(UserName user, SshTrust policy, Trust trust) {
        this.user = user;
        this.policy = policy;
        this.trust = trust;
        this.folder = NodePath.home(user, ".ssh");
        this.privateKey = NodePath.home(user, ".ssh/id_ed25519").asSecret();
        this.publicKey = NodePath.home(user, ".ssh/id_ed25519.pub");
        this.authorized = NodePath.home(user, ".ssh/authorized_keys");
    }

    /** Gives the accounts of an image the keys with which they trust each other. */
    public static void run(Site site, Trust trust) {
        SshTrust policy = site.customization().ssh();
        requireSupported(policy);
        Set<UserName> users = users(site);
        List<SshTrustFiles> files = users.stream()
                .map(user -> new SshTrustFiles(user, policy, trust))
                .toList();
        NodeFiles now = NodeFiles.read(
                site.session(),
                files.stream().flatMap(one -> one.paths().stream()).toList());
        FileBatch batch = new FileBatch();
        files.forEach(one -> one.write(now, batch));
        site.run(batch.command());
        if (policy.trust() == SshTrust.Trust.CLUSTER_KEY) {
            site.say("SSH key of the cluster for "
                    + users.stream().map(UserName::value).sorted().toList());
        }
    }

    /** The accounts that log in to nodes: that of jobs, and the login. */
    static Set<UserName> users(Site site) {
        return new LinkedHashSet<>(
                List.of(site.spec().mpiUser(), site.spec().login().user()));
    }

    static void requireSupported(SshTrust policy) {
        if (policy.trust() == SshTrust.Trust.PER_NODE_KEYS) {
            throw new ClusterwrightException("image.customize.ssh.trust: per-node-keys is not carried out yet on Linux;"
                    + " write cluster-key, or none");
        }
    }

    /** The files that {@link #write} needs. */
    List<NodePath> paths() {
        return List.of(privateKey, publicKey, authorized);
    }

    /** Adds the changes. */
    void write(NodeFiles now, FileBatch batch) {
        String owner = user + ":";
        batch.folder(folder, "700", owner);
        batch.putIfChanged(now, authorized, authorizedKeys(now.text(authorized)), "600", owner);
        if (policy.trust() != SshTrust.Trust.CLUSTER_KEY) {
            return;
        }
        String pem = trust.clusterKey().privateKey().reveal().strip() + "\n";
        if (!now.holds(privateKey, pem)) {
            requireOurs(now);
            batch.put(publicKey, trust.clusterKey().publicKey() + "\n", "644", owner)
                    .put(privateKey, pem, "600", owner);
        }
    }

    private String authorizedKeys(String existing) {
        List<SshPublicKey> wanted = new ArrayList<>(List.of(trust.loginKey()));
        if (policy.trust() == SshTrust.Trust.CLUSTER_KEY) {
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
        boolean ours = now.find(privateKey).isEmpty()
                || parse(now.text(publicKey)).stream().anyMatch(SshTrustFiles::isOurs);
        if (!ours) {
            throw new ClusterwrightException(privateKey + " exists and is not a key of this library: it would be lost."
                    + " Move it away in a script, or set image.customize.ssh.trust to none");
        }
    }

    private static boolean isOurs(SshPublicKey key) {
        return key.comment().startsWith(CLUSTER_MARK) || key.comment().startsWith(LOGIN_MARK);
    }

    private static List<SshPublicKey> parse(String line) {
        try {
            return List.of(SshPublicKey.parse(line));
        } catch (InvalidValueException e) {
            return List.of();
        }
    }
}
