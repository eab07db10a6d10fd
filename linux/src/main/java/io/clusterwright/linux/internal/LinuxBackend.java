package io.clusterwright.linux.internal;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.relay.RunCommandSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.customize.CloudInit;
import io.clusterwright.linux.internal.customize.ImageCustomization;
import io.clusterwright.linux.internal.membership.NodeIdentity;
import io.clusterwright.linux.internal.membership.NodeMembership;
import io.clusterwright.linux.internal.node.NodeLogs;
import io.clusterwright.linux.internal.packages.PackageLocks;
import io.clusterwright.linux.internal.slurm.SlurmSetup;
import io.clusterwright.linux.internal.ssh.Ed25519Keys;
import io.clusterwright.linux.internal.ssh.LinuxRelayShell;
import io.clusterwright.linux.internal.ssh.SshTransport;
import io.clusterwright.linux.internal.ssh.SshWarmUp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Knows Linux: reaches nodes over SSH with a pinned host key, customises them logged in as an ordinary user who may use
 * sudo without a prompt, and joins them to a cluster.
 *
 * <p>The known distributions use apt, zypper, dnf or tdnf. Nothing this backend does touches {@code eth1} or a
 * file that names it.
 */
public final class LinuxBackend implements NodeBackend {

    /** A backend; it holds nothing. */
    public LinuxBackend() {}

    @Override
    public OperatingSystem operatingSystem() {
        return OperatingSystem.LINUX;
    }

    @Override
    public void warmUp() {
        SshWarmUp.quietly();
    }

    /** Opens a transport over SSH; its sessions open further connections when a node takes no more commands on one. */
    @Override
    public NodeTransport openTransport() {
        return new SshTransport();
    }

    /** Opens a transport whose scripts run in {@code /bin/sh}; they need su, setsid, gzip and base64 on the node. */
    @Override
    public NodeTransport openRelayTransport() {
        return RunCommandSession.transport(new LinuxRelayShell());
    }

    /** Makes an Ed25519 key pair in the form of OpenSSH. */
    @Override
    public SshKeyPair newKeyPair(String comment) {
        return Ed25519Keys.generate(comment);
    }

    /** The bootstrap as user data for cloud-init. */
    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return new CloudInit()
                .hostname(bootstrap.hostName())
                .addUser(
                        bootstrap.loginUser(),
                        List.of(),
                        bootstrap.authorizedKeys().stream()
                                .map(SshPublicKey::of)
                                .toList())
                .hostKey(bootstrap.hostKey().privateKey(), bootstrap.hostKey().publicKey())
                .text();
    }

    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        return NodeIdentity.install(session, own, used);
    }

    @Override
    public Secret identityScript(Bootstrap own) {
        return NodeIdentity.rootScript(own);
    }

    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        new ImageCustomization(session, spec, feed, progress).update();
    }

    @Override
    public void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        new ImageCustomization(session, spec, feed, progress).customize();
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        new ImageCustomization(session, spec, PackageFeed.ONLINE, progress).deprovision();
    }

    /** {@inheritDoc} Known are the locks of apt, dpkg, rpm, zypper, yum, dnf and tdnf. */
    @Override
    public void awaitPackages(NodeSession session, Duration limit, Consumer<String> progress) {
        PackageLocks.await(session, limit, progress);
    }

    @Override
    public Map<String, String> logs(NodeSession session, int lines) {
        return NodeLogs.read(session, lines);
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        NodeMembership.join(session, spec, members, trust);
    }

    /** Slurm, from the distribution's packages: munge and slurmd on every node, slurmctld on the first. */
    @Override
    public void startScheduler(Cluster cluster, Trust trust, Consumer<String> progress) {
        if (cluster.spec().scheduler() == Scheduler.SLURM) {
            SlurmSetup.run(cluster, trust, progress);
        } else {
            NodeBackend.super.startScheduler(cluster, trust, progress);
        }
    }
}
