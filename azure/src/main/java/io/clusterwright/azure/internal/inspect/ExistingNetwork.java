package io.clusterwright.azure.internal.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess.External;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.type.AddressRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the faults of an existing network for the cluster that is to use it. Changes nothing. */
final class ExistingNetwork {
    private static final String EVERYWHERE = "0.0.0.0/0";
    private static final Set<String> ANYONE = Set.of("*", "Internet", "Any", EVERYWHERE);

    private final Clients clients;
    private final ClusterSpec spec;
    private final List<AddressRange> callers;
    private final ResourceNames names;
    private final ArmId network;
    private final External external;
    private final Report report;

    ExistingNetwork(Clients clients, ResourceNames names, List<AddressRange> callers, Report report) {
        this.clients = clients;
        this.spec = names.spec();
        this.callers = callers;
        this.names = names;
        this.network = names.network();
        this.external = spec.network().ssh().external();
        this.report = report;
    }

    /** Reads the network, and what its subnet refers to. */
    void inspect() {
        String name = spec.network().subnet().name();
        Optional<JsonNode> found =
                clients.find("look for network " + network.name(), network).map(Clients::properties);
        Optional<JsonNode> subnet = found.flatMap(body -> elements(body.path("subnets"))
                .filter(one -> one.path("name").asText().equalsIgnoreCase(name))
                .findFirst());
        if (subnet.isEmpty()) {
            report.add(
                    AzureFindings.NO_NETWORK,
                    "network.subnet.name",
                    found.map(body -> network.name() + " has no subnet " + name + "; its subnets: "
                                    + Clients.names(body.path("subnets")))
                            .orElseGet(
                                    () -> "resource group " + network.group() + " has no network " + network.name()));
            return;
        }
        JsonNode properties = subnet.get().path("properties");
        range(name, properties);
        elements(properties.path("delegations"))
                .findFirst()
                .ifPresent(delegation -> report.add(
                        AzureFindings.NO_NETWORK,
                        "network.subnet",
                        name + " is delegated to "
                                + delegation.at("/properties/serviceName").asText()
                                + ", and only that service can use it"));
        ways(name, properties);
        String group = properties.at("/networkSecurityGroup/id").asText();
        if (!group.isEmpty() && external != External.NONE) {
            closed(name, ArmId.of(group));
        }
        room(name);
    }

    private void range(String name, JsonNode properties) {
        List<String> ranges = new ArrayList<>();
        Stream.concat(Stream.of(properties.path("addressPrefix")), elements(properties.path("addressPrefixes")))
                .map(JsonNode::asText)
                .filter(range -> !range.isEmpty() && !ranges.contains(range))
                .forEach(ranges::add);
        String wanted = spec.network().subnet().range().toString();
        if (!ranges.contains(wanted)) {
            report.add(
                    AzureFindings.NO_NETWORK,
                    "network.subnet.range",
                    name + " has the addresses " + String.join(", ", ranges)
                            + ", and network.subnet.range of the spec is " + wanted);
        }
    }

    /** The way out of nodes without a public address, and the way back of answers to those who connect from outside. */
    private void ways(String name, JsonNode properties) {
        String table = properties.at("/routeTable/id").asText();
        Optional<String> hop = table.isEmpty()
                ? Optional.empty()
                : elements(clients.properties(
                                        "read route table " + ArmId.of(table).name(), ArmId.of(table))
                                .path("routes"))
                        .map(route -> route.path("properties"))
                        .filter(route ->
                                EVERYWHERE.equals(route.path("addressPrefix").asText()))
                        .map(route -> route.path("nextHopType").asText())
                        .findFirst();
        boolean elsewhere = hop.filter(next -> !next.equals("Internet")).isPresent();
        if (elsewhere && external != External.NONE) {
            report.add(
                    AzureFindings.ROUTED,
                    "network.ssh.external",
                    "the route table of " + name + " sends all traffic to " + hop.get()
                            + ", including the answers to SSH from outside");
        }
        boolean dead = hop.filter(next -> next.equals("None") || next.equals("VnetLocal"))
                .isPresent();
        boolean open = elsewhere
                ? !dead
                : properties.has("natGateway")
                        || properties.path("defaultOutboundAccess").asBoolean(true)
                        || names.ports().isShared()
                        || external == External.ALL;
        if (!open) {
            report.add(
                    AzureFindings.NO_WAY_OUT,
                    "network.subnet",
                    name + (dead ? " drops traffic to the internet" : " is a private subnet without a NAT gateway")
                            + ", so nodes without a public address cannot download packages, drivers or extensions");
        }
    }

