package io.clusterwright.linux.internal.local;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.List;

/** Kinds of findings that only an inspection of this machine can report. */
public final class LocalRules implements RuleSet {
    static final String LET_BRIDGES_PASS =
            "run: sysctl -w net.bridge.bridge-nf-call-iptables=0, or: iptables -I FORWARD -i cw+ -j ACCEPT";
    static final String BECOME_ROOT = "run this as root: write sudo before the command";
    private static final List<FindingKind> KINDS = List.of(
            error(1, "this is not Linux", "run this on Linux"),
            error(2, "local nodes are made by root", BECOME_ROOT),
            error(3, "programs that local nodes need are missing", "install them as the finding says"),
            error(
                    4,
                    "the kernel lacks what local nodes need",
                    "use a kernel with overlayfs, namespaces, bridges and veth"),
            error(5, "the addresses are in use on this machine", "choose another private range"),
            new FindingKind(
                    code(6),
                    Severity.WARNING,
                    "this machine's kernel does not let a log-in raise locked memory that far",
                    "expect less on local nodes, or use a machine with CAP_SYS_RESOURCE"),
            new FindingKind(
                    code(7),
                    Severity.INFO,
                    "parts that this machine cannot provide are substituted",
                    "on the cloud it is as the spec says"),
            error(
                    8,
                    "a folder of the system is a separate file system",
                    "use a machine whose system is on one file system"),
            new FindingKind(
                    code(9),
                    Severity.WARNING,
                    "this machine's firewall drops what passes its bridges",
                    LET_BRIDGES_PASS),
            new FindingKind(
                    code(PackagesCheck.CODE),
                    Severity.WARNING,
                    "packages of this machine were changed below nodes that run",
                    "stop the cluster and start it again"));

    /** Creates the rules; they have no state. */
    public LocalRules() {}

    @Override
    public List<Rule> rules() {
        return List.of();
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
