package io.clusterwright.linux.internal.local;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bridge of a cluster and the route that keeps its packets on this machine while the bridge is missing. */
final class ClusterBridge {
    private final ClusterId cluster;
    private final LinkNames names;

    ClusterBridge(ClusterId cluster) {
        this.cluster = cluster;
        this.names = new LinkNames(cluster);
    }

    /** The first conflict with these addresses; empty without one. */
    static Optional<Conflict> conflict(ClusterId cluster, AddressRange space) {
        LinkNames own = new LinkNames(cluster);
        List<KernelRoutes.Link> links = KernelRoutes.links();
        for (KernelRoutes.Route route : KernelRoutes.all()) {
            if (route.destination().overlaps(space)
                    && !route.isGuardOf(own)
                    && !route.device().equals(own.bridge())) {
                String what = "route " + route.destination()
                        + (route.device().isEmpty() ? "" : " on interface " + route.device());
                return Optional.of(new Conflict(what, owner(route, links)));
            }
        }
        for (KernelRoutes.Address address : KernelRoutes.addresses()) {
            if (space.contains(address.address()) && !address.device().equals(own.bridge())) {
                String what = "address " + address.address() + " of interface " + address.device();
                return Optional.of(new Conflict(what, owner(address.device(), links)));
            }
        }
        return links.stream()
                .filter(link -> link.name().equals(own.bridge()) && !link.belongsTo(own))
                .findFirst()
                .map(link ->
                        new Conflict("interface " + link.name() + ", which is not this cluster's", Optional.empty()));
    }

    private static Optional<ClusterId> owner(KernelRoutes.Route route, List<KernelRoutes.Link> links) {
        if (!route.isGuard()) {
            return owner(route.device(), links);
        }
        return links.stream()
                .flatMap(link -> link.owner().stream())
                .filter(cluster -> route.isGuardOf(new LinkNames(cluster)))
                .findFirst();
    }

    private static Optional<ClusterId> owner(String device, List<KernelRoutes.Link> links) {
        return links.stream()
                .filter(link -> link.name().equals(device))
                .flatMap(link -> link.owner().stream())
                .findFirst();
    }

    /** First of all that is made: without it, a packet to a node that is not there yet would take the default route. */
    void guard(AddressRange space) {
        ip("route replace unreachable " + space + " metric " + names.guardMetric() + " proto "
                        + LinkNames.ROUTE_PROTOCOL)
                .orThrow("guard the address space " + space);
    }

    /** Makes the bridge, or completes one that was half made. */
    void bridge(AddressRange subnet) {
        String bridge = names.bridge();
        boolean there = KernelRoutes.hasLink(bridge);
        HostCommand.of("ip", "-batch", "-")
                .input((there ? "" : "link add " + bridge + " type bridge\n")
                        + "link set " + bridge + " alias " + names.alias() + "\n"
                        + "link set " + bridge + " address " + names.bridgeMac() + " addrgenmode none\n"
                        + "address replace " + subnet.address(1) + "/" + subnet.prefixLength() + " dev " + bridge + "\n"
                        + "link set " + bridge + " up\n")
                .orThrow("create the bridge " + bridge + " of cluster " + cluster.name());
        write("/proc/sys/net/ipv4/conf/" + bridge + "/forwarding", "0");
        write("/proc/sys/net/ipv6/conf/" + bridge + "/disable_ipv6", "1");
    }

    /** Gives a new node, known by the process that holds its network namespace, its cable to the bridge. */
    void connect(String link, Ipv4Address address, long pid) {
        disconnect(link);
        HostCommand.of("ip", "-batch", "-")
                .input("link add " + link + " type veth peer name eth0 address "
                        + names.nodeMac(address) + " netns " + pid + "\n"
                        + "link set " + link + " alias " + names.alias() + "\n"
                        + "link set " + link + " addrgenmode none\n"
                        + "link set " + link + " master " + names.bridge() + "\n"
                        + "link set " + link + " up\n")
                .orThrow("connect " + link + " to the bridge " + names.bridge());
    }

    static void disconnect(String link) {
        if (KernelRoutes.hasLink(link)) {
            HostCommand.Result result =
                    HostCommand.of("ip", "link", "del", link).run("delete the interface " + link);
            // It goes by itself with the namespace at its other end.
            if (result.exitStatus() != 0 && KernelRoutes.hasLink(link)) {
                throw result.failure("delete the interface " + link);
            }
        }
    }

