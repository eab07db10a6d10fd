package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.Site;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Gives the accounts of an image the keys they trust each other with. */
public final class SshTrustStep {
    private SshTrustStep() {}

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

    /** Those who log in to nodes: whoever runs jobs, and the login. */
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
}
