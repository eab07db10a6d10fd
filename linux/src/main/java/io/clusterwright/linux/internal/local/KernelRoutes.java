package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Routes, addresses and links of the kernel, read anew each time. */
final class KernelRoutes {
    private KernelRoutes() {}

    /** The routes of the main table, the default route left out. */
    static List<Route> all() {
        List<Route> routes = new ArrayList<>();
        for (JsonNode route : json("list the routes", "ip", "-j", "-4", "route", "show")) {
            String destination = route.path("dst").asText();
            if (!destination.equals("default") && !destination.equals("0.0.0.0/0")) {
                routes.add(new Route(
                        route.path("type").asText("unicast"),
                        range(destination),
                        route.path("dev").asText(""),
                        route.path("metric").asLong(0),
                        route.path("protocol").asText("")));
            }
        }
        return routes;
    }

    /** The addresses of this machine's interfaces. */
    static List<Address> addresses() {
        List<Address> addresses = new ArrayList<>();
        for (JsonNode link : json("list the addresses", "ip", "-j", "-4", "address", "show")) {
            for (JsonNode address : link.path("addr_info")) {
                addresses.add(new Address(
                        link.path("ifname").asText(),
                        Ipv4Address.of(address.path("local").asText())));
            }
        }
        return addresses;
    }

    /** Whether there is an interface of this name. */
    static boolean hasLink(String name) {
        return UserNamespace.isNeeded()
                ? links().stream().anyMatch(link -> link.name().equals(name))
                : Files.exists(Path.of("/sys/class/net", name));
    }

    static List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (JsonNode link : json("list the interfaces", "ip", "-j", "link", "show")) {
            if (link.hasNonNull("ifname")) {
                links.add(new Link(
                        link.path("ifname").asText(), link.path("ifalias").asText("")));
            }
        }
        return links;
    }

    /** The interface a packet to this address would leave by now; empty when the kernel refuses to send it. */
    static Optional<String> interfaceTo(Ipv4Address address) {
        if (!UserNamespace.isThere()) {
            return Optional.empty();
        }
        HostCommand.Result result = HostCommand.query("ip", "-j", "route", "get", address.toString())
                .run("ask for the route to " + address);
        if (result.exitStatus() != 0) {
            return Optional.empty();
        }
        String device = parse(result.stdout(), "ask for the route to " + address)
                .path(0)
                .path("dev")
                .asText("");
        return device.isEmpty() ? Optional.empty() : Optional.of(device);
    }

    private static JsonNode json(String step, String... arguments) {
        return parse(UserNamespace.isThere() ? HostCommand.query(arguments).orThrow(step) : "", step);
    }

    private static JsonNode parse(String text, String step) {
        try {
            return Json.MAPPER.readTree(text.isBlank() ? "[]" : text);
        } catch (JsonProcessingException e) {
            throw LocalMachinesException.of(step, e);
        }
    }

    private static AddressRange range(String destination) {
        return AddressRange.of(destination.contains("/") ? destination : destination + "/32");
    }

    /** A route; {@code protocol} is a number. */
    record Route(String type, AddressRange destination, String device, long metric, String protocol) {
        /** Whether this is a guard route of a local cluster, and so has no interface. */
        boolean isGuard() {
            return type.equals("unreachable") && protocol.equals(LinkNames.ROUTE_PROTOCOL);
        }

        boolean isGuardOf(LinkNames names) {
            return isGuard() && metric == names.guardMetric();
        }
    }

    record Address(String device, Ipv4Address address) {}

    record Link(String name, String alias) {
        /** The cluster that its alias names; empty when it is none of ours. */
        Optional<ClusterId> owner() {
            return LinkNames.owner(alias);
        }

        boolean belongsTo(LinkNames names) {
            return alias.isEmpty()
                    ? name.equals(names.bridge()) || name.matches(names.linkPrefix() + "[0-9]+")
                    : alias.equals(names.alias());
        }
    }
}
