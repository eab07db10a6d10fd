package io.clusterwright.linux;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An inventory by which Ansible reaches the nodes of a cluster as its login user, with the pinned host keys. Use it
 * to set up nodes with playbooks. It has the groups {@code head} and {@code compute}.
 *
 * <pre>{@code
 * String inventory = AnsibleInventory.of(cluster, access).text();
 * Files.writeString(folder.resolve("inventory.yaml"), inventory); // then: ansible -i inventory.yaml all -m ping
 * }</pre>
 *
 * @param text the inventory, in YAML
 */
public record AnsibleInventory(String text) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@+,=-]+");

    /**
     * The inventory of a cluster.
     *
     * @param access from {@code ClusterManager.sshAccess}
     * @throws InvalidValueException when the path of its key or of its host keys holds a character with a meaning in a shell
     */
    public static AnsibleInventory of(Cluster cluster, SshAccess access) {
        StringBuilder text = new StringBuilder("all:\n  vars:\n");
        text.append("    ansible_user: ").append(quoted(access.user())).append('\n');
        text.append("    ansible_ssh_private_key_file: ")
                .append(plain(access.identityFile()))
                .append('\n');
        text.append("  hosts:\n");
        access.routes().forEach(route -> host(text, access, route));
        text.append("  children:\n");
        group(text, "head", List.of(cluster.head()));
        group(text, "compute", cluster.computeNodes());
        return new AnsibleInventory(text.toString());
    }

    private static void host(StringBuilder text, SshAccess access, SshAccess.Route route) {
        text.append("    ").append(quoted(route.node())).append(":\n");
        text.append("      ansible_host: ").append(route.host()).append('\n');
        text.append("      ansible_port: ").append(route.port()).append('\n');
        List<String> options = new ArrayList<>(pinned(access, route.node().value()));
        route.through().ifPresent(node -> options.add("-o ProxyCommand=\"" + jump(access, node.value()) + "\""));
        text.append("      ansible_ssh_common_args: '")
                .append(String.join(" ", options))
                .append("'\n");
    }

    private static List<String> pinned(SshAccess access, String node) {
        return List.of(
                "-o HostKeyAlias=" + node,
                "-o UserKnownHostsFile=" + plain(access.knownHostsFile()),
                "-o GlobalKnownHostsFile=none",
                "-o StrictHostKeyChecking=yes",
                "-o IdentitiesOnly=yes");
    }

    /** The way through another node, with the same care for its host key. */
    private static String jump(SshAccess access, String name) {
        SshAccess.Route way = access.routes().stream()
                .filter(route -> route.node().value().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidValueException.of(
                        "no route leads to node " + name, "add a route to " + name + " to the SSH access"));
        return "ssh -W %h:%p -i " + plain(access.identityFile()) + " -p " + way.port() + " "
                + String.join(" ", pinned(access, name)) + " " + access.user() + "@" + way.host();
    }

    private static void group(StringBuilder text, String name, List<Node> nodes) {
        text.append("    ").append(name).append(":\n      hosts:\n");
        nodes.forEach(
                node -> text.append("        ").append(quoted(node.name())).append(":\n"));
    }

    /** A name in quotes: YAML reads the plain word {@code 0x11} as a number and {@code null} as nothing. */
    private static String quoted(Object name) {
        return '"' + name.toString() + '"';
    }

    private static String plain(Path path) {
        if (!PLAIN.matcher(path.toString()).matches()) {
            throw new InvalidValueException(
                    "path for an inventory",
                    path,
                    "letters, digits or any of _./@+,=-",
                    "/var/lib/clusterwright/login");
        }
        return path.toString();
    }
}