    /** The rules of a subnet hold before the rules of the cluster's group. */
    private void closed(String name, ArmId group) {
        List<JsonNode> rules = elements(clients.properties("read security group " + group.name(), group)
                        .path("securityRules"))
                .map(rule -> rule.path("properties"))
                .filter(rule ->
                        "Inbound".equalsIgnoreCase(rule.path("direction").asText()))
                .filter(rule -> Set.of("*", "tcp")
                        .contains(rule.path("protocol").asText().toLowerCase(Locale.ROOT)))
                .filter(ExistingNetwork::isAboutSsh)
                .sorted(Comparator.comparingInt(rule -> rule.path("priority").asInt()))
                .toList();
        List<String> refused = callers.stream()
                .filter(caller -> rules.stream()
                        .filter(rule -> isAbout(rule, caller))
                        .findFirst()
                        .filter(rule ->
                                "Allow".equalsIgnoreCase(rule.path("access").asText()))
                        .isEmpty())
                .map(AddressRange::toString)
                .toList();
        if (!refused.isEmpty()) {
            report.add(
                    AzureFindings.CLOSED,
                    "network.ssh.allowFrom",
                    "security group " + group.name() + " of subnet " + name + " blocks SSH from "
                            + String.join(", ", refused));
        }
    }

    private static boolean isAboutSsh(JsonNode rule) {
        return values(rule, "destinationPortRange").anyMatch(range -> {
            if (range.equals("*")) {
                return true;
            }
            String[] ends = range.split("-", 2);
            return Integer.parseInt(ends[0]) <= ResourceNames.SSH
                    && ResourceNames.SSH <= Integer.parseInt(ends[ends.length - 1]);
        });
    }

    private static boolean isAbout(JsonNode rule, AddressRange caller) {
        return values(rule, "sourceAddressPrefix")
                .anyMatch(source -> ANYONE.contains(source)
                        || source.matches("[0-9./]+")
                                && AddressRange.of(source.contains("/") ? source : source + "/32")
                                        .contains(caller));
    }

    /** The single value of a rule, and the values of its list. */
    private static Stream<String> values(JsonNode rule, String field) {
        String list = field + (field.endsWith("Prefix") ? "es" : "s");
        return Stream.concat(Stream.of(rule.path(field)), elements(rule.path(list)))
                .map(JsonNode::asText)
                .filter(value -> !value.isEmpty());
    }

    private void room(String name) {
        int needed = spec.nodes().count() + (spec.headNode().isPresent() ? 2 : 1);
        if (!network.subscription().equalsIgnoreCase(clients.subscription())) {
            long usable = spec.network().subnet().range().size() - 5;
            if (usable < needed) {
                tooSmall(name, usable, needed);
            }
            return;
        }
        clients.arm()
                .list(
                        "read the use of network " + network.name(),
                        () -> clients.network().getVirtualNetworks().listUsage(network.group(), network.name()))
                .forEach(usage -> {
                    double free = usage.limit() - usage.currentValue();
                    if (usage.id() != null && usage.id().endsWith("/subnets/" + name) && free < needed) {
                        tooSmall(name, (long) free, needed);
                    }
                });
    }

    private void tooSmall(String name, long free, int needed) {
        report.add(
                AzureFindings.NO_NETWORK,
                "network.subnet",
                name + " has " + free + " free addresses, and the cluster needs " + needed);
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        List<JsonNode> all = new ArrayList<>();
        list.forEach(all::add);
        return all.stream();
    }

    /** Receives findings. */
    interface Report {
        void add(FindingKind kind, String path, String message);
    }
}
