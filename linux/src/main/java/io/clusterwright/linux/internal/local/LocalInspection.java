package io.clusterwright.linux.internal.local;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.linux.internal.local.Requirements.Refusal;
import io.clusterwright.linux.local.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Findings of this machine about a spec. */
final class LocalInspection {
    static final int SYSTEM = 11;

    private final ClusterSpec spec;
    private final Supplier<ClusterId> cluster;
    private final HostFacts facts;
    private final BaseSystems systems;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> notChecked = new ArrayList<>();

    /**
     * Findings about a spec.
     *
     * @param cluster finds the cluster of that name, which needs programs that this machine may lack
     */
    LocalInspection(ClusterSpec spec, Supplier<ClusterId> cluster, HostFacts facts, BaseSystems systems) {
        this.cluster = cluster;
        this.spec = spec;
        this.facts = facts;
        this.systems = systems;
    }

    Inspection run() {
        replaced();
        PackagesCheck.finding(spec.name()).ifPresent(findings::add);
        memlock();
        boolean able = able();
        if (able) {
            network();
        } else {
            notChecked.add("network.addressSpace: this machine cannot have local nodes, so it is not known whether the"
                    + " addresses are free");
            if (!systems.of(spec).isThisMachine()) {
                notChecked.add("image.base: this machine cannot have local nodes, so it is not known whether they can"
                        + " run the system");
            }
        }
        return new Inspection(findings, notChecked, able && system() ? systems.fingerprint(systems.of(spec)) : "");
    }

    /** Whether nodes can run the system of the spec, as far as this can be seen. */
    private boolean system() {
        BaseSystem system = systems.of(spec);
        if (systems.isPacked(system)) {
            notChecked.add("image.base: whether nodes can run the system in the archive, which is not unpacked yet");
            return true;
        }
        Optional<Refusal> refusal = system.refusal();
        refusal.ifPresent(reason -> add(SYSTEM, Severity.ERROR, "image.base", reason.detail(), reason.remedy()));
        return refusal.isEmpty();
    }

    private boolean able() {
        List<Requirement> missing = Requirements.of(facts).stream()
                .filter(requirement -> !requirement.met())
                .toList();
        missing.forEach(requirement -> findings.add(
                new Finding(requirement.code(), Severity.ERROR, "", requirement.detail(), requirement.remedy())));
        if (!missing.isEmpty()) {
            return false;
        }
        if (facts.bridgesAreFiltered()) {
            add(
                    9,
                    Severity.WARNING,
                    "",
                    "this machine's firewall drops packets on bridges, so nodes may not reach one another",
                    LocalRules.LET_BRIDGES_PASS);
        }
        return true;
    }

    private void network() {
        ClusterBridge.conflict(cluster.get(), spec.network().addressSpace())
                .ifPresent(conflict -> add(
                        5,
                        Severity.ERROR,
                        "network.addressSpace",
                        spec.network().addressSpace() + " is in use on this machine: " + conflict.describe(),
                        "write another private range in network.addressSpace and network.subnet.range"
                                + conflict.freedBy()
                                        .map(remedy -> ", or " + remedy)
                                        .orElse("")));
    }

    private void memlock() {
        facts.highestMemlock().ifPresent(highest -> {
            List<MemlockRule> tooHigh = spec.image().customize().memlock().stream()
                    .filter(rule -> !highest.covers(rule.limit()))
                    .toList();
            if (!tooHigh.isEmpty()) {
                add(
                        6,
                        Severity.WARNING,
                        "image.customize.memlock",
                        "this machine cannot raise the limit of locked memory above " + highest
                                + " KiB (no CAP_SYS_RESOURCE), so local nodes get " + highest + " KiB instead of "
                                + tooHigh.stream()
                                        .map(rule -> rule.who() + " " + rule.limit())
                                        .collect(Collectors.joining(", ")),
                        "nothing to do; to raise it, use a machine or container with CAP_SYS_RESOURCE");
            }
        });
    }

    private void replaced() {
        if (!(spec.image().base() instanceof ImageReference.Local
                        || spec.image().base() instanceof ImageReference.SystemFile)
                && !(spec.image().base() instanceof ImageReference.Auto)) {
            info(
                    "image.base",
                    spec.image().base() + " is ignored: local nodes run this machine's system, " + facts.systemName());
        } else if (spec.image().base() instanceof ImageReference.Auto) {
            info("image.base", "local nodes run this machine's system, " + facts.systemName());
        }
        info(
                "nodes.size",
                spec.nodes().size().map(size -> size + " is ignored: ").orElse("") + "every local node has the "
                        + Runtime.getRuntime().availableProcessors()
                        + " processors of this machine, and no RDMA network");
        if (!spec.extensions().isEmpty()) {
            info("extensions", "extensions are ignored on local nodes");
        }
        Optional.of(spec.network().dnsServers())
                .filter(servers -> !servers.isEmpty())
                .ifPresent(servers ->
                        info("network.dnsServers", "dnsServers is ignored: local nodes resolve names by /etc/hosts"));
    }

    private void info(String path, String message) {
        add(7, Severity.INFO, path, message, "nothing to do: this field takes effect on Azure");
    }

    private void add(int number, Severity severity, String path, String message, String remedy) {
        findings.add(new Finding(LocalRules.code(number), severity, path, message, remedy));
    }
}
