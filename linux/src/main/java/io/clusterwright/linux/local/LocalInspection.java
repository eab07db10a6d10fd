package io.clusterwright.linux.local;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MemlockRule;
import io.clusterwright.core.spi.Inspection;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.MemlockLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What this machine has to say about a spec. */
final class LocalInspection {
    private final ClusterSpec spec;
    private final HostFacts facts;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> notChecked = new ArrayList<>();

    LocalInspection(ClusterSpec spec, HostFacts facts) {
        this.spec = spec;
        this.facts = facts;
    }

    Inspection run() {
        replaced();
        memlock();
        boolean able = able();
        if (able) {
            network();
        } else {
            notChecked.add("network.addressSpace: whether the addresses are free, because this machine lacks what local"
                    + " nodes need");
        }
        return new Inspection(findings, notChecked, able ? facts.fingerprint() : "");
    }

    private boolean able() {
        if (!facts.isLinux()) {
            add(1, Severity.ERROR, "", "local nodes need Linux, and this is " + facts.system(), "run this on Linux");
            return false;
        }
        if (!facts.isRoot()) {
            add(
                    2,
                    Severity.ERROR,
                    "",
                    "local nodes are made by root, and this is an ordinary user",
                    "run this as root, for example with sudo");
            return false;
        }
        List<String> missing = facts.missingPrograms();
        if (!missing.isEmpty()) {
            add(3, Severity.ERROR, "", "this machine has no " + String.join(", ", missing), facts.installLine(missing));
            return false;
        }
        List<String> lacking = facts.missingKernelParts();
        if (!lacking.isEmpty()) {
            add(
                    4,
                    Severity.ERROR,
                    "",
                    "the kernel of this machine lacks " + String.join(", ", lacking),
                    "use a kernel with overlayfs, namespaces, bridges and veth, and root that is not confined by a container");
            return false;
        }
        for (String folder : facts.systemFoldersElsewhere()) {
            add(
                    8,
                    Severity.ERROR,
                    "",
                    folder + " is a file system of its own, so nodes would not have it",
                    "use a machine whose system is on one file system");
        }
        if (facts.bridgesAreFiltered()) {
            add(
                    9,
                    Severity.WARNING,
                    "",
                    "this machine's firewall drops what passes its bridges, so nodes may not reach one another",
                    "set net.bridge.bridge-nf-call-iptables to 0, or let iptables accept the bridges cw*");
        }
        return true;
    }

    private void network() {
        LocalNetwork.conflict(spec.name(), spec.network().addressSpace())
                .ifPresent(conflict -> add(
                        5,
                        Severity.ERROR,
                        "network.addressSpace",
                        spec.network().addressSpace() + " is in use on this machine: " + conflict.describe(),
                        conflict.owner().isEmpty()
                                ? "choose another private range"
                                : "choose another private range, or destroy cluster " + conflict.owner()));
    }

    private void memlock() {
        long highest = facts.highestMemlockKibibytes();
        List<MemlockRule> tooHigh = spec.image().customize().memlock().stream()
                .filter(rule -> highest >= 0 && !MemlockLimit.of(highest).covers(rule.limit()))
                .toList();
        if (!tooHigh.isEmpty()) {
            add(
                    6,
                    Severity.WARNING,
                    "image.customize.memlock",
                    "this machine's kernel does not let a log-in raise locked memory above " + highest
                            + " KiB (no CAP_SYS_RESOURCE), so "
                            + tooHigh.stream()
                                    .map(rule -> rule.who() + " " + rule.limit())
                                    .collect(Collectors.joining(", "))
                            + " will be written and not be in force",
                    "expect " + highest + " KiB on local nodes, or use a machine with CAP_SYS_RESOURCE");
        }
    }

    private void replaced() {
        if (!(spec.image().base() instanceof ImageReference.Local)
                && !(spec.image().base() instanceof ImageReference.Auto)) {
            info("image.base", spec.image().base() + " is replaced by this system, " + facts.systemName());
        } else if (spec.image().base() instanceof ImageReference.Auto) {
            info("image.base", "nodes run this system, " + facts.systemName());
        }
        info(
                "nodes.size",
                spec.nodes().size() + " means nothing here: every node has the "
                        + Runtime.getRuntime().availableProcessors()
                        + " processors of this machine, and no fast network");
        if (!spec.extensions().isEmpty()) {
            info("extensions", "extensions are not installed on local nodes");
        }
        Optional.of(spec.network().dnsServers())
                .filter(servers -> !servers.isEmpty())
                .ifPresent(servers -> info("network.dnsServers", "local nodes resolve names by /etc/hosts only"));
    }

    private void info(String path, String message) {
        add(7, Severity.INFO, path, message, "nothing to do; on the cloud it is as the spec says");
    }

    private void add(int number, Severity severity, String path, String message, String remedy) {
        findings.add(new Finding("CW-LOCAL-%03d".formatted(number), severity, path, message, remedy));
    }
}
