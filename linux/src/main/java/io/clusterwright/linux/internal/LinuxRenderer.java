package io.clusterwright.linux.internal;

import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.HostsFile;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.LimitsConf;
import io.clusterwright.linux.SshHost;
import io.clusterwright.linux.SystemdLimits;
import io.clusterwright.linux.internal.customize.ImageCustomization;
import io.clusterwright.linux.internal.customize.Memlock;
import io.clusterwright.linux.internal.membership.NodeMembership;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** System files of the nodes of a Linux cluster: limits, SSH, names, and user data for cloud-init. */
public final class LinuxRenderer implements Renderer {
    private static final String NO_RULE = "# image.customize.memlock is missing: the limits of the image stay.\n";
    private static final String GUESSED =
            "# network.firstAddress is missing: these are the subnet's addresses in their order.\n"
                    + "# Compare them with the addresses of the machines before you use this file.\n";

    /** Creates the renderer; it has no state. */
    public LinuxRenderer() {}

    @Override
    public String name() {
        return "linux";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        if (input.spec().operatingSystem() != OperatingSystem.LINUX) {
            return List.of();
        }
        return List.of(
                limits(input),
                services(input),
                clientConfig(input),
                knownHosts(input),
                hosts(input),
                ImageCustomization.userData(input));
    }

    private static RenderedFile limits(RenderInput input) {
        List<MemlockRule> rules = rules(input);
        return RenderedFile.text(
                "limits.conf", rules.isEmpty() ? NO_RULE : Memlock.limits(rules).text());
    }

    private static RenderedFile services(RenderInput input) {
        List<MemlockRule> rules = rules(input);
        String name = SystemdLimits.MANAGER_PATH.substring(SystemdLimits.MANAGER_PATH.lastIndexOf('/') + 1);
        LimitsConf limits = Memlock.limits(rules);
        return RenderedFile.text(
                name, rules.isEmpty() ? NO_RULE : new SystemdLimits(Memlock.highest(limits)).managerDropIn());
    }

    private static List<MemlockRule> rules(RenderInput input) {
        return input.spec().image().customize().memlock();
    }

    private static RenderedFile clientConfig(RenderInput input) {
        List<SshHost> hosts = input.machines().keySet().stream()
                .map(machine -> SshHost.of(machine, input.reachedAt(machine)))
                .toList();
        return RenderedFile.text(
                "ssh_config",
                NodeMembership.clientConfig(
                                input.spec().image().customize().ssh(),
                                hosts,
                                List.copyOf(input.machines().values()))
                        .text());
    }

    private static RenderedFile knownHosts(RenderInput input) {
        List<KnownHost> known = new ArrayList<>();
        for (NodeName machine : input.machines().keySet()) {
            SshPublicKey key = input.hostKeys().get(machine);
            if (key != null) {
                known.add(knownHost(input, machine, key));
            }
        }
        RenderedFile file = RenderedFile.text("ssh_known_hosts", new KnownHosts(known).text());
        int missing = input.machines().size() - known.size();
        return missing == 0
                ? file
                : file.withNote((known.isEmpty()
                                ? "empty"
                                : "without " + missing + " of "
                                        + input.machines().size() + " machines")
                        + ": create makes the host keys, and render does not; render again after create, or"
                        + " add the host keys of your own machines");
    }

    private static KnownHost knownHost(RenderInput input, NodeName machine, SshPublicKey key) {
        List<String> names =
                Stream.of(machine.value(), input.reachedAt(machine)).distinct().toList();
        return new KnownHost(names, key);
    }

    private static RenderedFile hosts(RenderInput input) {
        String text = HostsFile.of(input.machines()).text();
        return input.fixedAddresses()
                ? RenderedFile.text("hosts", text)
                : RenderedFile.text("hosts", GUESSED + text)
                        .withNote(
                                "the addresses are not fixed, for network.firstAddress is not given: compare them with those"
                                        + " of the machines");
    }
}
