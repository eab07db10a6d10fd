package io.clusterwright.linux;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names and addresses of a cluster's nodes in the form of hosts(5). Use it to add nodes to {@code /etc/hosts} and
 * to remove them again.
 *
 * <pre>{@code
 * HostsFile nodes = HostsFile.of(Map.of(NodeName.of("demo1"), Ipv4Address.of("10.32.0.4")));
 * String edited = nodes.edit(hosts, ClusterName.of("demo")); // editing it again changes nothing
 * }</pre>
 *
 * <p>A node's name never stands for an address of 127.0.0.0/8: MPI would tell the other nodes to connect to themselves.
 *
 * <p>{@code NodeMembership} writes it to a node that joins a cluster; {@code NodeSeed} gives a local node its names before the node
 * boots, and {@code NodeIdentity} adds a name of its own to a template machine.
 */
public final class HostsFile {
    private final Map<NodeName, Ipv4Address> nodes;

    private HostsFile(Map<NodeName, Ipv4Address> nodes) {
        this.nodes = Collections.unmodifiableMap(new TreeMap<>(nodes));
    }

    /**
     * A file of these nodes, in the order of their names.
     *
     * @throws InvalidValueException when an address is of 127.0.0.0/8, or a node is called {@code localhost}
     */
    public static HostsFile of(Map<NodeName, Ipv4Address> nodes) {
        nodes.forEach((name, address) -> {
            if (address.isLoopback()) {
                throw new InvalidValueException(
                        "address of " + name, address, "an address that other nodes can reach", "10.32.0.11");
            }
            if (name.value().equalsIgnoreCase("localhost")) {
                throw InvalidValueException.of(
                        "a node cannot be named " + name.value(), "use another name (example: cluster11)");
            }
        });
        return new HostsFile(nodes);
    }

    /** A complete file: this machine under {@code localhost}, and the nodes. */
    public String text() {
        return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n" + entries();
    }

    /**
     * Puts the nodes into an existing file, in a marked block that a later edit for the same cluster replaces.
     *
     * <p>Elsewhere the nodes' names are taken out, and a line left without a name goes; from lines of 127.0.0.0/8 and
     * ::1, such as Debian's for 127.0.1.1, also names that a node's name begins, such as {@code cluster11.example.org}.
     *
     * @param existing the file's content; may be empty
     * @return the new content, which a second edit leaves as it is
     * @throws UneditableFileException when the marks of the block are damaged
     */
    public String edit(String existing, ClusterName cluster) {
        ManagedBlock block = new ManagedBlock(cluster);
        String marked = block.putLast(existing, "");
        Set<String> names = nodes.keySet().stream()
                .map(node -> node.value().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        String foreign = TextLines.split(marked).stream()
                .map(line -> HostsLine.without(line, names))
                .collect(Collectors.joining());
        return block.putLast(foreign, entries());
    }

    /**
     * An existing file without the block of a cluster.
     *
     * @throws UneditableFileException when the marks of the block are damaged
     */
    public static String remove(String existing, ClusterName cluster) {
        return new ManagedBlock(cluster).remove(existing);
    }

    private String entries() {
        StringBuilder text = new StringBuilder();
        nodes.forEach(
                (name, address) -> text.append(address).append(' ').append(name).append('\n'));
        return text.toString();
    }

    /** Takes names out of a line of hosts(5), leaving what else stands there. */
    private static final class HostsLine {
        private static final Pattern NAME = Pattern.compile("[ \\t]+([^ \\t#]+)");

        private HostsLine() {}

        /** The line without these names (in small letters); empty when no other is left. */
        static String without(String line, Set<String> names) {
            String body = TextLines.body(line);
            int comment = body.indexOf('#');
            String entry = comment < 0 ? body : body.substring(0, comment);
            String address = entry.strip().split("[ \\t]", 2)[0];
            if (address.isEmpty()) {
                return line;
            }
            int start = entry.indexOf(address) + address.length();
            boolean loopback = address.startsWith("127.") || address.equals("::1");
            StringBuilder kept = new StringBuilder(entry.substring(0, start));
            boolean removed = false;
            boolean named = false;
            Matcher name = NAME.matcher(entry).region(start, entry.length());
            int end = start;
            while (name.find()) {
                boolean ours = isOurs(name.group(1).toLowerCase(Locale.ROOT), names, loopback);
                kept.append(ours ? "" : name.group());
                removed |= ours;
                named |= !ours;
                end = name.end();
            }
            if (!removed) {
                return line;
            }
            return named ? kept + line.substring(end) : "";
        }

        private static boolean isOurs(String name, Set<String> names, boolean loopback) {
            return names.contains(name) || (loopback && names.contains(name.split("\\.", 2)[0]));
        }
    }
}
