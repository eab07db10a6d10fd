package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.UserName;
import java.util.List;
import java.util.Set;

/** Rules on SSH access, trust and host keys. */
final class SshRules {
    private static final int WIDE = 8;
    private static final int WIDEST_ACCEPTED = 16;
    private static final Set<String> ROOT_GROUPS =
            Set.of("root", "sudo", "wheel", "admin", "adm", "docker", "lxd", "disk", "shadow", "libvirt");

    private SshRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-SSH-001",
                        CLOUD,
                        "SSH is open to the internet",
                        "write your addresses in network.ssh.allowFrom",
                        SshRules::worldOpen),
                Rule.warning(
                        "CW-SSH-002",
                        EVERYWHERE,
                        "nodes accept unknown host keys (StrictHostKeyChecking no)",
                        "write image: {customize: {ssh: {hostKeys: pinned}}}",
                        SshRules::accepted),
                Rule.error(
                        "CW-SSH-003",
                        EVERYWHERE,
                        "nodes accept unknown host keys from addresses outside of the cluster's network, or from a wide range",
                        "write an acceptRange inside of network.addressSpace, or image: {customize: {ssh: {hostKeys: pinned}}}",
                        SshRules::acceptedOutside),
                Rule.warning(
                        "CW-SSH-004",
                        CLOUD,
                        "SSH accepts a password from outside, and a password can be guessed",
                        "write login.publicKeys and remove login.password, or write network: {ssh: {external: none}}",
                        SshRules::password),
                Rule.warning(
                        "CW-SSH-005",
                        EVERYWHERE,
                        "nodes cannot log in on each other, so MPI cannot start its processes over SSH",
                        "write image: {customize: {ssh: {trust: cluster-key}}}",
                        SshRules::noTrust),
                Rule.warning(
                        "CW-SSH-006",
                        EVERYWHERE,
                        "jobs run as an account that can become root, so a job controls every node",
                        "write an image.customize.user that is not the login user, without a group that may use sudo",
                        SshRules::jobsAsRoot));
    }

    private static void worldOpen(ClusterSpec spec, Facts facts, Rule.Report report) {
        SshAccess ssh = spec.network().ssh();
        for (int i = 0; i < ssh.allowFrom().size(); i++) {
            AddressRange range = ssh.allowFrom().get(i);
            if (ssh.external() != SshAccess.External.NONE && range.prefixLength() < WIDE) {
                report.add("network.ssh.allowFrom[" + i + "]", "every address in " + range + " may connect to SSH");
            }
        }
    }

    private static void accepted(ClusterSpec spec, Facts facts, Rule.Report report) {
        SshTrust trust = spec.image().customize().ssh();
        if (trust.hostKeys() != SshTrust.HostKeys.PINNED) {
            String note = trust.hostKeys() == SshTrust.HostKeys.ACCEPT_IN_RANGE
                    ? "; ssh compares a range with the typed name, so it matches addresses and never a node's name"
                    : "";
            report.add(
                    "image.customize.ssh.hostKeys",
                    "nodes accept unknown host keys: hostKeys is " + trust.hostKeys() + note);
        }
    }

    private static void acceptedOutside(ClusterSpec spec, Facts facts, Rule.Report report) {
        List<String> ranges = spec.image().customize().ssh().acceptRange();
        for (int i = 0; i < ranges.size(); i++) {
            AddressRange range = range(ranges.get(i));
            if (range.prefixLength() < WIDEST_ACCEPTED
                    && spec.network().addressSpace().contains(range)) {
                report.add(
                        "image.customize.ssh.acceptRange[" + i + "]",
                        "nodes accept unknown host keys from " + ranges.get(i) + ", which is wider than a /"
                                + WIDEST_ACCEPTED + " network",
                        "write an acceptRange whose first two numbers are fixed, such as 10.32.*, or image: {customize:"
                                + " {ssh: {hostKeys: pinned}}}");
            } else if (!spec.network().addressSpace().contains(range)) {
                report.add(
                        "image.customize.ssh.acceptRange[" + i + "]",
                        "nodes accept unknown host keys from " + ranges.get(i)
                                + ", which is outside of network.addressSpace "
                                + spec.network().addressSpace());
            }
        }
    }

    /** The range that a pattern such as {@code 10.32.0.*} stands for. */
    private static AddressRange range(String pattern) {
        if (pattern.contains("/")) {
            String[] parts = pattern.split("/");
            int length = Integer.parseInt(parts[1]);
            int bits = Ipv4Address.of(parts[0]).bits() & -1 << 32 - length;
            return new AddressRange(new Ipv4Address(bits), length);
        }
        String fixed = pattern.replace(".*", "");
        int numbers = fixed.split("\\.").length;
        return new AddressRange(Ipv4Address.of(fixed + ".0".repeat(4 - numbers)), 8 * numbers);
    }

    private static void password(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.linux(spec)
                && spec.login().password().isPresent()
                && spec.network().ssh().external() != SshAccess.External.NONE) {
            report.add(
                    "login.password",
                    "SSH accepts the password of " + spec.login().user()
                            + " from outside, and a password can be guessed");
        }
    }

    private static void jobsAsRoot(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!SpecQueries.linux(spec)) {
            return;
        }
        if (spec.mpiUser().equals(UserName.ROOT)
                || spec.mpiUser().equals(spec.login().user())) {
            report.add(
                    "image.customize.user",
                    "jobs run as " + spec.mpiUser()
                            + (spec.mpiUser().equals(UserName.ROOT)
                                    ? ""
                                    : ", the login user, which can become root without a password"));
        }
        spec.image().customize().user().map(UserAccount::groups).orElse(List.of()).stream()
                .filter(group -> ROOT_GROUPS.contains(group.value()))
                .forEach(group ->
                        report.add("image.customize.user.groups", "members of group " + group + " can become root"));
    }

    private static void noTrust(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.linux(spec)
                && spec.image().customize().ssh().trust() == SshTrust.Trust.NONE
                && spec.scheduler() == Scheduler.NONE
                && spec.nodes().count() > 1) {
            report.add(
                    "image.customize.ssh.trust",
                    "trust is none: nodes cannot log in on each other, so MPI cannot start its processes over SSH");
        }
    }
}