    /**
     * Refuses unless a packet to this address would go to this cluster's bridge right now.
     *
     * @throws LocalMachinesException saying where it would go instead
     */
    void requireRoute(Ipv4Address address) {
        wrongRoute(address).ifPresent(problem -> {
            throw refusal(address, problem);
        });
    }

    private LocalMachinesException refusal(Ipv4Address address, String problem) {
        return LocalMachinesException.of(
                "use the address " + address + " of cluster " + cluster.name(),
                problem + ". Destroy the cluster and create it again");
    }

    /**
     * Refuses as {@link #requireRoute} does. While the bridge is there, its route may come back.
     *
     * @throws NodeUnreachableException where the bridge is there
     */
    void requireRoute(NodeName node, Ipv4Address address) {
        wrongRoute(address).ifPresent(problem -> {
            if (KernelRoutes.hasLink(names.bridge())) {
                throw new NodeUnreachableException(
                        node,
                        "cannot reach " + node + " at " + address + ": " + problem
                                + ". Remove the other route, or run: ip link set " + names.bridge() + " up");
            }
            throw refusal(address, problem);
        });
    }

    private Optional<String> wrongRoute(Ipv4Address address) {
        Optional<String> device = KernelRoutes.interfaceTo(address);
        return device.equals(Optional.of(names.bridge()))
                ? Optional.empty()
                : Optional.of("its route "
                        + device.map(name -> "leads to interface " + name).orElse("leads nowhere")
                        + " and not to the cluster's bridge " + names.bridge() + "; nothing was sent");
    }

    List<String> links() {
        return KernelRoutes.links().stream()
                .filter(link -> link.belongsTo(names))
                .map(KernelRoutes.Link::name)
                .toList();
    }

    List<KernelRoutes.Route> guards() {
        return KernelRoutes.all().stream()
                .filter(route -> route.isGuardOf(names))
                .toList();
    }

    void deleteLinks() {
        links().forEach(ClusterBridge::disconnect);
    }

    /** Last of all that is removed. */
    void deleteGuards() {
        for (KernelRoutes.Route guard : guards()) {
            HostCommand.of(withdrawal(guard).split(" ")).orThrow("remove the guard route " + guard.destination());
        }
    }

    private static String withdrawal(KernelRoutes.Route guard) {
        return "ip route del unreachable " + guard.destination() + " metric " + guard.metric() + " proto "
                + LinkNames.ROUTE_PROTOCOL;
    }

    private static HostCommand ip(String command) {
        return HostCommand.of(("ip " + command).split(" "));
    }

    private static void write(String file, String value) {
        if (UserNamespace.isNeeded()) {
            // These files show each process the network that it is in.
            HostCommand.of("sh", "-c", "[ ! -e \"$1\" ] || echo \"$2\" > \"$1\"", "sh", file, value)
                    .orThrow("set " + file + " to " + value);
            return;
        }
        Path path = Path.of(file);
        try {
            if (Files.exists(path)) {
                Files.writeString(path, value);
            }
        } catch (IOException e) {
            throw LocalMachinesException.of("set " + file + " to " + value, e);
        }
    }

    /**
     * Something that uses the addresses already.
     *
     * @param what the route or address, in words
     * @param owner the cluster it belongs to; empty for a route or address that no cluster made
     */
    record Conflict(String what, Optional<ClusterId> owner) {
        String describe() {
            return "it overlaps with the " + what
                    + owner.map(cluster -> ", which belongs to cluster " + cluster.name())
                            .orElse("");
        }

        /** How to make the addresses free; empty for a route or address that no cluster made. */
        Optional<String> freedBy() {
            return owner.map(cluster -> {
                List<Path> folders = Mounts.labelled(new LinkNames(cluster).alias());
                return folders.contains(Folders.STANDARD.mark(cluster.name()))
                        ? "run: clusterwright destroy " + cluster.name()
                        : "let the program that made cluster " + cluster.name()
                                + " destroy it; after the end of that program, run: " + removal(cluster, folders);
            });
        }

        private static String removal(ClusterId cluster, List<Path> folders) {
            ClusterBridge bridge = new ClusterBridge(cluster);
            List<String> commands = new ArrayList<>();
            folders.forEach(folder -> commands.add("umount -R " + folder));
            bridge.links().forEach(link -> commands.add("ip link del " + link));
            bridge.guards().forEach(guard -> commands.add(withdrawal(guard)));
            return String.join(" && ", commands);
        }
    }
}
