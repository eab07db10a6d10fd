package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;
import static io.clusterwright.core.spi.Rule.Where.LOCAL;

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
                        "per-node keys are not made yet",
                        "write trust: cluster-key",
                        UnsupportedRules::perNodeKeys),
                Rule.error(
                        "CW-SPEC-002",
                        LOCAL,
                        "per-node keys are not made on local nodes yet",
                        "write trust: cluster-key under on.local",
                        UnsupportedRules::perNodeKeys),
                warning(
                        "003",
                        EVERYWHERE,
                        "scheduler",
                        "this scheduler",
                        "write scheduler: none, slurm for Linux nodes, or hpc-pack with hpcPack.head for a head node that exists",
                        spec -> spec.scheduler() == Scheduler.HPC_PACK
                                        && spec.hpcPack()
                                                .flatMap(HpcPackSpec::head)
                                                .isEmpty()
                                || spec.scheduler() == Scheduler.SLURM && SpecQueries.windows(spec)),
                warning(
                        "004",
                        LOCAL,
                        "operatingSystem",
                        "Windows nodes on this machine",
                        "use validate, plan and render only, or write operatingSystem: linux",
                        SpecQueries::windows),
                info(
                        "006",
                        LOCAL,
                        "nodes.spot",
                        "losing local nodes as spot machines are lost",
                        spec -> spec.nodes().spot().enabled()),
                info(
                        "007",
                        LOCAL,
                        "network.ssh",
                        "external SSH ports and allowFrom of local nodes, which this machine alone reaches",
                        spec -> spec.network().ssh().portPrefix().isPresent()
                                || !spec.network().ssh().allowFrom().isEmpty()
                                || spec.network().ssh().external() == SshAccess.External.ALL),
                info(
                        "008",
                        LOCAL,
                        "placement",
                        "placement of local nodes",
                        spec -> spec.placement().kind() != Placement.Kind.AUTO
                                || spec.placement().proximityGroup()),
                warning(
                        "012",
                        LOCAL,
                        "network.existing",
                        "joining local nodes to an existing network",
                        "leave network.existing out under on.local",
                        spec -> spec.network().existing()),
                warning(
                        "013",
                        LOCAL,
                        "login.password",
                        "a password for the login user of local nodes",
                        "log in with the cluster's key",
                        spec -> spec.login().password().isPresent()),
                info(
                        "014",
                        LOCAL,
                        "costCap",
                        "money on local nodes, which cost nothing",
                        spec -> spec.costCap().isPresent()),
                info(
                        "015",
                        LOCAL,
                        "tags",
                        "tags of local nodes",
                        spec -> !spec.tags().isEmpty()));
    }

    /** Before a machine has booted, which is billed on a cloud. */
    private static void perNodeKeys(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.image().customize().ssh().trust() == SshTrust.Trust.PER_NODE_KEYS) {
            report.add("image.customize.ssh.trust", "customising the image would fail");
        }
    }

    private static Rule warning(
            String number, Rule.Where where, String path, String what, String remedy, Predicate<ClusterSpec> given) {
        return Rule.warning("CW-SPEC-" + number, where, "not supported yet: " + what, remedy, check(path, what, given));
    }

    private static Rule info(String number, Rule.Where where, String path, String what, Predicate<ClusterSpec> given) {
        String remedy = "on the cloud it is as the spec says";
        return Rule.info("CW-SPEC-" + number, where, "not supported: " + what, remedy, check(path, what, given));
    }

    private static Rule.Check check(String path, String what, Predicate<ClusterSpec> given) {
        return (spec, facts, report) -> {
            if (given.test(spec)) {
                report.add(path, "not carried out yet, and left out: " + what);
            }
        };
    }
}
