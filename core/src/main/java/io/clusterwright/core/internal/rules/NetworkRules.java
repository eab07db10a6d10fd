package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.AddressRange;
import java.util.List;

/** Address ranges. */
final class NetworkRules {
    private static final AddressRange RDMA = AddressRange.parse("172.16.0.0/16");
    private static final AddressRange OLD_RDMA = AddressRange.parse("172.16.0.0/12");
    private static final int RESERVED = 5;

    private NetworkRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-NET-001",
                        CLOUD,
                        "the address space overlaps 172.16.0.0/16, which is reserved for the RDMA network",
                        "choose another private range, such as 10.32.0.0/16",
                        NetworkRules::rdmaRange),
                Rule.warning(
                        "CW-NET-002",
                        CLOUD,
                        "the address space overlaps 172.16.0.0/12, which network-direct sizes reserved once",
                        "choose another private range, such as 10.32.0.0/16",
                        NetworkRules::oldRdmaRange),
                Rule.error(
                        "CW-NET-003",
                        CLOUD,
                        "the subnet has too few addresses: Azure keeps 5 of each subnet",
                        "give network.subnet.range a shorter prefix",
                        NetworkRules::tooSmall),
                Rule.warning(
                        "CW-NET-004",
                        EVERYWHERE,
                        "the address space is not private, so the nodes cannot reach those whose addresses these are",
                        "choose a range of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16",
                        NetworkRules::publicRange),
                Rule.error(
                        "CW-NET-005",
                        EVERYWHERE,
                        "a node would get the address of a DNS server",
                        "start network.firstAddress later, or correct network.dnsServers",
                        NetworkRules::takenAddress));
    }

    private static void rdmaRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.network().addressSpace().overlaps(RDMA)) {
            report.say("network.addressSpace", spec.network().addressSpace() + " overlaps " + RDMA);
        }
    }

    private static void oldRdmaRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        AddressRange space = spec.network().addressSpace();
        if (SpecQueries.networkDirect(spec, facts) && space.overlaps(OLD_RDMA) && !space.overlaps(RDMA)) {
            report.say("network.addressSpace", space + " overlaps " + OLD_RDMA);
        }
    }

    private static void tooSmall(ClusterSpec spec, Facts facts, Rule.Report report) {
        AddressRange range = spec.network().subnet().range();
        int machines = SpecQueries.machines(spec);
        if (machines + RESERVED > range.size()) {
            report.say(
                    "network.subnet.range",
                    range + " has " + range.size() + " addresses, and " + machines + " machines and " + RESERVED
                            + " reserved addresses need " + (machines + RESERVED));
        }
    }

    private static void publicRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!spec.network().addressSpace().isPrivate()) {
            report.say("network.addressSpace", spec.network().addressSpace() + " belongs to somebody on the internet");
        }
    }

    private static void takenAddress(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.network()
                .firstAddress()
                .ifPresent(first -> spec.network().dnsServers().stream()
                        .filter(server -> server.toLong() >= first.toLong()
                                && server.toLong()
                                        < first.toLong() + spec.nodes().count())
                        .findFirst()
                        .ifPresent(server -> report.say(
                                "network.firstAddress", "the nodes from " + first + " reach over " + server)));
    }
}
