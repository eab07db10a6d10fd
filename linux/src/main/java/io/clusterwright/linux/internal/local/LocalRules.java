package io.clusterwright.linux.internal.local;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.linux.internal.customize.RdmaNetworkRule;
import java.util.List;

/** The rules of this module, and the kinds of findings that only an inspection of this machine can report. */
public final class LocalRules implements RuleSet {
    static final String LET_BRIDGES_PASS =
            "run: sysctl -w net.bridge.bridge-nf-call-iptables=0, or: iptables -I FORWARD -i cw+ -j ACCEPT";
    static final String BECOME_ROOT =
            "run the command as root: write sudo in front of it, or do what the finding names";
    private static final List<FindingKind> KINDS = List.of(
            error(1, "local nodes need Linux", "run the command on Linux"),
            error(2, "local nodes need root, or a user namespace with a range of ids", BECOME_ROOT),
            error(
                    3,
                    "programs that local nodes need are missing",
                    "install the programs with the command of the finding"),
            error(
                    4,
                    "the kernel lacks parts that local nodes need",
                    "use a kernel with overlayfs, namespaces, seccomp, bridges and veth"),
            error(
                    5,
                    "the addresses are in use on this machine",
                    "write another private range in network.addressSpace and network.subnet.range"),
            new FindingKind(
                    code(6),
                    Severity.WARNING,
                    "this machine cannot set the limit of locked memory of the spec (no CAP_SYS_RESOURCE)",
                    "nothing to do; to raise it, use a machine or container with CAP_SYS_RESOURCE"),
            new FindingKind(
                    code(7),
                    Severity.INFO,
                    "local nodes ignore this field",
                    "nothing to do: this field takes effect on Azure"),
            error(
                    8,
                    "a system folder such as /var is a separate file system, and local nodes see the root file system only",
                    "use a machine with one file system for /, /usr, /etc, /var and /opt"),
            new FindingKind(
                    code(9),
                    Severity.WARNING,
                    "this machine's firewall drops packets on bridges, so nodes may not reach one another",
                    LET_BRIDGES_PASS),
            new FindingKind(
                    code(PackagesCheck.CODE),
                    Severity.WARNING,
                    "packages of this machine were changed while local nodes were running",
                    "run: clusterwright stop NAME, then: clusterwright start NAME (ClusterManager.stop, ClusterManager.start)"),
            error(
                    LocalInspection.SYSTEM,
                    "image.base names a folder or archive without a Linux system that local nodes can run",
                    "correct the path, or make a system with the command of the finding"));

    /** Creates the rules; they have no state. */
    public LocalRules() {}

    @Override
    public List<Rule> rules() {
        return List.of(RdmaNetworkRule.rule());
    }

    @Override
    public List<FindingKind> otherKinds() {
        return KINDS;
    }

    /** The code of a finding, such as {@code CW-LOCAL-007}. */
    public static String code(int number) {
        String digits = Integer.toString(number);
        return "CW-LOCAL-" + "0".repeat(3 - digits.length()) + digits;
    }

    private static FindingKind error(int number, String subject, String remedy) {
        return new FindingKind(code(number), Severity.ERROR, subject, remedy);
    }
}
