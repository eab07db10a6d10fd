package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.relay.RunCommandSession;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.windows.WindowsImageScript;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.relay.WindowsRelayShell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

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
    private static final String GENERALIZED = "clusterwright: the machine is generalized";
    private static final String JOINED = "clusterwright: the machine is a member";
    private static final String FOLDER = "C:\\ProgramData\\clusterwright\\";
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int SHOWN_LINES = 12;
    private static final byte[] KEY_TYPE = "ssh-ed25519".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_BYTES = 32;
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
        KeyPair pair;
        try {
            pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java from 15 on has Ed25519", e);
        }
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] blob = ByteBuffer.allocate(8 + KEY_TYPE.length + KEY_BYTES)
                .putInt(KEY_TYPE.length)
                .put(KEY_TYPE)
                .putInt(KEY_BYTES)
                .put(encoded, encoded.length - KEY_BYTES, KEY_BYTES)
                .array();
        String pem = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        String line = "ssh-ed25519 " + Base64.getEncoder().encodeToString(blob) + " " + comment;
        return new SshKeyPair(SshPublicKey.of(line), Secret.of(pem));
    }

    /** A comment: Windows keeps custom data in a file and does nothing with it. */
    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return Secret.of("# Windows does nothing with this.");
    }

    /**
     * Refuses: nodes that start alike, such as the nodes of a scale set, are identified over SSH.
     *
     * @throws ClusterwrightException always
     */
    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        throw new ClusterwrightException("Windows nodes of a scale set cannot be identified after their creation; write"
                + " placement: {kind: availability-set}");
    }

    /** Does nothing: newer updates come with a newer version of the image. */
    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        progress.accept("updates: Windows is not updated here; the image brings its updates");
    }

    @Override
    public void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        Duration limit =
                spec.image().customize().scripts().stream().map(Script::timeout).reduce(IMAGE, Duration::plus);
        progress.accept("MPI, firewall, files and scripts in one script of PowerShell");
        run(session, "image", SpecImage.script(spec).text(), WindowsImageScript.MARKER, limit);
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        progress.accept("sysprep");
        run(session, "sysprep", PowerShellScript.of("sysprep.ps1").text(), GENERALIZED, SYSPREP);
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
        PowerShellScript script = PowerShellScript.of("join.ps1")
                .set(
                        "Members",
                        members.stream()
                                .map(member -> member.address() + " " + member.name())
                                .toList())
                .set("Subnet", spec.network().subnet().range().toString())
                .programs(spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of()))
                .set("Fabric", fast && driver);
        run(session, "join", script.text(), JOINED, JOIN);
    }

    /**
     * Runs a script to its end, as a file, because a command line holds 32,767 characters; the file is deleted again.
     *
     * @param name of the file, without its ending
     * @param marker the line that the script prints when it is complete
     */
    private static void run(NodeSession session, String name, String script, String marker, Duration limit) {
        String file = FOLDER + name + ".ps1";
        session.write((BYTE_ORDER_MARK + script).getBytes(StandardCharsets.UTF_8), file, 0600);
        CommandResult result = session.run(Command.of(PowerShellScript.command(
                        "-Command",
                        "try { & '" + file + "' } finally { Remove-Item -LiteralPath '" + file + "' -Force }"))
                .timeout(limit));
        if (!result.succeeded() || !result.stdout().contains(marker)) {
            String lines = (result.stderr() + "\n" + result.stdout())
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .limit(SHOWN_LINES)
                    .map(PrintableText::line)
                    .collect(Collectors.joining(" | "));
            throw new ClusterwrightException(
                    "on " + session.node() + ", the script " + name + " ended with exit status " + result.exitStatus()
                            + " and did not print its last line; its output: " + lines);
        }
    }
}
