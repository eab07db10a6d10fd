package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;
import static io.clusterwright.core.spi.Rule.Where.LOCAL;

import io.clusterwright.core.internal.spec.ProviderNames;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.function.Predicate;

/** Fields of a spec that no module carries out yet: one entry each, to be removed when one does. */
final class UnsupportedRules {
    private UnsupportedRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-SPEC-001",
                        CLOUD,
                        "trust: per-node-keys is not implemented",
                        "write image: {customize: {ssh: {trust: cluster-key}}}",
                        UnsupportedRules::perNodeKeys),
                Rule.error(
                        "CW-SPEC-002",
                        LOCAL,
                        "trust: per-node-keys is not implemented on local nodes",
                        "write on: {local: {image: {customize: {ssh: {trust: cluster-key}}}}}",
                        UnsupportedRules::perNodeKeys),
                Rule.warning(
                        "CW-SPEC-016",
                        EVERYWHERE,
                        "a part under on is for a provider that Clusterwright does not have",
                        "write it under local, azure or emulator, or remove it",
                        UnsupportedRules::otherProviders),
                warning(
                        "003",
                        EVERYWHERE,
                        "scheduler",
                        "the scheduler is not set up: hpc-pack needs hpcPack.head, and slurm needs Linux nodes",
                        "write scheduler: none, scheduler: slurm with Linux nodes, or scheduler: hpc-pack with hpcPack.head",
                        spec -> spec.scheduler() == Scheduler.HPC_PACK
                                        && spec.hpcPack()
                                                .flatMap(HpcPackSpec::head)
                                                .isEmpty()
                                || spec.scheduler() == Scheduler.SLURM && SpecQueries.windows(spec)),
                warning(
                        "004",
                        LOCAL,
                        "operatingSystem",
                        "Windows nodes cannot be created on this machine",
                        "use validate, plan and render, or write operatingSystem: linux",
                        SpecQueries::windows),
                info(
                        "006",
                        LOCAL,
                        "nodes.spot",
                        "nodes.spot is ignored on local nodes: they are never evicted",
                        spec -> spec.nodes().spot().enabled()),
                info(
                        "007",
                        LOCAL,
                        "network.ssh",
                        "external ports and allowFrom of network.ssh are ignored: only this machine reaches local nodes",
                        spec -> spec.network().ssh().portPrefix().isPresent()
                                || !spec.network().ssh().allowFrom().isEmpty()
                                || spec.network().ssh().external() == SshAccess.External.ALL),
                info(
                        "008",
                        LOCAL,
                        "placement",
                        "placement is ignored on local nodes: all run on this machine",
                        spec -> spec.placement().kind() != Placement.Kind.AUTO
                                || spec.placement().proximityGroup()),
                warning(
                        "012",
                        LOCAL,
                        "network.existing",
                        "network.existing is ignored: local nodes always get a new network",
                        "remove network.existing under on.local",
                        spec -> spec.network().existing()),
                warning(
                        "013",
                        LOCAL,
                        "login.password",
                        "login.password is ignored on local nodes",
                        "remove login.password under on.local; clusterwright ssh NAME (ClusterManager.sshAccess) uses the cluster's key",
                        spec -> spec.login().password().isPresent()),
                info(
                        "014",
                        LOCAL,
                        "costCap",
                        "costCap is ignored on local nodes: they cost nothing",
                        spec -> spec.costCap().isPresent()),
                info(
                        "015",
                        LOCAL,
                        "tags",
                        "tags are ignored on local nodes",
                        spec -> !spec.tags().isEmpty()));
    }

    private static void otherProviders(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.on().keySet().stream()
                .filter(name -> !ProviderNames.isKnown(name))
                .forEach(name -> report.add(
                        "on." + name,
                        "Clusterwright has no provider " + name
                                + ": only a program that adds this provider applies its part of the spec"));
    }

    /** Before a machine has booted, which is billed on a cloud. */
    private static void perNodeKeys(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.image().customize().ssh().trust() == SshTrust.Trust.PER_NODE_KEYS) {
            report.add("image.customize.ssh.trust", "trust: per-node-keys is not implemented");
        }
    }

    private static Rule warning(
            String number, Rule.Where where, String path, String what, String remedy, Predicate<ClusterSpec> given) {
        return Rule.warning("CW-SPEC-" + number, where, what, remedy, check(path, what, given));
    }

    private static Rule info(String number, Rule.Where where, String path, String what, Predicate<ClusterSpec> given) {
        String remedy = "nothing to do: this field takes effect on Azure";
        return Rule.info("CW-SPEC-" + number, where, what, remedy, check(path, what, given));
    }

    private static Rule.Check check(String path, String what, Predicate<ClusterSpec> given) {
        return (spec, facts, report) -> {
            if (given.test(spec)) {
                report.add(path, what);
            }
        };
    }
}
