package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.relay.RunCommandSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.windows.WindowsImageScript;
import io.clusterwright.windows.internal.relay.WindowsRelayShell;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The backend of Windows nodes: reaches them by PowerShell scripts over a {@link io.clusterwright.core.spi.ScriptChannel}, customises them,
 * generalizes them with sysprep and joins them to a cluster. Everything runs as LocalSystem.
 *
 * <p>Nothing of this has run on a Windows: the scripts are checked against a grammar of the language and the published cmdlets.
 */
public final class WindowsBackend implements NodeBackend {
    private static final Duration IMAGE = Duration.ofMinutes(30);
    private static final Duration SYSPREP = Duration.ofMinutes(45);
    private static final Duration JOIN = Duration.ofMinutes(10);
    private static final Set<String> DRIVERS = Set.of("InfiniBandDriverWindows", "HpcVmDrivers");

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
        return RunCommandSession.transport(new WindowsRelayShell());
    }

    /** Makes an Ed25519 key pair for the records; no Windows node is given it, and none shows it as its host key. */
    @Override
    public SshKeyPair newKeyPair(String comment) {
        return UnusedKeys.generate(comment);
    }

    /** A comment: Windows keeps custom data in a file and does nothing with it. */
    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return Secret.of("# Windows does nothing with this.");
    }

    /**
     * Refuses: nodes that start alike, such as those of a scale set, are identified over SSH.
     *
     * @throws ClusterwrightException always
     */
    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        throw new ClusterwrightException(
                "Windows nodes cannot be identified after their creation, as those of a scale set must be; write"
                        + " placement: {kind: availability-set}");
    }

    /** Does nothing: newer updates come with a newer version of the image. */
    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        progress.accept("updates: those of the image; Windows is not updated here");
    }

    @Override
    public void customize(
            NodeSession session, ClusterSpec spec, PackageFeed feed, Trust trust, Consumer<String> progress) {
        Duration limit =
                spec.image().customize().scripts().stream().map(Script::timeout).reduce(IMAGE, Duration::plus);
        progress.accept("MPI, firewall, files and scripts in one script of PowerShell");
        ScriptRuns.run(session, "image", SpecImage.script(spec).text(), WindowsImageScript.MARKER, limit);
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        progress.accept("sysprep");
        ScriptRuns.run(session, "sysprep", Sysprep.script(), Sysprep.MARKER, SYSPREP);
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        boolean fast = VmSizes.standard()
                .ofNodes(spec)
                .map(VmSizeFacts::interconnect)
                .filter(interconnect -> interconnect != Interconnect.NONE)
                .isPresent();
        boolean driver = spec.extensions().stream()
                .map(ExtensionSpec::name)
                .flatMap(name -> name.stream())
                .anyMatch(DRIVERS::contains);
        ScriptRuns.run(session, "join", Membership.script(spec, members, fast && driver), Membership.MARKER, JOIN);
    }
}
