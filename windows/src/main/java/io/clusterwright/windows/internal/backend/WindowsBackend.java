package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.relay.RunCommandTransport;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.PackageFeed;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.windows.internal.relay.WindowsRelayShell;
import java.util.List;
import java.util.function.Consumer;

/**
 * Knows Windows: reaches nodes by scripts of PowerShell over a {@link io.clusterwright.core.spi.ScriptChannel}, customises them, makes them
 * into an image with sysprep and lets the members of a cluster know each other. Everything runs as LocalSystem.
 *
 * <p>Nothing of this has run on a Windows: the scripts are checked against a grammar of the language and the published cmdlets.
 */
public final class WindowsBackend implements NodeBackend {

    /** A backend; it holds nothing. */
    public WindowsBackend() {}

    @Override
    public OperatingSystem operatingSystem() {
        return OperatingSystem.WINDOWS;
    }

    /** Opens a transport over the relay of each node; there is no other. */
    @Override
    public NodeTransport openTransport() {
        return openRelayTransport();
    }

    @Override
    public NodeTransport openRelayTransport() {
        return new RunCommandTransport(new WindowsRelayShell());
    }

    /** Makes an Ed25519 key pair for the records; no Windows node is given it, and none shows it as its host key. */
    @Override
    public SshKeyPair newKeyPair(String comment) {
        return WindowsWork.newKeyPair(comment);
    }

    /** A comment: Windows keeps custom data in a file and does nothing with it. */
    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return Secret.of("# Windows does nothing with this.");
    }

    /**
     * Refuses: nodes that start alike, such as those of a scale set, are told apart over SSH.
     *
     * @throws ClusterwrightException always
     */
    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        throw new ClusterwrightException(
                "Windows nodes are not made alike and named afterwards; write placement: {kind: availability-set}");
    }

    /** Does nothing: newer updates come with a newer version of the image. */
    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        progress.accept("updates: those of the image; Windows is not updated here");
    }

    @Override
    public void customize(
            NodeSession session, ClusterSpec spec, PackageFeed feed, Trust trust, Consumer<String> progress) {
        WindowsWork.customize(session, spec, progress);
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        WindowsWork.deprovision(session, progress);
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        WindowsWork.join(session, spec, members);
    }
}
