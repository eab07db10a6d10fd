package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.Command;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        this.privateKey = privateKey(user);
        this.publicKey = publicKey(user);
        this.authorized = authorized(user);
    }

    private static NodePath privateKey(UserName user) {
        return NodePath.home(user, ".ssh/id_ed25519").asSecret();
    }

    private static NodePath publicKey(UserName user) {
        return NodePath.home(user, ".ssh/id_ed25519.pub");
    }

    private static NodePath authorized(UserName user) {
        return NodePath.home(user, ".ssh/authorized_keys");
    }

    /**
     * The script that takes the keys of a cluster off a node that is about to be captured: its key pair, and the keys that open accounts of
     * its nodes, among them the ones that the spec adds. Other keys stay.
     */
    public static String withdrawal(NodeSetup setup) {
        Set<UserName> accounts = users(setup);
        accounts.add(UserName.ROOT);
        String names = accounts.stream().map(UserName::value).collect(Collectors.joining(" "));
        Set<String> there = setup.run(Command.shell("getent passwd " + names + " | cut -d: -f1"))
                .lines()
                .collect(Collectors.toSet());
        List<UserName> users =
                accounts.stream().filter(user -> there.contains(user.value())).toList();
        NodeFiles now = NodeFiles.read(
                setup.session(),
                users.stream()
                        .flatMap(user -> Stream.of(publicKey(user), authorized(user)))
                        .toList());
        // A line of root's repeats a key of the login, after options.
        List<SshPublicKey> leaving = new ArrayList<>(setup.spec().login().publicKeys());
        users.stream()
                .flatMap(user -> now.text(authorized(user)).lines())
                .flatMap(line -> parse(line).stream())
                .filter(SshTrustFiles::isOurs)
                .forEach(leaving::add);
        FileBatch batch = new FileBatch();
        for (UserName user : users) {
            if (hasOurs(now.text(publicKey(user)))) {
                batch.remove(privateKey(user)).remove(publicKey(user));
            }
            String keys = now.text(authorized(user));
            String left = new AuthorizedKeys(leaving).removeFrom(keys);
            if (!left.equals(keys)) {
                batch.put(authorized(user), left, "600", "");
            }
        }
        return batch.isEmpty() ? "" : batch.script() + "set +C\numask 022\n";
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
    public static void requireSupported(SshTrust policy) {
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
            if (now.find(privateKey).isPresent() && hasOurs(now.text(publicKey))) {
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
        if (now.find(privateKey).isPresent() && !hasOurs(now.text(publicKey))) {
            throw new ClusterwrightException(privateKey + " exists, and this library did not create it."
                    + " Move it away in image.customize.scripts, or write image: {customize: {ssh: {trust: none}}}");
        }
    }

    private static boolean hasOurs(String key) {
        return parse(key).stream().anyMatch(SshTrustFiles::isOurs);
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
