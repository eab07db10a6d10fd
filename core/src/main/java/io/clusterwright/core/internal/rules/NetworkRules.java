package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.AddressRange;
import java.util.List;

/** Rules on address ranges; {@code LocalInspection} refuses those that this machine uses already. */
final class NetworkRules {
    private static final AddressRange RDMA = AddressRange.of("172.16.0.0/16");
    private static final AddressRange OLD_RDMA = AddressRange.of("172.16.0.0/12");
    private static final String OTHER_RANGE =
            "choose another private range, such as network: {addressSpace: 10.32.0.0/16, subnet: {range: 10.32.0.0/23}}";
    private static final int RESERVED = 5;

    private NetworkRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-NET-001",
                        CLOUD,
                        "the address space overlaps 172.16.0.0/16, which Azure reserves for its RDMA network",
                        OTHER_RANGE,
                        NetworkRules::rdmaRange),
                Rule.warning(
                        "CW-NET-002",
                        CLOUD,
                        "the address space overlaps 172.16.0.0/12, which Azure once reserved for the RDMA network of"
                                + " network-direct sizes",
                        OTHER_RANGE,
                        NetworkRules::oldRdmaRange),
                Rule.error(
                        "CW-NET-003",
                        CLOUD,
                        "the subnet has too few addresses: Azure keeps 5 of each subnet",
                        "write a larger network.subnet.range, such as 10.32.0.0/22",
                        NetworkRules::tooSmall),
                Rule.warning(
                        "CW-NET-004",
                        EVERYWHERE,
                        "the address space is not private, so the nodes cannot reach the internet hosts with these addresses",
                        OTHER_RANGE,
                        NetworkRules::publicRange),
                Rule.error(
                        "CW-NET-005",
                        EVERYWHERE,
                        "a node would get the address of a DNS server",
                        "write a network.firstAddress after the DNS servers, or correct network.dnsServers",
                        NetworkRules::takenAddress));
    }

    private static void rdmaRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.network().addressSpace().overlaps(RDMA)) {
            report.add(
                    "network.addressSpace",
                    "the address space " + spec.network().addressSpace() + " overlaps " + RDMA
                            + ", which Azure reserves for its RDMA network");
        }
    }

    private static void oldRdmaRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        AddressRange space = spec.network().addressSpace();
        if (SpecQueries.networkDirect(spec, facts) && space.overlaps(OLD_RDMA) && !space.overlaps(RDMA)) {
            report.add(
                    "network.addressSpace",
                    "the address space " + space + " overlaps " + OLD_RDMA
                            + ", which Azure once reserved for the RDMA network of network-direct sizes such as "
                            + spec.nodes().requireSize());
        }
    }

    private static void tooSmall(ClusterSpec spec, Facts facts, Rule.Report report) {
        AddressRange range = spec.network().subnet().range();
        int machines = SpecQueries.machines(spec);
        if (machines + RESERVED > range.size()) {
            report.add(
                    "network.subnet.range",
                    range + " has " + range.size() + " addresses; " + machines + " machines and the " + RESERVED
                            + " addresses that Azure keeps need " + (machines + RESERVED));
        }
    }

    private static void publicRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!spec.network().addressSpace().isPrivate()) {
            report.add(
                    "network.addressSpace",
                    "the address space " + spec.network().addressSpace()
                            + " is not private: the nodes cannot reach the internet hosts with these addresses");
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
                        .ifPresent(server -> report.add(
                                "network.firstAddress",
                                "the " + spec.nodes().count() + " nodes get the addresses from " + first + " on, and "
                                        + server + " is a DNS server in network.dnsServers")));
    }
}
