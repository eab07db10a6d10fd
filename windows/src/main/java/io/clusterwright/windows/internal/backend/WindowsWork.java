package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.windows.WindowsImageScript;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What the backend does over a session. */
public final class WindowsWork {
    private static final Duration IMAGE = Duration.ofMinutes(30);
    private static final Duration SYSPREP = Duration.ofMinutes(45);
    private static final Duration JOIN = Duration.ofMinutes(10);
    private static final Set<String> DRIVERS = Set.of("InfiniBandDriverWindows", "HpcVmDrivers");

    private WindowsWork() {}

    /** Carries out what the description says of the image. */
    public static void customize(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        Duration limit =
                spec.image().customize().scripts().stream().map(Script::timeout).reduce(IMAGE, Duration::plus);
        progress.accept("MPI, firewall, files and scripts in one script of PowerShell");
        ScriptRuns.run(session, "image", SpecImage.script(spec).text(), WindowsImageScript.MARKER, limit);
    }

    /** Makes the machine one that can be captured. */
    public static void deprovision(NodeSession session, Consumer<String> progress) {
        progress.accept("sysprep");
        ScriptRuns.run(session, "sysprep", Sysprep.script(), Sysprep.MARKER, SYSPREP);
    }

    /** Makes the machine a member; the fabric is asked for where a driver was installed for it. */
    public static void join(NodeSession session, ClusterSpec spec, List<Machine> members) {
        boolean fast = spec.nodes().size().flatMap(VmSizes.standard()::find)
                .map(VmSizeFacts::interconnect)
                .filter(interconnect -> interconnect != Interconnect.NONE)
                .isPresent();
        boolean driver = spec.extensions().stream()
                .map(ExtensionSpec::name)
                .flatMap(name -> name.stream())
                .anyMatch(DRIVERS::contains);
        ScriptRuns.run(session, "join", Membership.script(spec, members, fast && driver), Membership.MARKER, JOIN);
    }

    /** A key pair for the places that records have for one. */
    public static SshKeyPair newKeyPair(String comment) {
        return UnusedKeys.generate(comment);
    }
}
