package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** External SSH ports: a prefix and the index of the node, joined as text. */
final class PortRules {
    private static final String PATH = "network.ssh.portPrefix";
    private static final long HIGHEST = 65_535;
    private static final long RESERVED = 10_000;
    private static final int FIRST_TRIED = 101;
    private static final int LONGEST = 6553;

    private PortRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-PORT-001",
                        CLOUD,
                        "portPrefix and the index of a node make a port above 65535",
                        "write a shorter portPrefix, a smaller nodes.firstIndex, or network: {ssh: {external: head}}",
                        (spec, facts, report) ->
                                first(spec, port -> port > HIGHEST, "above the last port, 65535", report)),
                Rule.error(
                        "CW-PORT-002",
                        CLOUD,
                        "portPrefix and the index of a node make a port up to 10000, and these ports are reserved",
                        "write a longer portPrefix or a larger nodes.firstIndex",
                        (spec, facts, report) ->
                                first(spec, port -> port <= RESERVED, "reserved like all ports up to 10000", report)),
                Rule.error(
                        "CW-PORT-003",
                        CLOUD,
                        "two machines have the same external port",
                        "write a headNode.index outside of the indexes of the nodes",
                        PortRules::collision),
                Rule.warning(
                        "CW-PORT-004",
                        CLOUD,
                        "portPrefix has no effect: network.ssh.external is none",
                        "remove portPrefix, or write network: {ssh: {external: head}}",
                        PortRules::unused));
    }

    private static void first(ClusterSpec spec, Predicate<Long> wrong, String reason, Rule.Report report) {
        spec.network()
                .ssh()
                .portPrefix()
                .ifPresent(prefix -> indexes(spec).stream()
                        .filter(index -> wrong.test(Long.parseLong(prefix + "" + index)))
                        .findFirst()
                        .ifPresent(index -> report.add(
                                PATH,
                                "portPrefix " + prefix + " and node index " + index + " make port " + prefix + index
                                        + ", which is " + reason,
                                fitting(spec))));
    }

    /** The remedy that names a prefix for the ports of all nodes; empty where no prefix fits them all. */
    private static String fitting(ClusterSpec spec) {
        return IntStream.concat(IntStream.rangeClosed(FIRST_TRIED, LONGEST), IntStream.range(1, FIRST_TRIED))
                .filter(prefix -> indexes(spec).stream()
                        .mapToLong(index -> Long.parseLong(prefix + "" + index))
                        .allMatch(port -> port > RESERVED && port <= HIGHEST))
                .mapToObj(prefix -> "write network: {ssh: {portPrefix: " + prefix + "}}")
                .findFirst()
                .orElse("");
    }

    private static void collision(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.network().ssh().portPrefix().isPresent()) {
            Set<Integer> seen = new HashSet<>();
            indexes(spec).stream()
                    .filter(index -> !seen.add(index))
                    .findFirst()
                    .ifPresent(index -> report.add(
                            "headNode.index",
                            "the head node and node "
                                    + spec.nodes()
                                            .names()
                                            .get(index - spec.nodes().firstIndex()) + " have the index "
                                    + index + ", so portPrefix would give both the external port "
                                    + spec.network().ssh().portPrefix().getAsInt() + index));
        }
    }

    private static void unused(ClusterSpec spec, Facts facts, Rule.Report report) {
        SshAccess ssh = spec.network().ssh();
        if (ssh.external() == SshAccess.External.NONE && ssh.portPrefix().isPresent()) {
            report.add(
                    PATH,
                    "portPrefix " + ssh.portPrefix().getAsInt()
                            + " has no effect: network.ssh.external is none, so no node gets an external port");
        }
    }

    /** The indexes of the nodes that can be reached from outside. */
    private static List<Integer> indexes(ClusterSpec spec) {
        List<Integer> indexes = new ArrayList<>();
        SshAccess.External external = spec.network().ssh().external();
        if (external != SshAccess.External.NONE) {
            spec.headNode().ifPresent(head -> indexes.add(head.index()));
            int count = external == SshAccess.External.ALL
                    ? spec.nodes().count()
                    : spec.headNode().isPresent() ? 0 : 1;
            for (int i = 0; i < count; i++) {
                indexes.add(spec.nodes().firstIndex() + i);
            }
        }
        return indexes;
    }
}
