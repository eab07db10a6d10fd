package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.AddressRange;
import java.util.List;
import java.util.Optional;

/** Rules on address ranges; {@code LocalInspection} refuses those that this machine uses already. */
final class NetworkRules {
    private static final AddressRange RDMA = AddressRange.of("172.16.0.0/16");
    private static final AddressRange OLD_RDMA = AddressRange.of("172.16.0.0/12");
    private static final String OTHER_RANGE =
            "choose another private range, such as network: {addressSpace: 10.32.0.0/16, subnet: {range: 10.32.0.0/23}}";
    private static final int RESERVED = 5;
    /** Source: Azure Virtual Network FAQ, "What address ranges can I use in my virtual networks?". */
    private static final List<AddressRange> REFUSED = List.of(
            AddressRange.of("224.0.0.0/4"),
            AddressRange.of("255.255.255.255/32"),
            AddressRange.of("127.0.0.0/8"),
            AddressRange.of("169.254.0.0/16"),
            AddressRange.of("168.63.129.16/32"));

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
                        "write a larger network.subnet.range inside of network.addressSpace",
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
                        NetworkRules::takenAddress),
                Rule.error(
                        "CW-NET-007",
                        CLOUD,
                        "the address space overlaps a range that Azure refuses in a virtual network",
                        OTHER_RANGE,
                        NetworkRules::refusedRange));
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
                            + " addresses that Azure keeps need " + (machines + RESERVED),
                    larger(spec, range, machines + RESERVED));
        }
    }

    /** The smallest subnet for this number of addresses that the address space holds, or a larger address space with one. */
    private static String larger(ClusterSpec spec, AddressRange small, int needed) {
        if (spec.network().existing()) {
            return "name an existing subnet of " + needed + " addresses or more in network.subnet";
        }
        int length = 32 - (64 - Long.numberOfLeadingZeros(needed - 1L));
        AddressRange space = spec.network().addressSpace();
        if (space.size() >= needed) {
            long before = small.network().toLong() % (1L << 32 - length);
            return "write network: {subnet: {range: " + small.network().plus(-before) + "/" + length + "}}";
        }
        String range = length < 16 ? "10.0.0.0/" : "10.32.0.0/";
        return "write network: {addressSpace: " + range + Math.min(length, 16) + ", subnet: {range: " + range + length
                + "}}"
                + (spec.network().firstAddress().isPresent() ? " with a network.firstAddress inside of it" : "");
    }

    private static void publicRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean refused = !facts.local() && refusing(spec).isPresent();
        if (!spec.network().addressSpace().isPrivate() && !refused) {
            report.add(
                    "network.addressSpace",
                    "the address space " + spec.network().addressSpace()
                            + " is not private: the nodes cannot reach the internet hosts with these addresses");
        }
    }

    private static void refusedRange(ClusterSpec spec, Facts facts, Rule.Report report) {
        refusing(spec)
                .ifPresent(range -> report.add(
                        "network.addressSpace",
                        "the address space " + spec.network().addressSpace() + " overlaps " + range
                                + ", which Azure refuses in a virtual network"));
    }

    private static Optional<AddressRange> refusing(ClusterSpec spec) {
        return REFUSED.stream()
                .filter(range -> range.overlaps(spec.network().addressSpace()))
                .findFirst();
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
